// The CUDA driver library, looked up when it is needed instead of when the program is loaded.
#pragma once

namespace memstencil {

/// Is libcuda.so.1 installed? Without it no GPU can be used, but --help
/// works and errors can be reported.
bool cuda_driver_installed();

}  // namespace memstencil
