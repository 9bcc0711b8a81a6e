// A field of all ranks into a file of its own.
#pragma once

#include "app/base/record/results_file.hpp"

#include <string>

namespace memstencil::hdf5 {

/// Writes the blocks of all ranks as the one dataset of an HDF5 file; what stood there is gone.
/// Collective.
/// @throws CollectiveFailure(Other); std::logic_error where the blocks are not the whole field
void write_field(const Communicator& communicator, const std::string& path,
                 const FieldBlock& block);

}  // namespace memstencil::hdf5
