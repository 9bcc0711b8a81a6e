// The time between two looks at a clock.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace memstencil {

/// The host's steady clock; a test puts another in its place, whose times it knows.
struct HostClock {
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;
  static time_point now() { return look(); }
  static inline time_point (*look)() = std::chrono::steady_clock::now;
};

/// The seconds that a clock gave. @throws std::runtime_error if it went backwards
inline double elapsed(double seconds) {
  if (seconds >= 0.0) return seconds;
  throw std::runtime_error("the clock went backwards by " + std::to_string(-seconds) +
                           " s: no time of this run can be trusted");
}

/// The seconds of work that has ended when it returns: on a device it must wait for its end. By the
/// host's clock. @throws as elapsed()
template <class Work>
double host_seconds(Work&& work) {
  const auto start = HostClock::now();
  std::forward<Work>(work)();
  return elapsed(std::chrono::duration<double>(HostClock::now() - start).count());
}

}  // namespace memstencil
