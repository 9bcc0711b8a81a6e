// The options that all grid codes have.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/transport.hpp"
#include "app/grid/subdomain.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace memstencil {

/// As typed; an option that is not given and depends on the machine stays empty (see plan.hpp).
struct GridOptions : PlacementOptions {
  Triple extents{128, 128, 256};
  std::int64_t iterations = 100;
  std::optional<double> seconds;  ///< in place of iterations: a rehearsal finds their number
  int repeat = 1;
  std::optional<Executor> pre_touch;  ///< a pass of the GPU over pages that the host touched first
  std::optional<std::array<int, 3>> ranks;
  std::optional<Transport> halo;  ///< not given: auto
};

/// Each declares the options of a subject of --help, to be stored in `options` by parse(); a code
/// declares its own of that subject behind it.
/// @param bytes_of_point in all arrays together
void declare_problem(CommandLine& line, GridOptions& options, double bytes_of_point);
void declare_memory(CommandLine& line, GridOptions& options);
void declare_ranks(CommandLine& line, GridOptions& options);

/// Refuses combinations of options that mean nothing, on all ranks.
/// @throws CollectiveFailure(Usage)
void check_combinations(const GridOptions& options);

}  // namespace memstencil
