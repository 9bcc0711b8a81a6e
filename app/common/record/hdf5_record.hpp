// A record as an HDF5 group, and back.
#pragma once

#include "app/common/record/hdf5_handle.hpp"
#include "app/common/record/record.hpp"

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <vector>

namespace memstencil::hdf5 {

/// Scalars become attributes, objects groups, arrays of scalars of one kind datasets of rank 1,
/// arrays of objects groups 0001, 0002, ... in a group. A null is an attribute without a value.
/// @throws Failure(Other) for an array of another form
void write_record(hid_t group, const Record& record);

/// Bytes that write_record() takes for the record in a file: rather a few more than too few.
std::size_t stored_bytes(const Record& record);

/// A new group that holds the record. Errors as write_record's.
Handle create_record_group(hid_t parent, const std::string& name, const Record& record);

/// The record that write_record() was given. Datasets of higher rank are left out.
Record read_record(hid_t group);

/// One attribute of the group. Null where there is none of this name.
Record read_attribute(hid_t group, const std::string& name);

/// Names of the groups and datasets in the group, in the order of their creation where it is known.
/// @throws Failure(Other) where one of them is a link into another file
std::vector<std::string> member_names(hid_t group);

/// The time to make a record grows with the square of the names in one of its objects.
/// @throws Failure(Other) for more than any result has
void check_names(std::size_t count);

/// "0001" for 1, "10000" for 10000.
std::string numbered(std::size_t number);

}  // namespace memstencil::hdf5
