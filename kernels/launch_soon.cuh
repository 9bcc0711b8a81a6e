// A kernel that is launched before the one ahead of it in the queue has ended.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace memstencil {

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
