// The selected GPU, as the files of the CUDA backend ask for it.
#pragma once

#include "memory_spaces/system_reach.hpp"

#include <cuda_runtime.h>

#include <string>

namespace memstencil {

int current_gpu();
/// 0 where the driver does not know it.
int attribute(cudaDeviceAttr which);
std::string gpu_name();
SystemReach reach_of_gpu();

}  // namespace memstencil
