// The reasons why this build or machine cannot measure, and memory that is asked for before it is
// allocated.
#pragma once

#include "app/membench/core/probe.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Empty, or why the probe cannot run here.
std::string why_not(const Probe& probe, const Communicator* ranks);

/// Call before allocating. Spaces that share a memory have to be asked about with their sum.
/// @throws Failure(Machine) with what is needed and what there is
void require_memory(MemorySpace space, std::size_t bytes);

/// The host's memory is taken from this NUMA node from here on, by all threads that start later.
/// @throws Failure(Machine) where there is no such node
void take_memory_from_node(int node);

}  // namespace memstencil::membench
