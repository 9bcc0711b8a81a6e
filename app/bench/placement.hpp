// The placement of a run: the memory of its arrays and the processor that computes, as the command
// line asks, resolved for this machine or refused.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/memory_record.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// As typed; an option that is not given and depends on the machine stays empty: placement_of().
struct PlacementOptions {
  MemorySpace memspace = MemorySpace::Device;
  bool oversubscribe = false;
  std::optional<Executor> executor;
  std::optional<int> gpu;
  std::optional<Executor> first_touch;
  bool prefetch = false;
  Advice advice = Advice::None;
  Allocation allocation = Allocation::Default;
  std::optional<Pages> pages;  ///< not given: as usual for the allocation
  bool list_memspaces = false;

  MemoryKind kind() const {
    return {memspace, allocation, pages.value_or(MemoryKind::usual_pages(allocation))};
  }
};

/// Declares --memspace --allocation --oversubscribe --exec --gpu --first-touch --prefetch --advise
/// --pages --list-memspaces on the command line, to be stored in `options` by parse().
void declare_placement_options(CommandLine& line, PlacementOptions& options);

struct Placement {
  MemorySpace space;
  Allocation allocation = Allocation::Default;
  Pages pages;
  Advice advice;
  bool prefetch;
  Executor first_touch;
  Executor executor;           ///< who computes
  int ranks_of_gpu = 1;        ///< that compute on this rank's GPU, itself included
  bool oversubscribe = false;  ///< may managed memory exceed what the GPU has free?
  /// Do other ranks' GPUs map arrays? These then do not lie in a pool, which they cannot map.
  bool mapped_by_ranks = false;
  int ranks = 1;  ///< of the run

  MemoryKind kind() const { return {space, allocation, pages}; }
  /// The kind of arrays that other ranks' GPUs may map.
  MemoryKind mapped_kind() const {
    return mapped_by_ranks && kept_in_pool(kind()) ? MemoryKind(space) : kind();
  }
};

/// @throws Failure(Machine) "OPTION: REASON" if there is a reason
void refuse(const std::string& option, const std::string& reason);

/// The GPU of a rank on a node with `count` GPUs: `asked` (--gpu), or the rank's number on its node
/// modulo the GPUs there; -1 without GPU.
/// @throws Failure(Machine) for a GPU that is not there
int gpu_of_rank(std::optional<int> asked, int count, int node_rank);

/// Ranks that compute on the same GPU as this one, itself included, by the GPUs' own identifiers:
/// a rank may see one of its node's GPUs alone. `gpu` is GpuFacts::uuid. Collective.
int ranks_of_gpu(const Communicator& communicator, const std::string& gpu);

/// GPUs that the ranks compute on together, or nodes whose cores do. Collective.
int processors(const Placement& placement, const Communicator& communicator);

/// Facts of this machine that plans are made from, each asked for once.
struct Machine {
  int gpu = -1;               ///< that this rank uses; -1: there is none
  int ranks_of_gpu = 1;       ///< that compute on it, this one included
  std::size_t gpu_bytes = 0;  ///< free there for each of these ranks; of all GPUs the least
};

/// Selects the GPU of this rank, gpu_of_rank(), and asks. Collective.
/// @throws CollectiveFailure(Machine) for a GPU that is not there
Machine this_machine(std::optional<int> asked_gpu, const Communicator& communicator);

/// The options, with every default resolved. The GPU must have been selected; `ranks_of_gpu` share
/// it.
/// @throws Failure(Machine) for options that this machine cannot serve
Placement placement_of(const PlacementOptions& options, int ranks_of_gpu);

/// For the record.
ExecutionRecord execution_of(Executor executor);
MemspaceRecord memspace_of(const Placement& placement);

/// The output of --list-memspaces for the selected GPU. Text: a line a space; JSON:
/// {memspaces: [{exec, memspace, kind, served, and effective and allocation, or reason}]}.
std::string memspace_list(Format format);

/// An offer that one rank cannot run gets a reason on all, so that all choose the same. `Offer` has
/// a text `why_not`, empty if it can run. Collective.
template <class Offer>
void share_why_not(std::vector<Offer>& offers, const Communicator& communicator) {
  std::vector<double> cannot;
  for (const Offer& each : offers) cannot.push_back(each.why_not.empty() ? 0.0 : 1.0);
  // Not as a vector: nvcc 13 does not see that it is a range here.
  communicator.maximum({cannot.data(), cannot.size()});
  for (std::size_t n = 0; n < offers.size(); ++n)
    if (cannot[n] > 0.0 && offers[n].why_not.empty())
      offers[n].why_not = "another rank cannot run it";
}

}  // namespace memstencil
