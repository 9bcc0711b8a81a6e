// The HDF5 types of a record's scalars: int64, double, boolean and UTF-8 text, alone or in a row.
#pragma once

#include "app/base/record/hdf5_handle.hpp"
#include "app/base/record/record.hpp"

#include <functional>
#include <string>

namespace memstencil::hdf5 {

/// The one kind that all elements have. Integers among floating-point numbers count as such.
enum class Kind { Null, Boolean, Integer, Real, Text, Mixed };
Kind kind_of(const Record& values);

/// The HDF5 type that stores the elements, all of this kind. Booleans are an enum of FALSE and
/// TRUE, as in h5py; texts have the length of the longest, so that the file needs no heap for them.
Handle stored_type(const Record& values, Kind kind);

/// Calls write(memory type, pointer) with the elements of the array in memory.
void with_memory(const Record& values, Kind kind,
                 const std::function<herr_t(hid_t, const void*)>& write, const std::string& what);

/// The `count` elements that read(memory type, pointer) delivers, as an array.
Record from_memory(hid_t file_type, std::size_t count,
                   const std::function<herr_t(hid_t, void*)>& read, const std::string& what);

}  // namespace memstencil::hdf5
