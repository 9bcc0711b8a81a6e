// The HDF5 types of a record's scalars: int64, double, boolean and UTF-8 text, alone or in a row.
#pragma once

#include "app/common/record/hdf5_handle.hpp"
#include "app/common/record/record.hpp"

#include <functional>
#include <string>

namespace memstencil::hdf5 {

/// The one kind that all elements have. Integers among floating-point numbers count as such.
enum class Kind { Null, Boolean, Integer, Real, Text, Mixed };
Kind kind_of(const Record& values);

/// A copy of the HDF5 type that stores the kind. Booleans are an enum of
/// FALSE and TRUE, as in h5py.
Handle stored_type(Kind kind);

/// Calls write(memory type, pointer) with the elements of the array in memory.
void with_memory(const Record& values, Kind kind,
                 const std::function<herr_t(hid_t, const void*)>& write, const std::string& what);

/// A file that claims more values than its bytes can hold is refused before memory is asked for.
/// @throws Failure(Other), also where the values stand in another file
void require_stored(hid_t dataset, const std::string& what);

/// The `count` elements that read(memory type, pointer) delivers, as an array. Any integer, real,
/// boolean or text type in the file will do.
Record from_memory(hid_t file_type, hid_t space, std::size_t count,
                   const std::function<herr_t(hid_t, void*)>& read, const std::string& what);

}  // namespace memstencil::hdf5
