// The plan of a run: all that the options leave open is decided for this machine, or refused.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/memory_check.hpp"
#include "app/bench/placement.hpp"
#include "app/himeno/options.hpp"
#include "app/himeno/problem.hpp"
#include "kernels/jacobi/initialise.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// Made by make_plan(), and never changed.
struct Plan {
  Options options;  ///< that it was made from
  Placement placement;
  Placement placement_of_p;  ///< the same
  Subdomain part;
  int ranks_of_node = 1;  ///< on the node that has fewest
  /// Of the coefficients; with auto arrays, until a trial has chosen another plan.
  jacobi::Layout layout{};
  MessagePath halo;  ///< any but Auto
  jacobi::SweepKind
      sweep;  ///< with --sweep auto the single sweep, until a trial has chosen another plan
  std::size_t
      window_bytes;      ///< of device memory for sweeps of arrays behind a link; 0: they are not
  std::string division;  ///< how the ranks were chosen; empty where --ranks says, or for one
  std::string note;      ///< on a choice that the user may not expect; may be empty

  Executor executor() const { return placement.executor; }
  /// Does the executor contract multiply and add?
  bool fma() const { return executor() == Executor::Device; }
  jacobi::Filling filling() const { return himeno::filling(part, options.seed); }
};

/// For temporal:T the plan has the first tile that all ranks can run, and where the grid is the
/// obstacle the single sweep and a note. Kokkos need not have started. Collective.
/// @throws CollectiveFailure(Machine) for what this machine cannot do, or (Usage)
Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator);

/// The kinds of sweep of the plan's executor; what one rank cannot run is
/// refused on all. Collective.
std::vector<jacobi::OfferedSweep> sweeps_offered(const Plan& plan,
                                                 const Communicator& communicator);

/// Of one rank: the arrays, the host's side of device memory, the halo's messages, what is
/// kept of every sweep, and with --save-field the copy of p. With --seconds the sweeps are
/// not known yet, and are left out.
std::vector<Requirement> memory_requirements(const Plan& plan);
/// For what is kept of so many sweeps: gosa and time, the numbers in the record, and these as text.
std::vector<Requirement> requirements_of_sweeps(const Plan& plan, std::int64_t sweeps);
/// Collective. @throws CollectiveFailure(Machine) where there is less memory than the plan takes
void require_memory(const Plan& plan, const Communicator& communicator);

}  // namespace memstencil::himeno
