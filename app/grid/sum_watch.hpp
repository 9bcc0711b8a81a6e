// Looks at the sums of a run's sweeps on its way: one that has gone wrong ends soon.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace memstencil {

/// A device would have to stand still for each look, so that there is a pause between them.
class SumWatch {
public:
  using Clock = std::chrono::steady_clock;

  /// Is given the sums of sweeps one after the other, and how many sweeps came before them.
  /// @throws Failure that ends the run
  using Check = std::function<void(std::span<const double> sums, std::int64_t before)>;

  SumWatch(Clock::duration pause, Check check) : pause_(pause), check_(std::move(check)) {}

  void start() { next_ = Clock::now() + pause_; }
  /// Looks at those of all sweeps since the last look, where it is time to.
  /// @param done sweeps whose sums can be fetched
  /// @param fetch (double* to, first, count): waits for these sums, and copies them
  template <class Fetch>
  void look(std::int64_t done, Fetch fetch) {
    if (pause_ > Clock::duration::zero() && Clock::now() < next_) return;
    std::vector<double> added(static_cast<std::size_t>(done - seen_));
    fetch(added.data(), seen_, added.size());
    check_(added, seen_);
    seen_ = done;
    start();
  }

private:
  Clock::duration pause_;
  Check check_;
  Clock::time_point next_;
  std::int64_t seen_ = 0;
};

}  // namespace memstencil
