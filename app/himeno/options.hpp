// himeno's command line, as a struct.
#pragma once

#include "app/grid/options.hpp"
#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstdint>
#include <optional>
#include <string>

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

}  // namespace memstencil::himeno
