// Settings that the shell or the batch system made for this process, as the kernel has them.
#include "app/base/machine/process_settings.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/runtime/cpu_list.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace memstencil {

namespace {

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

}  // namespace

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

}  // namespace memstencil
