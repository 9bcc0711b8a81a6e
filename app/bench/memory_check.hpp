// The check that there is enough memory for a run, before anything is allocated.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/placement.hpp"

#include <functional>
#include <limits>
#include <map>
#include <string>

namespace memstencil {

/// Bytes that one rank will allocate.
using Requirements = std::map<Memory, double>;

/// Remedies for a user: a smaller problem ("a smaller --size"), or the arrays in the other memory
/// of a machine with a GPU.
struct Remedies {
  std::string problem, other_memory = "another --memspace";
};

/// The memory of a node, and the ranks that share it.
struct MemoryThere {
  double host = 0, gpu = 0;  ///< bytes available on this node, and on this rank's GPU
  int ranks_of_node = 1, ranks_of_gpu = 1;
  bool oversubscribe = false;  ///< bytes beyond the GPU's memory take the host's
  bool may_exceed = false;     ///< could it?
  bool gpu_computes = false;   ///< on whichever of the memories
  /// That a rank may still map (ulimit -v).
  double of_process = std::numeric_limits<double>::infinity();
  std::string host_limit = {};  ///< path of the control group's file that sets `host`, or empty
  /// A word on the GPU's memory, for a refusal: the page cache that lies there; or nothing.
  std::function<std::string()> note = [] { return std::string(); };
};

/// The lack of one of the memories, "needs 80 GB of the GPU's memory, and ...", or empty.
std::string shortage(Requirements requirements, const MemoryThere& there);

/// The remedies of which each alone helps a problem that does not fit.
std::string what_helps(const Remedies& remedies, const Requirements& requirements,
                       const MemoryThere& there);

/// Asks this machine. Collective.
/// @param what the problem as the message names it: "the grid 5x5x5"
/// @throws CollectiveFailure(Machine) with the memory needed, the memory there, and what_helps()
void check_memory(const std::string& what, const Remedies& remedies,
                  const Requirements& requirements, const Placement& placement,
                  const Communicator& communicator);

}  // namespace memstencil
