// Named timers of the parts of a run; a part that runs again adds to its timer.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"
#include "kernels/elapsed.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// A region of Kokkos' profiling interface for as long as it lives. It is the host's: work that is
/// submitted in it may end later.
class ProfilingRegion {
public:
  explicit ProfilingRegion(const std::string& name);
  ~ProfilingRegion();
  ProfilingRegion& operator=(ProfilingRegion&&) = delete;  // nor any copy
};

/// Wall time by phase in seconds (steady clock), in the order given to the constructor. A phase
/// timed inside another counts in both. The work must have ended when it returns: fence in it. Each
/// is a ProfilingRegion, too; who adds seconds of another clock makes the region as well.
class Phases {
public:
  explicit Phases(const std::vector<std::string>& names) {
    for (const std::string& name : names) seconds_.emplace_back(name, 0.0);
  }

  /// Runs the work, adds its time, and passes its result on; the time counts where it throws, too.
  /// @throws std::out_of_range for a name that the constructor was not given
  template <class Work>
  decltype(auto) time(const std::string& name, Work&& work) {
    const Running running{ProfilingRegion(name), seconds_of(name)};
    return std::forward<Work>(work)();
  }

  void add(const std::string& name, double seconds) { seconds_of(name) += seconds; }
  double seconds(const std::string& name) const { return seconds_.at(name); }
  /// Sum over all phases.
  double total() const {
    double sum = 0;
    for (const auto& [name, seconds] : seconds_) sum += seconds;
    return sum;
  }
  /// On every rank the phases of the rank with the most `seconds`. Those of one rank add up. Each
  /// phase's longest over the ranks would not: what a rank waits in one phase another has worked in
  /// the phase before. Collective. Returns that rank.
  int take_slowest(double seconds, const Communicator& communicator);
  /// {name: seconds} in order.
  const Named<double>& by_name() const { return seconds_; }

private:
  struct Running {
    ProfilingRegion region;
    double& seconds;
    HostClock::time_point start = HostClock::now();
    ~Running() { seconds += std::chrono::duration<double>(HostClock::now() - start).count(); }
  };
  double& seconds_of(const std::string& name) { return const_cast<double&>(seconds_.at(name)); }

  Named<double> seconds_;
};

}  // namespace memstencil
