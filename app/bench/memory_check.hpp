// The check that there is enough memory for a run, before anything is allocated.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/placement.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace memstencil {

/// Bytes that one rank will allocate in a space.
struct MemoryRequirement {
  MemorySpace space;
  double bytes;
};

/// What a machine has, and who shares it.
struct MemoryThere {
  std::function<bool(MemorySpace)> of_gpu;        ///< else the space takes the node's memory
  std::function<std::size_t(MemorySpace)> bytes;  ///< available in the memory of the space
  int ranks_of_gpu = 1, ranks_of_node = 1;
  /// That a rank may still map (ulimit -v).
  double of_process = std::numeric_limits<double>::infinity();
  /// A word on the GPU's memory, for a refusal: the page cache that lies there; or nothing.
  std::function<std::string()> note;
};

/// What one of the memories lacks, "needs 80 GB of device memory, and ...", or empty. Adds up what
/// falls on the GPU's memory and what falls on the node's, over the ranks that share it.
std::string shortage(const std::vector<MemoryRequirement>& requirements, const MemoryThere& there);

/// Asks this machine. Collective.
/// @param what the problem, as the message names it: "the grid 5x5x5"
/// @param remedy what would make it smaller: "a smaller --size"
/// @throws CollectiveFailure(Machine) with what is needed and what there is
void check_memory(const std::string& what, const std::string& remedy,
                  const std::vector<MemoryRequirement>& requirements, const Placement& placement,
                  const Communicator& communicator);

}  // namespace memstencil
