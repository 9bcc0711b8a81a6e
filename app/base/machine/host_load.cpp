// The load of a host by other programs, the CPU time that it leaves this program, the settings that
// the shell or the batch system made for it, and pauses.
#include "app/base/machine/host_load.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/provenance.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

/// The number that follows `key` in the file; nothing if there is none.
std::optional<double> number_after(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = text.find(key);
  double number = 0;
  if (at == std::string::npos || !(std::istringstream(text.substr(at + key.size())) >> number))
    return std::nullopt;
  return number;
}

/// The folder of the program's group: /proc/self/cgroup has "0::/path".
fs::path group_folder(const fs::path& root) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::/")) return root / "sys/fs/cgroup" / line.substr(4);
  return root / "sys/fs/cgroup";
}

/// Of linux/mempolicy.h, which not every system has.
constexpr std::array policies{"default",        "preferred",          "bind", "interleave", "local",
                              "preferred-many", "weighted-interleave"};
constexpr int flags_of_policies = 7 << 13;  // how the nodes are numbered, and NUMA balancing

constexpr std::array classes{"other", "fifo", "round-robin", "batch", "", "idle", "deadline"};

template <std::size_t Count>
Record name_of(const std::array<const char*, Count>& names, int number) {
  if (number < 0 || number >= static_cast<int>(Count)) return nullptr;
  return names[static_cast<std::size_t>(number)];
}

constexpr double shortest_pause = 1.0;  // seconds

/// Seconds since the machine started, including its suspension.
double seconds_of_boot() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds that this thread was ready and had no processor; 0 if the kernel does not say.
double seconds_in_queue() {
  double on_processor = 0, in_queue = 0;
  std::ifstream("/proc/thread-self/schedstat") >> on_processor >> in_queue;
  return 1e-9 * in_queue;
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  const fs::path top = root / "sys/fs/cgroup";
  for (fs::path folder = group_folder(root);; folder = folder.parent_path()) {
    std::istringstream line(first_line(folder / "cpu.max").value_or(""));  // "30000 100000"
    double quota = 0, period = 0;
    if (line >> quota >> period && period > 0)
      least = std::min(least.value_or(quota / period), quota / period);
    if (folder == top || folder == folder.parent_path()) return least;
  }
}

Record host_load(const fs::path& root) {
  const auto throttled = number_after(group_folder(root) / "cpu.stat", "throttled_usec ");
  return {{"load_average", or_null(number_after(root / "proc/loadavg", ""))},
          {"cpu_pressure_percent", or_null(number_after(root / "proc/pressure/cpu", "avg10="))},
          {"throttled_seconds", throttled ? Record(1e-6 * *throttled) : Record()}};
}

std::string busy_text(const Record& load) {
  const auto value = [&](const char* when, const char* what) {
    const Record& found = load.at(when).at(what);
    return found.is_number() ? found.get<double>() : 0.0;
  };
  const double held = value("after", "throttled_seconds") - value("before", "throttled_seconds");
  if (held > much_throttling)
    return fmt::format(
        "a CPU quota held the program back for {:.1f} s: figures of the host are low", held);
  // The program's own threads are in the pressure after it.
  const double pressure = value("before", "cpu_pressure_percent");
  if (pressure < much_pressure) return {};
  return fmt::format(
      "the host was busy before the run: tasks waited for a CPU in {:.0f} % of ten "
      "seconds (load average {:.1f}): figures of the host are low",
      pressure, value("before", "load_average"));
}

Record memory_policy() {
  const Record allowed = or_null(value_of("/proc/self/status", "Mems_allowed_list"));
  CpuMask nodes{};
  int mode = 0;
  if (syscall(SYS_get_mempolicy, &mode, &nodes, 8 * sizeof(nodes), nullptr, 0UL) != 0)
    return {{"mode", nullptr}, {"nodes", nullptr}, {"allowed_nodes", allowed}};
  return {{"mode", name_of(policies, mode & ~flags_of_policies)},
          {"nodes", cpu_list(nodes)},
          {"allowed_nodes", allowed}};
}

std::string memory_policy_text(const Record& policy) {
  const std::string mode = policy.is_object() ? plain_text(policy["mode"]) : "default";
  if (mode == "default" || mode == "local" || mode == plain_text(nullptr)) return {};
  const std::string nodes = plain_text(policy["nodes"]);
  if (nodes.empty() || count_cpus(plain_text(policy["allowed_nodes"])) < 2) return {};
  return fmt::format(
      "memory policy {} (numactl): pages of the host come from NUMA nodes {}, whichever thread "
      "touches them first",
      mode, nodes);
}

Record scheduling() {
  const int policy = sched_getscheduler(0);
  errno = 0;
  const int nice = getpriority(PRIO_PROCESS, 0);
  return {{"class", policy < 0 ? Record() : name_of(classes, policy & ~SCHED_RESET_ON_FORK)},
          {"nice", errno == 0 ? Record(nice) : Record()}};
}

PauseWatch::PauseWatch() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}

double PauseWatch::longest() {
  const std::lock_guard lock(mutex_);
  return longest_;
}

void PauseWatch::watch(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  for (double before = seconds_of_boot(), queued = seconds_in_queue();
       !stopped_.wait_for(lock, stop, 100ms, [&] { return stop.stop_requested(); });) {
    const double now = seconds_of_boot(), queued_now = seconds_in_queue();
    const double pause = now - before - (queued_now - queued);
    if (pause > shortest_pause) longest_ = std::max(longest_, pause);
    before = now;
    queued = queued_now;
  }
}

std::string text(const Pause& pause) {
  return fmt::format(
      "the process stood still for {:.1f} s{}: it was stopped, or the machine was suspended",
      pause.seconds, pause.sweep ? fmt::format(", in sweep {}", *pause.sweep) : "");
}

std::optional<Pause> longest_pause(PauseWatch& watch, const std::vector<double>& sweep_seconds,
                                   const Communicator& communicator) {
  Pause pause{.seconds = communicator.maximum(watch.longest()), .sweep = {}};
  if (pause.seconds == 0) return {};
  const auto slowest = std::max_element(sweep_seconds.begin(), sweep_seconds.end());
  if (slowest != sweep_seconds.end() && *slowest >= pause.seconds / 2)
    pause.sweep = slowest - sweep_seconds.begin() + 1;
  return pause;
}

}  // namespace memstencil
