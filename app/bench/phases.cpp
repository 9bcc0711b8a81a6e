// Named timers of the parts of a run; a part that runs again adds to its timer.
#include "app/bench/phases.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace memstencil {

Phases::Phases(const std::vector<std::string>& names)
    : names_(names), seconds_(names.size(), 0.0) {}

std::size_t Phases::index(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw std::logic_error("no phase is named " + name);
  return static_cast<std::size_t>(found - names_.begin());
}

void Phases::add(const std::string& name, double seconds) { seconds_[index(name)] += seconds; }

double Phases::seconds(const std::string& name) const { return seconds_[index(name)]; }

double Phases::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

int Phases::take_slowest(double seconds, const Communicator& communicator) {
  const double longest = communicator.maximum(seconds);
  const int slowest = static_cast<int>(
      communicator.minimum(seconds < longest ? communicator.size() : communicator.rank()));
  communicator.broadcast(seconds_, slowest);
  return slowest;
}

Named<double> Phases::by_name() const {
  Named<double> out;
  for (std::size_t n = 0; n < names_.size(); ++n) out.emplace_back(names_[n], seconds_[n]);
  return out;
}

Phases::Running::Running(Phases& phases, const std::string& name)
    : seconds_(phases.seconds_[phases.index(name)]) {
  Kokkos::Profiling::pushRegion(name);
  start_ = std::chrono::steady_clock::now();
}

Phases::Running::~Running() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  seconds_ += elapsed.count();
  Kokkos::Profiling::popRegion();
}

}  // namespace memstencil
