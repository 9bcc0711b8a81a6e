// The CPUs that this process was given, before any library bound its threads.
#pragma once

#include <string>

namespace memstencil {

/// As the kernel writes lists: "0-3,8"; empty where it is not known. libgomp binds the main thread
/// while the program is loaded (OMP_PROC_BIND), and what /proc then tells of it is one place.
std::string cpus_at_start();

/// The number of CPUs that such a list names, each once; 0 where it is empty or none.
int count_cpus(const std::string& list);

}  // namespace memstencil
