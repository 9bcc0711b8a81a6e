// The text of --version.
#pragma once

#include <string>

namespace memstencil {

/// "PROGRAM 0.1.0 (git 1234abcd), GNU 12.2.0, Release, Kokkos 4.7.0, GPU
/// backend CUDA 13.0, MPI ..."
std::string version_text(const std::string& program);

}  // namespace memstencil
