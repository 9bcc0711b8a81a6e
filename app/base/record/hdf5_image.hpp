// A record as the bytes of an HDF5 file, and back.
#pragma once

#include "app/base/record/record.hpp"

#include <cstddef>
#include <string>

namespace memstencil::hdf5 {

/// Scalars become attributes, texts of 64 KiB and more datasets, objects groups, arrays of scalars
/// of one kind datasets of rank 1, arrays of objects groups 0001, 0002, ... in a group. A null is
/// an attribute without a value. The record stands in the root group.
/// @param user_block bytes in front, all zeros
/// @throws Failure(Other) for an array of another form
std::string image_of(const Record& record, std::size_t user_block);

/// The record that image_of() was given. @throws Failure(Other) where it is none
Record record_in(std::string image);

}  // namespace memstencil::hdf5
