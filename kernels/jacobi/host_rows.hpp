// One row of one Jacobi sweep on a host core: the SIMD loop over k that every host sweep calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/host_stores.hpp"
#include "kernels/jacobi/arrays.hpp"

namespace memstencil::jacobi {

/// The rows that the update of row (i, j) reads. Every pointer is at k = 0 of its row; the rows of
/// p may lie in different arrays (a fused sweep keeps intermediate planes in rings).
struct RowInputs {
  const float* p[3][3];  ///< rows of p at i-1, i, i+1 (first index) and j-1, j, j+1 (second)
  Coefficients coefficients;
};

/// The inputs of row (i, j) if all of p is one array.
RowInputs row_inputs(const Grid& grid, const Coefficients& coefficients, const float* p,
                     std::int64_t i, std::int64_t j);

/// The coefficients from float `offset` of each array on: of a row.
Coefficients at_row(const Coefficients& coefficients, std::size_t offset);

/// Half-open range of k.
struct Span {
  std::int64_t lo;
  std::int64_t hi;
};

/// What a row's update reads from memory, from some point on: coefficients, and p at (i+1, j+1);
/// its other rows of p were read before.
struct MemoryStreams {
  Coefficients coefficients;
  const float* p;
};

/// The distance by which a sweep in memory order prefetches its streams ahead of the update, in
/// floats: 24 cache lines, the best of 2 to 32 measured on Zen 4 (docs/lab/cpu-sweeps.md).
inline constexpr std::int64_t prefetch_distance = 24 * 16;

/// The streams `distance` points ahead of the first.
MemoryStreams ahead_of(const RowInputs& inputs, std::int64_t distance = prefetch_distance);

/// Streams to be fetched into the caches while another row is updated, each a line for every line
/// that the update makes: some coefficients, and p if it is not null.
/// Nothing is dereferenced, so they may lie past an array.
struct Prefetch {
  std::span<const float* const> coefficients;
  const float* p = nullptr;
  std::int64_t pitch = 0;  ///< floats from a row of p to the next
  int rows = 1;            ///< how many

  Prefetch() = default;
  explicit Prefetch(const MemoryStreams& streams)
      : coefficients(streams.coefficients.arrays), p(streams.p) {}
};

/// Points of an owned row and its pad that may be copied from p to the new p, because they are
/// equal there: the fixed boundary, if the owned points reach it, and the pad behind it.
Span copyable_points(const Grid& grid);

/// Updates the points `updated` of one row into `next` (k = 0 of the row of the new p) and leaves
/// all others alone; the inputs may not overlap them. No float outside [updated.lo - 1, updated.hi
/// + 1) of the inputs is read. The result is the original program's to the bit.
/// @param counted a part of `updated`
/// @param copyable with streaming stores, points beside `updated` that may be written with p's
/// value (and are then read), so that the row's first and last cache line can be streamed too
/// @return the sum of squared residuals over the points `counted`
double update_row(const RowInputs& inputs, float* next, Span updated, Span counted, Stores stores,
                  Span copyable = {0, 0}, const Prefetch& prefetch = {});

/// The same for rows (i, j) and (i, j+1) at once, with cached stores: rows of p that both read are
/// read once.
/// @return the sum of each row, that of update_row() to the bit
std::array<double, 2> update_two_rows(const RowInputs (&inputs)[2], float* const (&next)[2],
                                      Span updated, Span counted, const Prefetch& prefetch = {});

}  // namespace memstencil::jacobi
