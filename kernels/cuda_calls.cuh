// Calls of CUDA: their errors, what the GPU in use and its driver have, and launches before the
// kernel ahead in the queue has ended.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
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

/// Waits, in a kernel that was launched soon, until all that the queue had before it is done: no
/// memory may be touched before. Older GPUs than Hopper have no such launches, and need no wait.
__device__ __forceinline__ void wait_for_queue() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// From here on blocks of a kernel that is launched soon may become resident beside this one.
__device__ __forceinline__ void let_next_kernel_come() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Has the kernel what Hopper has? A program compiled for older GPUs runs on newer ones, too: its
/// kernels are assembled anew there, and lack what was left out for the old ones.
inline bool compiled_for_hopper(const void* kernel) {
  cudaFuncAttributes its{};
  return cudaFuncGetAttributes(&its, kernel) == cudaSuccess && its.ptxVersion >= 90;
}

/// Launches a kernel whose blocks become resident when those of the kernel ahead have ended or let
/// them come, if it was compiled for that. It calls wait_for_queue() first.
/// @return CUDA's error
template <class... Arguments>
cudaError_t launch_soon(void (*kernel)(Arguments...), dim3 blocks, dim3 threads,
                        std::size_t shared_bytes, cudaStream_t stream,
                        const Arguments&... arguments) {
  static const bool can = compiled_for_hopper(reinterpret_cast<const void*>(kernel));
  cudaLaunchAttribute soon{};
  soon.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  soon.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = blocks;
  launch.blockDim = threads;
  launch.dynamicSmemBytes = shared_bytes;
  launch.stream = stream;
  launch.attrs = &soon;
  launch.numAttrs = can ? 1 : 0;
  return cudaLaunchKernelEx(&launch, kernel, arguments...);
}

}  // namespace memstencil
