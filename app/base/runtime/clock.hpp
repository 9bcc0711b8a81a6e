// Seconds of work that has ended when it returns.
#pragma once

#include "kernels/lap_clock.hpp"

#include <chrono>
#include <utility>

namespace memstencil {

/// By the host's steady clock. Work on a device must wait for its end. @throws as elapsed()
template <class Clock = std::chrono::steady_clock, class Work>
double host_seconds(Work&& work) {
  const auto start = Clock::now();
  std::forward<Work>(work)();
  return elapsed(std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace memstencil
