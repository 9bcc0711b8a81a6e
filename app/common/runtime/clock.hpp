// Seconds of work that has ended when it returns.
#pragma once

#include <chrono>
#include <utility>

namespace memstencil {

/// By the host's steady clock. Work on a device must wait for its end.
template <class Work>
double host_seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  std::forward<Work>(work)();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace memstencil
