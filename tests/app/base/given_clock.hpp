// A clock whose times a test knows, in the place of the host's.
#pragma once

#include "kernels/elapsed.hpp"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memstencil {

/// As long as it lives, the host's clock goes on by `step` seconds with each look, and by what
/// passes: so all work takes known seconds. Of several steps each has its turn.
class GivenClock {
public:
  explicit GivenClock(double step) : GivenClock(std::vector{step}) {}
  explicit GivenClock(const std::vector<double>& steps) {
    steps_.clear();
    for (const double step : steps) steps_.push_back(nanoseconds(step));
    looks_ = 0;
    HostClock::look = [] {
      now_ += steps_[looks_++ % steps_.size()];
      return HostClock::time_point(std::chrono::nanoseconds(now_));
    };
  }
  ~GivenClock() { HostClock::look = std::chrono::steady_clock::now; }
  GivenClock(const GivenClock&) = delete;
  GivenClock& operator=(const GivenClock&) = delete;

  static void pass(double seconds) { now_ += nanoseconds(seconds); }

private:
  static std::int64_t nanoseconds(double seconds) { return std::llround(1e9 * seconds); }
  static inline std::atomic<std::int64_t> now_ = 0;
  static inline std::atomic<std::size_t> looks_ = 0;
  static inline std::vector<std::int64_t> steps_;
};

}  // namespace memstencil
