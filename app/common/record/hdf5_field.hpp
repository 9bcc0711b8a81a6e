// A field of all ranks into one dataset: together where HDF5 is parallel, otherwise through rank 0.
#pragma once

#include "app/common/record/checksum.hpp"
#include "app/common/record/results_file.hpp"

#include <hdf5.h>

#include <string>
#include <vector>

namespace memstencil::hdf5 {

/// Creates the dataset that holds the field, its space in the file taken, its values not written.
void create_field(hid_t group, const FieldBlock& block);

/// Writes the blocks of all ranks into dataset GROUP/NAME of the file. Collective.
/// @throws CollectiveFailure(Other)
void write_field(const Communicator& communicator, const std::string& path,
                 const std::string& group, const FieldBlock& block);

/// The byte ranges of all runs' fields in the file, in ascending order.
std::vector<ByteRange> field_ranges(hid_t file);

/// @throws Failure(Other) where there is no such field
StoredField read_field(hid_t group, const std::string& name);

}  // namespace memstencil::hdf5
