// From options and this machine to a placement, a GPU, and where
// messages are sent from; or why not.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/placement_options.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace memstencil {

/// @throws Failure(Machine) "OPTION: REASON" where there is a reason
void refuse(const std::string& option, const std::string& reason);

/// The GPU of a rank on a node with `count` GPUs: `asked` (--gpu), or the rank's number on its node
/// modulo the GPUs there; -1 without GPU.
/// @throws Failure(Machine) for a GPU that is not there
int gpu_of_rank(std::optional<int> asked, int count, int node_rank);

/// Selects the GPU of this rank, gpu_of_rank(), and says which. Collective.
/// @throws CollectiveFailure(Machine) for a GPU that is not there
int use_gpu(std::optional<int> asked, const Communicator& communicator);

/// Ranks that compute on the same GPU as this one, itself included, by the GPUs' own identifiers:
/// what a rank sees of its node's GPUs may be one alone. `gpu` is GpuFacts::uuid. Collective.
int ranks_of_gpu(const Communicator& communicator, const std::string& gpu);

/// GPUs that the ranks compute on together, or nodes whose cores do. Collective.
int processors(const Placement& placement, const Communicator& communicator);

/// Facts of this machine that plans are made from, each asked for once.
struct Machine {
  int gpu = -1;               ///< that this rank uses; -1: there is none
  int ranks_of_gpu = 1;       ///< that compute on it, this one included
  std::size_t gpu_bytes = 0;  ///< free there for each of these ranks; of all GPUs the least
};

/// Selects the GPU as use_gpu() does, and asks. Collective. @throws as use_gpu
Machine this_machine(std::optional<int> asked_gpu, const Communicator& communicator);

/// The options, --memspace auto resolved by the caller, with every default resolved. The GPU must
/// have been selected; `ranks_of_gpu` share it.
/// @throws Failure(Machine) for what this machine cannot serve
Placement place(const PlacementOptions& options, int ranks_of_gpu);

/// The memory in which the executor's kernels pack messages: its own memory, or
/// host-pinned memory for staged ones.
MemorySpace message_space(Executor executor, bool direct);

}  // namespace memstencil
