// himeno's command line, as a struct.
#pragma once

#include "app/common/options.hpp"
#include "app/himeno/group_spaces.hpp"
#include "app/himeno/halo_path.hpp"
#include "app/himeno/problem.hpp"
#include "app/himeno/sweep_kind.hpp"
#include "app/placement/placement_options.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace memstencil::himeno {

/// As typed; what is not given and depends on the machine stays empty (see setup.hpp).
struct Options : PlacementOptions {
  Triple extents{128, 128, 256};
  std::int64_t iterations = 100;
  std::optional<double> seconds;  ///< instead of iterations: the original's rehearsal chooses them
  int repeat = 1;
  GroupSpaces place;
  std::optional<std::uint64_t> seed;
  std::optional<std::array<int, 3>> ranks;
  HaloPath halo = HaloPath::Auto;
  SweepKind sweep;
  bool tune = false;
  bool save_field = false;
  bool gosa_history = false;
  bool list_memspaces = false;
};

/// Declares himeno's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

}  // namespace memstencil::himeno
