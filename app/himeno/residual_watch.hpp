// Looks at the residuals of a run on its way: one that has gone wrong ends soon.
#pragma once

#include "app/himeno/verify.hpp"
#include "memory_spaces/movement.hpp"

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
  /// @param residuals of all sweeps, in memory of any space
  /// @param done sweeps whose residuals are added up, or will be when `wait` returns
  /// @throws Failure(Verification) that names the first sweep whose gosa is not finite
  template <class Wait>
  void look(const double* residuals, std::int64_t done, Wait wait) {
    if (pause_ > Clock::duration::zero() && Clock::now() < next_) return;
    wait();
    std::vector<double> added(static_cast<std::size_t>(done - seen_));
    copy(added.data(), residuals + seen_, added.size() * sizeof(double));
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
