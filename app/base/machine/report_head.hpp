// The head of every text report: program, host and GPU, and how the machine treats managed and
// system-allocated memory; from the facts of the machine.
#pragma once

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/memory_space.hpp"

#include <optional>
#include <set>
#include <string>

namespace memstencil {

/// Program (of this name), MPI, host, GPU, and the origin of the result; nothing if
/// the facts of the program are not known.
Lines banner(const std::string& name, const MachineFacts& machine,
             const std::optional<Provenance>& provenance);

/// The settings that decide where pages lie and whether they move, in one line. Empty if no GPU
/// answers.
std::string memory_system_text(const MachineFacts& machine);

/// The page cache in the GPU's NUMA node, "40.0 GB of page cache lie in the GPU's node ...", where
/// it is worth saying; empty elsewhere.
std::string page_cache_text(const MachineFacts& machine);

/// The memory system of the machine, where the spaces have pages that move, and notes on settings
/// of the site that change what a GPU gets from memory of these spaces. None if no GPU answers,
/// or for host-pinned memory alone.
Lines memory_lines(const MachineFacts& machine, const std::set<MemorySpace>& spaces);

}  // namespace memstencil
