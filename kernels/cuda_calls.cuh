// Calls of CUDA: their errors, and what the GPU in use and its driver have.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace memstencil {

/// @throws std::runtime_error "WHAT: CUDA's reason"
inline void check(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // what is reported must not be found again by the next call
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// An attribute of the GPU in use.
inline int gpu_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// A function of the driver, which is looked up when it is wanted; null in one that has none.
template <class Function>
Function driver_function(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found);
  if (status != cudaSuccess || found != cudaDriverEntryPointSuccess) return nullptr;
  return reinterpret_cast<Function>(function);
}

}  // namespace memstencil
