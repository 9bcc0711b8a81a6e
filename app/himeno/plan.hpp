// himeno's command line, as a struct; and the plan of a run: all that the options leave open is
// decided for this machine, or refused.
#pragma once

#include "app/grid/plan.hpp"
#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// --sweep: NAME[:T][:TILE], T sweeps fused into one pass, or `auto`, which a trial answers.
/// @throws std::invalid_argument that says which are valid
jacobi::SweepKind parse_sweep(const std::string& text);

/// --coefficients: `standard`, or `random:SEED`.
std::string coefficients_name(const std::optional<std::uint64_t>& seed);

/// The options that other grid codes do not have.
struct HimenoOptions {
  jacobi::Layout layout = jacobi::Layout::Arrays;  ///< of the coefficients
  std::optional<std::uint64_t> seed;
  jacobi::SweepKind sweep;  ///< which one is asked for
  bool save_field = false;

  /// Does a trial of all kinds choose the sweep?
  bool sweep_auto() const { return sweep.name == "auto"; }
};

/// As typed.
struct Options : GridOptions, HimenoOptions {};

/// Declares himeno's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

/// Refuses combinations of options that mean nothing, on all ranks.
/// @throws CollectiveFailure(Usage)
void check_combinations(const Options& options, const CommonOptions& common);

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

}  // namespace memstencil::himeno
