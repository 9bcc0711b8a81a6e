// Errors of CUDA calls, as exceptions that say which call and why.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace memstencil::probes {

/// A CUDA call that failed. what() is one line.
class CudaError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// @throws CudaError "WHAT: CUDA's reason"
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // what is told must not be found again by the next call
  throw CudaError(std::string(what) + ": " + cudaGetErrorString(error));
}

/// After a kernel launch: was it accepted, and has the kernel (and all before it) ended well?
inline void check_kernel(const char* what) {
  check(cudaGetLastError(), what);
  check(cudaDeviceSynchronize(), what);
}

}  // namespace memstencil::probes
