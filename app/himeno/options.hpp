// himeno's command line, as a struct.
#pragma once

#include "app/grid/options.hpp"
#include "kernels/jacobi/arrays.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace memstencil::himeno {

/// --sweep: `single`, `temporal:T` (T sweeps fused into one pass), or `auto`.
struct SweepChoice {
  int sweeps = 1;          ///< sweeps a pass
  bool automatic = false;  ///< a short trial chooses
  std::string tile = {};   ///< one tile alone, as the trial names it; empty: the first that can run
};

/// @throws std::invalid_argument saying what is valid
SweepChoice parse_sweep_choice(const std::string& text);
std::string name(const SweepChoice& choice);

/// --layout: `arrays` or `packed`; for `auto` nothing.
/// @throws std::invalid_argument saying what is valid
std::optional<jacobi::Layout> parse_layout(const std::string& text);

/// --coefficients: `standard`, or `random:SEED`.
std::string coefficients_name(const std::optional<std::uint64_t>& seed);

/// As typed.
struct Options : GridOptions {
  /// Of the coefficients; without one a short trial chooses.
  std::optional<jacobi::Layout> layout = jacobi::Layout::Arrays;
  std::optional<std::uint64_t> seed;
  SweepChoice sweep;
  bool tune = false;
  bool save_field = false;
  bool gosa_history = false;

  /// Does a trial choose what is left open?
  bool asks_trial() const { return tune || sweep.automatic || !layout; }
};

/// Declares himeno's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

/// Refuses combinations of options that mean nothing, on all ranks.
/// @throws CollectiveFailure(Usage)
void refuse_combinations(const Options& options, const CommonOptions& common);

}  // namespace memstencil::himeno
