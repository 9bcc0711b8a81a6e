// The time between two looks at a clock.
#pragma once

#include <stdexcept>
#include <string>

namespace memstencil {

/// The seconds that a clock gave. @throws std::runtime_error where it went backwards
inline double elapsed(double seconds) {
  if (seconds >= 0.0) return seconds;
  throw std::runtime_error("the clock went backwards by " + std::to_string(-seconds) +
                           " s: no time of this run can be trusted");
}

}  // namespace memstencil
