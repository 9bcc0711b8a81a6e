// The selected GPU and its driver, as the files of the CUDA backend ask for them.
#pragma once

#include "memory_spaces/system_reach.hpp"

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace memstencil {

/// Is libcuda.so.1 installed? Without it no GPU can be used, but --help
/// works and errors can be reported.
bool cuda_driver_installed();
/// Null if no driver is installed, or it has no such function.
void* driver_symbol(const char* name);
/// Calls the driver's function of that name.
template <class... Arguments>
CUresult forward(const char* name, Arguments... arguments) {
  using Function = CUresult (*)(Arguments...);
  void* const found = driver_symbol(name);
  return found != nullptr ? reinterpret_cast<Function>(found)(arguments...)
                          : CUDA_ERROR_NOT_INITIALIZED;
}

/// @throws UnsupportedSpace "WHAT: CUDA's reason"
void check_gpu(cudaError_t error, const std::string& what);
int current_gpu();
/// 0 if the driver does not know it.
int attribute(cudaDeviceAttr which);
std::string gpu_name();
SystemReach reach_of_gpu();

/// Device memory that the GPU compresses: its blocks of lines cross the memory's bus in fewer bytes
/// if they hold few different words. They take as much room as others.
namespace compressible_memory {
/// Does the current GPU have it?
bool supported();
/// As cudaMalloc. cudaErrorNotSupported if the driver gives memory that is not compressible.
cudaError_t allocate(void** data, std::size_t bytes);
/// No kernel uses it any more.
void release(void* data, std::size_t bytes) noexcept;
}  // namespace compressible_memory

}  // namespace memstencil
