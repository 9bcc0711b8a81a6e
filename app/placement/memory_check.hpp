// The check that there is enough memory for a run, before anything is allocated.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/placement/placement.hpp"

#include <string>
#include <vector>

namespace memstencil {

/// Bytes that one rank will allocate in a space.
struct MemoryRequirement {
  MemorySpace space;
  double bytes;
};

/// Adds up what falls on the GPU's memory and what falls on the host's, over the
/// ranks that share it. Collective.
/// @param what the problem, as the message names it: "the grid 5x5x5"
/// @param remedy what would make it smaller: "a smaller --size"
/// @throws CollectiveFailure(Machine) with what is needed and what there is
void check_memory(const std::string& what, const std::string& remedy,
                  const std::vector<MemoryRequirement>& requirements, const Placement& placement,
                  const Communicator& communicator);

}  // namespace memstencil
