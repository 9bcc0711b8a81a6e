// The selected GPU and its driver, as the files of the CUDA backend ask for them.
#pragma once

#include "memory_spaces/system_reach.hpp"

#include <cuda_runtime.h>

#include <string>

namespace memstencil {

/// Is libcuda.so.1 installed? Without it no GPU can be used, but --help
/// works and errors can be reported.
bool cuda_driver_installed();
/// @throws UnsupportedSpace "WHAT: CUDA's reason"
void check_gpu(cudaError_t error, const std::string& what);
int current_gpu();
/// 0 if the driver does not know it.
int attribute(cudaDeviceAttr which);
std::string gpu_name();
SystemReach reach_of_gpu();

}  // namespace memstencil
