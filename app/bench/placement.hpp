// The placement of a run: where its arrays live and who computes, as the command line asks,
// resolved for this machine or refused.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/bench/memory_record.hpp"
#include "memory_spaces/memory_kind.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// As typed; what is not given and depends on the machine stays empty (see placement_of()).
struct PlacementOptions {
  MemorySpace memspace = MemorySpace::Device;
  bool memspace_auto = false;
  std::string why_memspace;  ///< --memspace auto chose `memspace`: plan_for_memspace()
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
  std::string why = {};  ///< --memspace auto chose the space; else empty

  MemoryKind kind() const { return {space, allocation, pages}; }
  /// Of the arrays that other ranks' GPUs may map.
  MemoryKind mapped_kind() const {
    return mapped_by_ranks && kept_in_pool(kind()) ? MemoryKind(space) : kind();
  }
};

/// @throws Failure(Machine) "OPTION: REASON" where there is a reason
void refuse(const std::string& option, const std::string& reason);

/// The GPU of a rank on a node with `count` GPUs: `asked` (--gpu), or the rank's number on its node
/// modulo the GPUs there; -1 without GPU.
/// @throws Failure(Machine) for a GPU that is not there
int gpu_of_rank(std::optional<int> asked, int count, int node_rank);

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

/// Selects the GPU of this rank, gpu_of_rank(), and asks. Collective.
/// @throws CollectiveFailure(Machine) for a GPU that is not there
Machine this_machine(std::optional<int> asked_gpu, const Communicator& communicator);

/// The options, with every default resolved. The GPU must have been selected; `ranks_of_gpu` share
/// it.
/// @throws Failure(Machine) for what this machine cannot serve
Placement placement_of(const PlacementOptions& options, int ranks_of_gpu);

/// For the record.
ExecutionRecord execution_of(Executor executor);
MemspaceRecord memspace_of(const Placement& placement);

/// The output of --list-memspaces for the selected GPU. Text and CSV: a line a space; JSON:
/// {memspaces: [{exec, memspace, kind, served, and effective and allocation, or reason}]}.
std::string memspace_list(Format format);

/// The spaces that --memspace auto tries, in this order, and the rule in words.
inline constexpr std::array automatic_spaces{MemorySpace::Device, MemorySpace::SystemAllocated,
                                             MemorySpace::HostPinned};
inline const std::string automatic_rule =
    "the first of device, system (with ATS) and host-pinned in which the run fits";

/// Refuses the space of these options where the rule of --memspace auto passes it over: a GPU
/// reaches system-allocated memory by faults alone where it has no ATS.
/// @throws Failure(Machine)
void check_automatic(const PlacementOptions& options);

/// The plan that `plan_for(options)` makes for the memory that the options name, or with
/// --memspace auto for the first of automatic_spaces in which the run fits: then
/// PlacementOptions::why_memspace says why. Collective, as plan_for.
/// @throws CollectiveFailure as plan_for; (Machine) with all reasons where no space of auto serves
template <class Options, class PlanFor>
auto plan_for_memspace(Options options, const Communicator& communicator, PlanFor&& plan_for) {
  if (!options.memspace_auto) return plan_for(options);
  std::string refused;
  for (const MemorySpace space : automatic_spaces) {
    options.memspace = space;
    options.why_memspace = automatic_rule + refused;
    try {
      collectively(communicator, [&] { check_automatic(options); });
      return plan_for(options);
    } catch (const CollectiveFailure& failure) {
      if (failure.code() != ExitCode::Machine) throw;  // another space would not mend it
      refused += fmt::format("; not {}: {}", name(space), failure.what());
    }
  }
  throw CollectiveFailure(ExitCode::Machine, "--memspace auto: " + (automatic_rule + refused));
}

/// What one rank cannot run, none can, so that all choose the same. `Offer` has a text `why_not`,
/// empty where it can run. Collective.
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
