// Named timers of the parts of a run; a part that runs again adds to its timer.
#include "app/bench/phases.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil {

int Phases::take_slowest(double seconds, const Communicator& communicator) {
  const double longest = communicator.maximum(seconds);
  const int slowest = static_cast<int>(
      communicator.minimum(seconds < longest ? communicator.size() : communicator.rank()));
  for (auto& [name, each] : seconds_) communicator.broadcast({&each, 1}, slowest);
  return slowest;
}

ProfilingRegion::ProfilingRegion(const std::string& name) { Kokkos::Profiling::pushRegion(name); }
ProfilingRegion::~ProfilingRegion() { Kokkos::Profiling::popRegion(); }

}  // namespace memstencil
