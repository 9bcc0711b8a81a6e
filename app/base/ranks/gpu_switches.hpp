// What the MPI library says of its handling of GPU pointers.
#pragma once

#include <map>
#include <string>

namespace memstencil {

/// By the names that the library gives to its own variables; empty where it has none or MPI has not
/// started.
std::map<std::string, std::string> mpi_gpu_switches();

}  // namespace memstencil
