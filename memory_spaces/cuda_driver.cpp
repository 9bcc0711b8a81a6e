// The CUDA driver library, looked up when it is needed instead of when the program is loaded.
//
// Kokkos calls a few functions of the driver directly. Linked against libcuda.so.1, a
// program would not even start on a machine without a driver, such as a login node: it
// could neither print its help nor say what is missing. So these functions stand here and
// forward; the linker then drops libcuda (--as-needed). A Kokkos that calls others still
// links, and then needs the driver to start.
#include "memory_spaces/cuda_gpu.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace memstencil {

namespace {

void* driver() {
  static void* const library = [] {
    // All kernels are loaded with the program: lazily, a kernel's first call would take its loading
    // (0.3 ms on an H100) into the first timed sweep.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    return dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  }();
  return library;
}

}  // namespace

bool cuda_driver_installed() { return driver() != nullptr; }

void* driver_symbol(const char* name) {
  return driver() != nullptr ? dlsym(driver(), name) : nullptr;
}

}  // namespace memstencil

extern "C" {

CUresult CUDAAPI cuCtxGetDevice(CUdevice* device) {
  return memstencil::forward("cuCtxGetDevice", device);
}
CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) {
  return memstencil::forward("cuCtxPushCurrent_v2", context);
}
CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return memstencil::forward("cuStreamGetCtx", stream, context);
}
}
