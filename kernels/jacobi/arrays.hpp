// The 14 arrays of the Jacobi solver: their order, the layouts of the coefficients, pointers to
// them, and their first values.
#pragma once

#include "kernels/grid/grid.hpp"
#include "kernels/portable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace memstencil::jacobi {

/// The arrays of the original in the order of their ids: a0..a3, b0..b2, c0..c2, wrk1, p, bnd.
enum ArrayId { A0, A1, A2, A3, B0, B1, B2, C0, C1, C2, WRK1, P, BND, array_count };

/// All of them but p.
inline constexpr int coefficient_count = array_count - 1;

/// The order of the coefficients in memory: as twelve arrays, which is the original's way, or, for
/// fused sweeps in device memory, packed, one after the other for each eight points:
/// [i][j][k/8][12][8], in the order of ArrayId. The rows of Grid stay as they are, with a pitch
/// that is a multiple of eight. Eight floats are a sector of a GPU's memory.
enum class Layout { Arrays, Packed };
inline constexpr std::array all_layouts{Layout::Arrays, Layout::Packed};
constexpr std::string_view name(Layout layout) {
  return layout == Layout::Packed ? "packed" : "arrays";
}

inline constexpr int packed_points = 8;

/// The place of float n of an array (Grid::row() + k) among packed coefficients, counted from the
/// array's first.
MEMSTENCIL_FUNCTION constexpr std::size_t coefficient_offset(std::size_t n) {
  return coefficient_count * (n - n % packed_points) + n % packed_points;
}

/// Read-only data of a sweep: the first float of each array, in the order of ArrayId. All are read
/// at every updated point: 12 floats, p makes 13. (No std::array: device code cannot index one.)
struct Coefficients {
  const float* arrays[coefficient_count];
  Layout layout = Layout::Arrays;

  Coefficients() = default;
  /// Each begins `step` floats after the one before.
  Coefficients(const float* first, std::size_t step, Layout how) : layout(how) {
    for (const float*& array : arrays) array = std::exchange(first, first + step);
  }
};

/// Those that are packed from `first` on.
inline Coefficients packed_coefficients(const float* first) {
  return {first, packed_points, Layout::Packed};
}

/// A ring of planes in memory: local plane i lies at plane first + i of `planes`, the first after
/// the last.
struct PlaneRing {
  std::int64_t first = 0;
  std::int64_t planes = 0;  ///< 0: no ring, plane i lies at i
};

/// One pass over the grid: `p` is read, `p_next` gets the result of all sweeps of the pass in the
/// owned points; its other points are left as they are, or (fixed boundary and pad, on a host that
/// writes whole lines) get the value they have in `p`.
struct Pass {
  Grid grid;
  Coefficients coefficients;
  const float* p;
  float* p_next;
  PlaneRing ring = {};  ///< that all arrays lie in; for kernels of streamed sweeps
};

/// The arrays of one rank. A pass reads p and writes p_next; then these two change places.
struct Arrays {
  using Value = float;
  using Pass = jacobi::Pass;
  Pass pass(const Grid& grid) const { return {grid, coefficients, p, p_next}; }

  Coefficients coefficients;
  float* p;
  float* p_next;
};

/// Writes every element of `data` (whole rows, the pad with zeros): a kernel of `exec`, which so
/// touches the pages first. Standard values (no seed) are the original's; random ones value + 0.01
/// (u - 0.5) with u from splitmix64 of seed, array and global index, so independent of the
/// decomposition, and obstacles (bnd = 0) at 2% of the points.
template <class Exec>
void initialise(const Exec& exec, const Grid& grid, const Filling& filling, ArrayId array,
                float* data);

/// The same for all coefficients at once, packed (Layout::Packed).
template <class Exec>
void initialise_packed(const Exec& exec, const Grid& grid, const Filling& filling, float* data);

inline constexpr float omega = 0.8F;
/// Fewest bytes a point and sweep: 13 floats read, one written.
inline constexpr double bytes_per_point = 56.0;
/// The original's count of operations a point and sweep.
inline constexpr double flops_per_point = 34.0;

}  // namespace memstencil::jacobi
