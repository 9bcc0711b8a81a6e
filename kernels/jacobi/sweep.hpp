// The sweeps of the Jacobi solver: their kinds, and making one.
#pragma once

#include "kernels/grid/sweep.hpp"
#include "kernels/jacobi/arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace memstencil::jacobi {

/// Its sums are gosa of each sweep.
template <class Exec>
using Sweep = memstencil::Sweep<Exec, Pass>;

/// A kind of sweep: sweeps of the same kind do the same work in the same order.
struct SweepKind {
  enum class Method {
    Single,   ///< each sweep is a pass of its own
    Fused,    ///< tiles stay in cache or shared memory for all sweeps of a pass
    Streamed  ///< slabs of arrays behind a link pass through a window in the device's memory
  };

  Method method = Method::Single;
  int sweeps = 1;  ///< made by one pass
  std::string
      tile;  ///< tells kinds of the same sweeps apart: "128x2x8", "rows"; empty: the first of them

  bool operator==(const SweepKind&) const = default;
};

/// Bytes of a device's memory that two sweeps of any kind keep the sums of their tiles in, about at
/// most: of 32 passes, a double a tile of 1024 points or more (tile_sums.hpp).
inline double device_bytes_of_sums(const Grid& grid) {
  constexpr double most = double{1 << 26}, a_point = 32.0 * sizeof(double) / 1024;
  return 2.0 * std::min(most, a_point * static_cast<double>(grid.owned.points()));
}

/// Bytes of a host's memory that fused sweeps keep the rows between them in, those of all threads
/// that Kokkos has or will start with. None for so large a grid that no memory holds its arrays.
double host_bytes_of_rows(const Grid& grid, int sweeps);

/// As the command line names it: "single", "temporal:3".
std::string name(const SweepKind& kind);

struct OfferedSweep {
  SweepKind kind;
  std::string refused;  ///< why it cannot run this grid here; empty: it can

  bool operator==(const OfferedSweep&) const = default;
};

/// Every kind of sweep of an execution space, which need not have started. The first is the single
/// sweep as it runs by default and is never refused; the first of each other number of sweeps is
/// the one that temporal:T takes where it is not refused.
/// @param window_bytes memory of the executor's own that sweeps may take where the arrays lie
///        behind a link; 0 where they do not
template <class Exec>
std::vector<OfferedSweep> sweeps_offered(const Grid& grid, std::size_t window_bytes = 0);

/// @param kind one that is offered for this grid and window, and not refused
/// @param edges_first Yes and Soonest split a sweep that can be split, or let it tell of its edges
///        early, where other ranks have neighbours of its points
/// @throws std::invalid_argument for one that is not offered
template <class Exec>
std::unique_ptr<Sweep<Exec>> make_sweep(const Exec& exec, const Grid& grid, const SweepKind& kind,
                                        std::size_t window_bytes = 0,
                                        EdgesFirst edges_first = EdgesFirst::No);

}  // namespace memstencil::jacobi
