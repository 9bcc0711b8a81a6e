// The phases of a run, seen by profilers too.
#include "app/common/runtime/profiled_phases.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil {

Phases profiled_phases(const std::vector<std::string>& names) {
  return Phases(names,
                {.enter = [](const std::string& name) { Kokkos::Profiling::pushRegion(name); },
                 .leave = [] { Kokkos::Profiling::popRegion(); }});
}

}  // namespace memstencil
