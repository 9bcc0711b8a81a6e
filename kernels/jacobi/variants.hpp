// Every sweep that an execution space has for a grid: the kinds and tiles that --sweep, --tune and the
// trial of --sweep auto choose from.
#pragma once

#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace memstencil::jacobi {

struct Variant {
  int sweeps;           ///< fused in a pass; 1: the single sweep
  std::string tile;     ///< what distinguishes it from others of its kind
  std::string refused;  ///< why it cannot run this grid here; empty: it can
  std::function<std::unique_ptr<Sweep>(const Grid&)> make;
};

/// The first is the single sweep as it runs by default and is never refused; the first of each other
/// number of sweeps is the one that temporal:T takes where it is not refused.
/// @param window_bytes memory of the executor's own that sweeps may take where the arrays lie behind a
///        link; 0 where they do not
template <class Exec>
std::vector<Variant> variants(const Grid& grid, std::size_t window_bytes = 0);

}  // namespace memstencil::jacobi
