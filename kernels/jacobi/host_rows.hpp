// One row of one Jacobi sweep on a host core: the SIMD loop over k that every host sweep calls.
#pragma once

#include <cstdint>

#include "kernels/jacobi/grid.hpp"

namespace memstencil::jacobi {

/// What the update of row (i, j) reads. Every pointer is at k = 0 of its row; the rows of p may lie
/// in different arrays (a fused sweep keeps intermediate planes in rings).
struct RowInputs {
  const float* p[3][3];  ///< rows of p at i-1, i, i+1 (first index) and j-1, j, j+1 (second)
  Coefficients coefficients;
};

/// The inputs of row (i, j) where all of p is one array.
RowInputs row_inputs(const Grid& grid, const Coefficients& coefficients, const float* p, std::int64_t i,
                     std::int64_t j);

/// Half-open range of k.
struct Span {
  std::int64_t lo;
  std::int64_t hi;
};

/// How new values reach memory. Streaming writes whole 64-byte lines past the caches: right for an
/// array that will not be read again before it would have been evicted, wrong for one that fits the
/// caches. Other cores see streamed values after finish_streaming() only.
enum class Stores { Cached, Streaming };

/// Updates the points `updated` of one row into `next` (k = 0 of the row of the new p) and leaves all
/// others alone; the inputs may not overlap them. No float outside [updated.lo - 1, updated.hi + 1)
/// of the inputs is read. The result is the original program's to the bit.
/// @return the sum of squared residuals over the points `counted`, a part of `updated`
double update_row(const RowInputs& inputs, float* next, Span updated, Span counted, Stores stores);

/// Makes this thread's streamed stores visible: to be called by each thread after its last row.
void finish_streaming();

}  // namespace memstencil::jacobi
