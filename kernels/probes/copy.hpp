// The copy of a matrix with its accesses shifted or spread, after [ufrgs-thesis].
#pragma once

#include "kernels/portable.hpp"

#include <cstdint>

namespace memstencil::probes {

/// A row-major matrix of floats.
struct MatrixExtents {
  std::int64_t rows = 0, columns = 0;  ///< columns: a multiple of copy_block
};

/// Threads of a block in each direction ([ufrgs-thesis], section 4.2.2); a thread copies one
/// element.
inline constexpr unsigned copy_block = 16;

/// The element that a thread copies. Coalesced: offset 0, stride 1.
struct CopyPattern {
  std::int64_t offset = 0;  ///< all accesses are shifted by so many elements
  std::int64_t stride = 1;  ///< neighbouring threads are so many elements apart
};

/// Element of the matrix, shift included, that thread (x, y) of the grid copies in one of `stride`
/// passes over a row: pass p takes columns p, p + stride, p + 2 * stride, ... The thesis leaves
/// open what becomes of the elements between; here every element is copied once.
MEMSTENCIL_FUNCTION std::int64_t copied_element(const MatrixExtents& matrix,
                                                const CopyPattern& pattern, std::int64_t x,
                                                std::int64_t y, std::int64_t pass) {
  return pattern.offset + y * matrix.columns + x * pattern.stride + pass;
}

/// Copies the matrix at from + offset to to + offset; the arrays hold rows * columns + offset
/// floats in memory that the GPU reaches. Asynchronous, in the default stream.
/// @throws CudaError
void copy_matrix(float* to, const float* from, const MatrixExtents& matrix,
                 const CopyPattern& pattern);

/// Bytes that the GPU's L2 fetches at least, where memory misses it
/// (cudaLimitMaxL2FetchGranularity). A hint that the driver may not follow.
/// @throws CudaError
int l2_fetch_bytes();

}  // namespace memstencil::probes
