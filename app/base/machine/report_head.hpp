// The head of every text report: what runs where, from the facts of the machine.
#pragma once

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/memory_space.hpp"

#include <optional>
#include <set>
#include <string>

namespace memstencil {

/// Program (of this name), MPI, host, GPU, and the origin of the result; nothing where
/// the facts of the program are not known.
Lines banner(const std::string& name, const MachineFacts& machine,
             const std::optional<Provenance>& provenance);

/// The memory system of the machine, where the spaces have pages that move, and the notes on it.
Lines memory_lines(const MachineFacts& machine, const std::set<MemorySpace>& spaces);

}  // namespace memstencil
