// The data of one rank's sweep: local extents, boxes of points, and pointers to the 14 arrays.
#pragma once

#include "kernels/portable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

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

inline constexpr std::array<const char*, array_count> array_names{
    "a0", "a1", "a2", "a3", "b0", "b1", "b2", "c0", "c1", "c2", "wrk1", "p", "bnd"};

/// Read-only data of a sweep. All are read at every updated point: 12 floats, p makes 13.
struct Coefficients {
  const float *a0, *a1, *a2, *a3, *b0, *b1, *b2, *c0, *c1, *c2, *wrk1, *bnd;
};

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
