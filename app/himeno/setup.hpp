// From options and this machine to a run: executor, GPU, placement, part of the grid; or why not.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/gpu_exchange.hpp"
#include "app/himeno/options.hpp"
#include "app/himeno/problem.hpp"
#include "app/placement/placement.hpp"
#include "kernels/jacobi/initialise.hpp"
#include "kernels/jacobi/variants.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// The options with every default resolved for this machine.
struct Setup {
  Options options;
  Placement placement;       ///< of the coefficients; who computes is the same for all arrays
  Placement placement_of_p;  ///< the same, but where --place puts p elsewhere
  Subdomain part;
  HaloPath halo;             ///< Device, Staged or Nccl
  bool fma;                  ///< does the executor contract multiply and add?
  std::size_t window_bytes;  ///< of device memory for sweeps of arrays behind a link; 0: they are not
  std::size_t variant;       ///< which of the executor's variants of the sweep
  std::string note;          ///< what the user should know of a choice made here; may be empty
  /// Where NCCL carries messages: there from connect() on (halo_choice.hpp).
  std::shared_ptr<GpuExchange> gpu_exchange;
};

/// Resolves, and refuses what this machine cannot do. The GPU must have been selected; `ranks_of_gpu` share
/// it.
/// @throws Failure(Machine) or Failure(Usage)
Setup set_up(const Options& options, const Communicator& communicator, int ranks_of_gpu);

/// The sweep that --sweep names: for temporal:T the first variant of T sweeps that all ranks can run, and
/// where the grid is the obstacle the single sweep and a note. Collective: ranks must not choose apart.
/// @throws CollectiveFailure(Machine) for a T that is not built for this executor
void choose_sweep(Setup& setup, const Communicator& communicator);

/// The executor's variants; what one rank cannot run is refused on all. Collective.
std::vector<jacobi::Variant> variants_of(const Setup& setup, const Communicator& communicator);

/// The same with the halo of the widest sweep of this executor that the ranks' blocks can have: for a
/// trial of all of them.
Setup widened(const Setup& setup, const Communicator& communicator);

/// The same with the sweep that a trial chose.
Setup with_variant(const Setup& setup, std::size_t variant, int sweeps, const Communicator& communicator);

/// What the arrays are filled with.
jacobi::Filling filling_of(const Setup& setup);

}  // namespace memstencil::himeno
