// Named timers of the parts of a run; a part that runs again adds to its timer.
#include "app/common/runtime/phases.hpp"

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

bool Phases::take_slowest(double seconds, const Communicator& communicator) {
  const double longest = communicator.maximum(seconds);
  const double first =
      communicator.minimum(seconds < longest ? communicator.size() : communicator.rank());
  const bool slowest = communicator.rank() == static_cast<int>(first);
  if (!slowest) std::fill(seconds_.begin(), seconds_.end(), 0.0);
  communicator.sum(seconds_);
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
