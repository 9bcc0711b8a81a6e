// Watches for pauses of this process: it was stopped, or the machine was suspended.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace memstencil {

/// A thread that wakes every 0.1 s for as long as it lives, and notes if it slept longer.
class PauseWatch {
public:
  PauseWatch();

  /// Seconds of the longest pause of more than 1 s so far; 0 without one. The time that the thread
  /// waited for a processor is no pause: other programs on the machine make none.
  double longest();

private:
  void watch(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any stopped_;
  double longest_ = 0;
  std::jthread thread_;  ///< the last member: it uses the others
};

/// `pause`: the longest one in a run.
struct Pause {
  double seconds = 0;
  std::optional<std::int64_t> sweep;  ///< from 1; nothing if no sweep took half as long
  MEMSTENCIL_DESCRIBED(seconds, sweep)
};
std::string text(const Pause& pause);

/// The longest pause of all ranks, and the sweep that it made long. Collective.
std::optional<Pause> longest_pause(PauseWatch& watch, const std::vector<double>& sweep_seconds,
                                   const Communicator& communicator);

}  // namespace memstencil
