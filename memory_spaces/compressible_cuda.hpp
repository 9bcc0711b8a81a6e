// Device memory that the GPU compresses: its blocks of lines cross the memory's bus in fewer bytes
// if they hold few different words. They take as much room as others.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace memstencil::compressible_memory {

/// Does the current GPU have it?
bool supported();

/// As cudaMalloc. cudaErrorNotSupported if the driver gives memory that is not compressible.
cudaError_t allocate(void** data, std::size_t bytes);
/// No kernel uses it any more.
void release(void* data, std::size_t bytes) noexcept;

}  // namespace memstencil::compressible_memory
