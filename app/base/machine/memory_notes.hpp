// Lines of a report on this machine's memory system: its treatment of managed and system-allocated
// memory.
#pragma once

#include "app/base/machine/machine_facts.hpp"
#include "memory_spaces/memory_space.hpp"

#include <set>
#include <string>
#include <vector>

namespace memstencil {

/// The settings that decide where pages lie and whether they move, in one line. Empty where no GPU
/// answers.
std::string memory_system_text(const MachineFacts& machine);

/// The page cache in the GPU's NUMA node, "40.0 GB of page cache lie in the GPU's node ...", where
/// it is worth saying; empty elsewhere.
std::string page_cache_text(const MachineFacts& machine);

/// Lines on settings of the site that change what a GPU gets from memory of these spaces; none
/// where there are none, no GPU, or host-pinned memory alone.
std::vector<std::string> memory_notes(const MachineFacts& machine,
                                      const std::set<MemorySpace>& spaces);

}  // namespace memstencil
