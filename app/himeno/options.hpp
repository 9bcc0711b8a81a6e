// himeno's command line, as a struct.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/bench/message_path.hpp"
#include "app/bench/placement_options.hpp"
#include "app/himeno/problem.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

/// As typed; what is not given and depends on the machine stays empty (see plan.hpp).
struct Options : PlacementOptions {
  Triple extents{128, 128, 256};
  std::int64_t iterations = 100;
  std::optional<double> seconds;  ///< instead of iterations: the original's rehearsal chooses them
  int repeat = 1;
  /// Of the coefficients; without one a short trial chooses.
  std::optional<jacobi::Layout> layout = jacobi::Layout::Arrays;
  bool pre_touch = false;  ///< a pass of the GPU over pages that the host touched first
  std::optional<std::uint64_t> seed;
  std::optional<std::array<int, 3>> ranks;
  MessagePath halo = MessagePath::Auto;
  SweepChoice sweep;
  bool tune = false;
  bool save_field = false;
  bool gosa_history = false;

  /// Does a trial choose what is left open?
  bool asks_trial() const { return tune || sweep.automatic || !layout; }
};

/// Declares himeno's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

}  // namespace memstencil::himeno
