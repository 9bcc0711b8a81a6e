// The plan of a run: all that the options leave open is decided for this machine, or refused.
#pragma once

#include "app/grid/plan.hpp"
#include "app/himeno/options.hpp"
#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// Made by make_plan(), and never changed.
struct Plan : GridPlan {
  Options options;  ///< that it was made from
  /// Of the coefficients; with auto arrays, until a trial has chosen another plan.
  jacobi::Layout layout{};
  /// With --sweep auto the single sweep, until a trial has chosen another plan.
  jacobi::SweepKind sweep;
  /// Of device memory, for sweeps of arrays behind a link; 0 where they are not behind one.
  std::size_t window_bytes = 0;
  std::string note;  ///< on a choice that the user may not expect; may be empty

  /// Arrays of each allocation: the coefficients come first.
  std::vector<std::size_t> widths() const;
  CodeMemory memory() const;
};

/// For temporal:T the plan has the first tile that all ranks can run, and where the grid is the
/// obstacle the single sweep and a note. Kokkos need not have started. Collective.
/// @throws CollectiveFailure(Machine) for what this machine cannot do, or (Usage)
Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator);

/// The kinds of sweep of the plan's executor; what one rank cannot run is
/// refused on all. Collective.
std::vector<jacobi::OfferedSweep> sweeps_offered(const Plan& plan,
                                                 const Communicator& communicator);

/// Bytes of the arrays of one rank: 13 arrays and the second p.
double field_bytes(const Grid& grid);

/// Of one rank. With --save-field the copy of p is among them.
std::vector<Requirement> memory_requirements(const Plan& plan);
/// Collective. @throws CollectiveFailure(Machine) where there is less memory than the plan takes
void require_memory(const Plan& plan, const Communicator& communicator);

}  // namespace memstencil::himeno
