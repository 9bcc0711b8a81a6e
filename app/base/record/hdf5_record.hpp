// A record as an HDF5 group, and back.
#pragma once

#include "app/base/record/hdf5_handle.hpp"
#include "app/base/record/record.hpp"

#include <hdf5.h>

#include <cstddef>

namespace memstencil::hdf5 {

/// Scalars become attributes, texts of 64 KiB and more datasets, objects groups, arrays of scalars
/// of one kind datasets of rank 1, arrays of objects groups 0001, 0002, ... in a group. A null is
/// an attribute without a value.
/// @throws Failure(Other) for an array of another form
void write_record(hid_t group, const Record& record);

/// How many members the record's group will have.
std::size_t members_of(const Record& record);

/// The record that write_record() was given.
Record read_record(hid_t group);

}  // namespace memstencil::hdf5
