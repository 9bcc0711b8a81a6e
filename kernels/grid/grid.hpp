// Part of a grid of points: local extents, boxes of points, and how rows lie in memory.
#pragma once

#include "kernels/portable.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace memstencil {

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

/// Elements from one row (fixed i, j) to the next: K rounded up to whole 128-byte lines of floats
/// (256 bytes of doubles), so that element k of every row has the alignment of element k of the
/// first.
constexpr std::int64_t row_pitch(std::int64_t k_extent) { return (k_extent + 31) / 32 * 32; }

/// One rank's problem. All arrays are extents[0] x extents[1] rows of `pitch` elements, of which
/// the first extents[2] are points. Points outside `interior` never change (the fixed boundary of
/// the whole grid); `owned` are the points this rank answers for, and whose residuals it sums. On
/// one rank owned == interior. Points of `interior` outside `owned` are halo: with a halo of width
/// T their p is valid before a pass of T sweeps, and the coefficients are valid everywhere.
struct Grid {
  std::int64_t extents[3];
  std::int64_t pitch;
  Box interior;
  Box owned;

  Box all() const { return {{0, 0, 0}, {extents[0], extents[1], extents[2]}}; }
  /// Offset of the element (i, j, 0).
  MEMSTENCIL_FUNCTION std::size_t row(std::int64_t i, std::int64_t j) const {
    return (static_cast<std::size_t>(i) * static_cast<std::size_t>(extents[1]) +
            static_cast<std::size_t>(j)) *
           static_cast<std::size_t>(pitch);
  }
  std::size_t elements() const {
    return static_cast<std::size_t>(extents[0]) * static_cast<std::size_t>(extents[1]) *
           static_cast<std::size_t>(pitch);
  }
  /// The same before the check of memory: 64 bits may not count them.
  double elements_wanted() const {
    return static_cast<double>(extents[0]) * static_cast<double>(extents[1]) *
           static_cast<double>(pitch);
  }
};

/// A rank's place in the whole grid, and the values that fill its arrays.
struct Filling {
  std::int64_t global[3];             ///< extents I, J, K of the whole grid
  std::int64_t origin[3];             ///< global index of the local point (0, 0, 0)
  std::optional<std::uint64_t> seed;  ///< of random values; nothing: those that a run starts from
};

}  // namespace memstencil
