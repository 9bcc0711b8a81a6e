// The plan of a run: all that the options leave open is decided for this machine, or refused.
#pragma once

#include "app/grid/plan.hpp"
#include "app/himeno/options.hpp"
#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <vector>

namespace memstencil::himeno {

/// Made by make_plan(), and never changed.
struct Plan : GridPlan {
  HimenoOptions own;  ///< that it was made from, too
  /// With --sweep auto the single sweep, until a trial has chosen another plan.
  jacobi::SweepOffer sweep;

  /// Arrays of each allocation: the coefficients come first.
  std::vector<std::size_t> widths() const;
  ProblemMemory memory() const;
};

/// The plan has the first sweep that answers --sweep and that all ranks can run. Kokkos need not
/// have started. Collective.
/// @throws CollectiveFailure(Machine) for a plan that this machine cannot follow, or (Usage)
Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator);

/// The kinds of sweep that the plan's executor offers for its grid, the same on all ranks.
/// Collective.
std::vector<jacobi::SweepOffer> sweep_offers(const GridPlan& plan, const Machine& machine,
                                             const Communicator& communicator);

/// Bytes of the arrays of one rank: 13 arrays and the second p.
double field_bytes(const Grid& grid);

/// One rank's. With --save-field the copy of p is among them.
std::vector<Requirement> memory_requirements(const Plan& plan);
/// Collective. @throws CollectiveFailure(Machine) if there is less memory than the plan takes
void require_memory(const Plan& plan, const Communicator& communicator);

}  // namespace memstencil::himeno
