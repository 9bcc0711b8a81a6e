// The time between two looks at a clock.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace memstencil {

/// The seconds that a clock gave. @throws std::runtime_error where it went backwards
inline double elapsed(double seconds) {
  if (seconds >= 0.0) return seconds;
  throw std::runtime_error("the clock went backwards by " + std::to_string(-seconds) +
                           " s: no time of this run can be trusted");
}

/// The seconds of work that has ended when it returns: on a device it must wait for its end. By the
/// host's steady clock. @throws as elapsed()
template <class Clock = std::chrono::steady_clock, class Work>
double host_seconds(Work&& work) {
  const auto start = Clock::now();
  std::forward<Work>(work)();
  return elapsed(std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace memstencil
