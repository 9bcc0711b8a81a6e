// The data of one rank's sweep: local extents, boxes of points, and pointers to the 14 arrays.
#pragma once

#include "kernels/portable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace memstencil::jacobi {

/// Half-open box of local indices [lo, hi) in the order i, j, k.
struct Box {
  std::int64_t lo[3];
  std::int64_t hi[3];

  bool empty() const { return hi[0] <= lo[0] || hi[1] <= lo[1] || hi[2] <= lo[2]; }
  std::int64_t points() const {
    return empty() ? 0 : (hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]);
  }
};

/// `box` grown by `width` on every side, and no further than `limits`.
inline Box grown(const Box& box, std::int64_t width, const Box& limits) {
  Box out{};
  for (int d = 0; d < 3; ++d) {
    out.lo[d] = box.lo[d] - width > limits.lo[d] ? box.lo[d] - width : limits.lo[d];
    out.hi[d] = box.hi[d] + width < limits.hi[d] ? box.hi[d] + width : limits.hi[d];
  }
  return out;
}

/// Floats from one row (fixed i, j) to the next: K rounded up to whole 128-byte lines, so that
/// element k of every row has the alignment of element k of the first.
constexpr std::int64_t row_pitch(std::int64_t k_extent) { return (k_extent + 31) / 32 * 32; }

/// One rank's problem. All arrays are extents[0] x extents[1] rows of `pitch` floats, of which the
/// first extents[2] are points. Points outside `interior` never change (the fixed boundary of the
/// whole grid); `owned` are the points this rank answers for, and whose residuals it sums.
/// On one rank owned == interior. Points of `interior` outside `owned` are halo: with a halo of
/// width T their p is valid before a pass of T sweeps, and the coefficients are valid everywhere.
struct Grid {
  std::int64_t extents[3];
  std::int64_t pitch;
  Box interior;
  Box owned;

  /// Offset of the element (i, j, 0).
  MEMSTENCIL_FUNCTION std::size_t row(std::int64_t i, std::int64_t j) const {
    return (static_cast<std::size_t>(i) * static_cast<std::size_t>(extents[1]) +
            static_cast<std::size_t>(j)) *
           static_cast<std::size_t>(pitch);
  }
  std::size_t floats() const {
    return static_cast<std::size_t>(extents[0]) * static_cast<std::size_t>(extents[1]) *
           static_cast<std::size_t>(pitch);
  }
};

/// The arrays of the original in the order of their ids: a0..a3, b0..b2, c0..c2, wrk1, p, bnd.
enum ArrayId { A0, A1, A2, A3, B0, B1, B2, C0, C1, C2, WRK1, P, BND, array_count };

/// All of them but p.
inline constexpr int coefficient_count = array_count - 1;

/// How the coefficients lie in memory: as twelve arrays, which is the original's way, or packed,
/// one after the other for each eight points: [i][j][k/8][12][8], in the order of ArrayId. The rows
/// of Grid stay as they are, with a pitch that is a multiple of eight. Eight floats are a sector of
/// a GPU's memory, half a line of a host's.
enum class Layout { Arrays, Packed };
inline constexpr std::array all_layouts{Layout::Arrays, Layout::Packed};
constexpr std::string_view name(Layout layout) {
  return layout == Layout::Packed ? "packed" : "arrays";
}

inline constexpr int packed_points = 8;

/// Where float n of an array (Grid::row() + k) lies, counted from the array's first.
template <Layout layout>
MEMSTENCIL_FUNCTION constexpr std::size_t coefficient_offset(std::size_t n) {
  if constexpr (layout == Layout::Packed)
    return coefficient_count * (n - n % packed_points) + n % packed_points;
  else
    return n;
}
MEMSTENCIL_FUNCTION constexpr std::size_t coefficient_offset(Layout layout, std::size_t n) {
  return layout == Layout::Packed ? coefficient_offset<Layout::Packed>(n) : n;
}

/// Read-only data of a sweep: the first float of each array. All are read at every updated point:
/// 12 floats, p makes 13.
struct Coefficients {
  const float *a0, *a1, *a2, *a3, *b0, *b1, *b2, *c0, *c1, *c2, *wrk1, *bnd;
  Layout layout = Layout::Arrays;
};

/// Coefficients of which each begins `step` floats after the one before.
inline Coefficients coefficients_from(const float* first, std::size_t step, Layout layout) {
  const auto at = [=](std::size_t n) { return first + n * step; };
  return {at(0), at(1), at(2), at(3),  at(4),  at(5), at(6),
          at(7), at(8), at(9), at(10), at(11), layout};
}
/// Those that are packed from `first` on.
inline Coefficients packed_coefficients(const float* first) {
  return coefficients_from(first, packed_points, Layout::Packed);
}

/// Their first floats, in the order of ArrayId.
inline std::array<const float*, coefficient_count> pointers(const Coefficients& c) {
  return {c.a0, c.a1, c.a2, c.a3, c.b0, c.b1, c.b2, c.c0, c.c1, c.c2, c.wrk1, c.bnd};
}

/// All 13 arrays by ArrayId.
using ArrayList = std::array<const float*, array_count>;

/// The arrays of one rank. A pass reads p and writes p_next; then these two change places.
struct Arrays {
  Coefficients coefficients;
  float* p;
  float* p_next;
};

/// The arrays by their ids, with the p that a pass reads.
inline ArrayList array_list(const Coefficients& c, const float* p) {
  return {c.a0, c.a1, c.a2, c.a3, c.b0, c.b1, c.b2, c.c0, c.c1, c.c2, c.wrk1, p, c.bnd};
}

inline constexpr float omega = 0.8F;
/// Fewest bytes a point and sweep: 13 floats read, one written.
inline constexpr double bytes_per_point = 56.0;
/// The original's count of operations a point and sweep.
inline constexpr double flops_per_point = 34.0;

}  // namespace memstencil::jacobi
