// The phases of a run, seen by profilers too.
#pragma once

#include "app/common/runtime/phases.hpp"

#include <string>
#include <vector>

namespace memstencil {

/// Timers whose phases are also regions of Kokkos' profiling interface. Kokkos must run.
Phases profiled_phases(const std::vector<std::string>& names);

}  // namespace memstencil
