// Settings that the shell or the batch system made for this process: memory policy and
// scheduling.
#pragma once

#include "app/base/record/record.hpp"

#include <string>

namespace memstencil {

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

}  // namespace memstencil
