// The load of a host by other programs, the CPU time that it leaves this program, the settings that
// the shell or the batch system made for it (memory policy and scheduling), and pauses: the process
// was stopped, or the machine was suspended.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace memstencil {

/// The CPUs that the program's control group (cgroup v2), or one above it, may use on average, as
/// 0.3; nothing if there is no quota.
std::optional<double> cpu_quota(const std::filesystem::path& root);

/// {"load_average", "cpu_pressure_percent", "throttled_seconds"}: the tasks that wanted to run in
/// the last minute; the share of the last ten seconds in which one waited for a CPU; how long the
/// quota has held back the program's group in all. Null if the kernel does not tell.
/// @param root "/", or a copy of another machine's files
Record host_load(const std::filesystem::path& root);

/// From these on, in percent and seconds.
inline constexpr double much_pressure = 10, much_throttling = 0.1;

/// Was the host busy, or the program held back, so that its figures are low? Empty if not.
/// @param load {"before", "after"}, each as host_load() gives it
std::string busy_text(const Record& load);

/// {"mode", "nodes", "allowed_nodes"}: the kernel's memory policy, as numactl sets it: "default",
/// "preferred", "bind", "interleave", ...; its NUMA nodes, and those that the process may use, both
/// as the kernel writes lists ("0-1"). Null if the kernel does not tell.
Record memory_policy();

/// A note if the policy takes pages from other nodes than the one of the thread that touches them
/// first; empty if not.
/// @param policy as memory_policy() gives it
std::string memory_policy_text(const Record& policy);

/// {"class", "nice"}: "other", "batch", "idle", "fifo", "round-robin" or "deadline".
Record scheduling();

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
