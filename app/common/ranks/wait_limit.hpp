// The end of a run whose ranks wait too long for one of them: --timeout.
#pragma once

#include <chrono>

namespace memstencil {

class Communicator;

/// From now on no rank waits for another for more than so many seconds. Once in a process.
/// Collective. Without MPI nobody waits.
void limit_waits(double seconds, const Communicator& communicator);
bool waits_are_limited();
/// Seconds; only where waits are limited.
double wait_limit();

/// A wait for other ranks that polls, where waits are limited.
class LimitedWait {
public:
  /// To be called again and again while the wait lasts. Past the limit it does not return: the
  /// ranks that wait find out which do not, the lowest of them says so on stderr, and all end with
  /// exit code 1. Time in which this process itself was stopped does not count.
  void look();

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  double waited_ = 0;
};

}  // namespace memstencil
