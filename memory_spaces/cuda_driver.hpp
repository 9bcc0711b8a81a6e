// Calls of the CUDA driver library by name, which is looked up when it is needed.
#pragma once

#include <cuda.h>

namespace memstencil {

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

}  // namespace memstencil
