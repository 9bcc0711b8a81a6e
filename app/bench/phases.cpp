// Named timers of the parts of a run; a part that runs again adds to its timer.
#include "app/bench/phases.hpp"

#include <Kokkos_Core.hpp>

#include <stdexcept>

namespace memstencil {

double& Phases::seconds_of(const std::string& name) {
  for (auto& [each, seconds] : seconds_)
    if (each == name) return seconds;
  throw std::logic_error("no phase is named " + name);
}

double Phases::total() const {
  double sum = 0;
  for (const auto& [name, seconds] : seconds_) sum += seconds;
  return sum;
}

int Phases::take_slowest(double seconds, const Communicator& communicator) {
  const double longest = communicator.maximum(seconds);
  const int slowest = static_cast<int>(
      communicator.minimum(seconds < longest ? communicator.size() : communicator.rank()));
  for (auto& [name, each] : seconds_) communicator.broadcast({&each, 1}, slowest);
  return slowest;
}

ProfilingRegion::ProfilingRegion(const std::string& name) { Kokkos::Profiling::pushRegion(name); }
ProfilingRegion::~ProfilingRegion() { Kokkos::Profiling::popRegion(); }

Phases::Running::Running(double& of_phase, const std::string& name)
    : region(name), seconds(of_phase), start(HostClock::now()) {}

Phases::Running::~Running() {
  seconds += std::chrono::duration<double>(HostClock::now() - start).count();
}

}  // namespace memstencil
