// Looks at the residuals of a run on its way: one that has gone wrong ends soon.
#pragma once

#include "app/himeno/verify.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memstencil::himeno {

/// A device would have to stand still for each look, so that there is a pause between them.
class ResidualWatch {
public:
  using Clock = std::chrono::steady_clock;

  explicit ResidualWatch(Clock::duration pause) : pause_(pause) {}

  void start() { next_ = Clock::now() + pause_; }
  /// Looks at those of all sweeps since the last look, where it is time to.
  /// @param done sweeps whose residuals can be fetched
  /// @param fetch (double* to, first, count): waits for these residuals, and copies them
  /// @throws Failure(Verification) that names the first sweep whose gosa is not finite
  template <class Fetch>
  void look(std::int64_t done, Fetch fetch) {
    if (pause_ > Clock::duration::zero() && Clock::now() < next_) return;
    std::vector<double> added(static_cast<std::size_t>(done - seen_));
    fetch(added.data(), seen_, added.size());
    verify_finite(added, seen_);
    seen_ = done;
    start();
  }

private:
  Clock::duration pause_;
  Clock::time_point next_;
  std::int64_t seen_ = 0;
};

}  // namespace memstencil::himeno
