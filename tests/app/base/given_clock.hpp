// A clock whose times a test knows, in the place of the host's.
#pragma once

#include "kernels/elapsed.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>

namespace memstencil {

/// As long as it lives, the host's clock goes on by `step` seconds with each look, and by what
/// passes: so all work takes known seconds.
class GivenClock {
public:
  explicit GivenClock(double step) {
    step_ = nanoseconds(step);
    HostClock::look = [] {
      now_ += step_;
      return HostClock::time_point(std::chrono::nanoseconds(now_));
    };
  }
  ~GivenClock() { HostClock::look = std::chrono::steady_clock::now; }
  GivenClock(const GivenClock&) = delete;
  GivenClock& operator=(const GivenClock&) = delete;

  static void pass(double seconds) { now_ += nanoseconds(seconds); }

private:
  static std::int64_t nanoseconds(double seconds) { return std::llround(1e9 * seconds); }
  static inline std::atomic<std::int64_t> now_ = 0, step_ = 0;
};

}  // namespace memstencil
