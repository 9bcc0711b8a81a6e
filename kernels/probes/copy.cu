// The copy of a matrix with its accesses shifted or spread: one thread an
// element, blocks of 16 x 16.
#include "kernels/probes/copy.hpp"

#include "kernels/probes/check.cuh"

#include <cuda_runtime.h>

namespace memstencil::probes {

namespace {

/// Grid: x along a row, y over the rows, z the passes, so that passes follow one another.
__global__ void __launch_bounds__(copy_block* copy_block)
    copy_elements(float* __restrict__ to, const float* __restrict__ from, MatrixExtents matrix,
                  CopyPattern pattern) {
  const std::int64_t x = std::int64_t{blockIdx.x} * copy_block + threadIdx.x;
  const std::int64_t y = std::int64_t{blockIdx.y} * copy_block + threadIdx.y;
  const std::int64_t pass = blockIdx.z;
  if (y >= matrix.rows || x * pattern.stride + pass >= matrix.columns) return;
  const std::int64_t n = copied_element(matrix, pattern, x, y, pass);
  to[n] = from[n];
}

unsigned blocks(std::int64_t elements) {
  return static_cast<unsigned>((elements + copy_block - 1) / copy_block);
}

}  // namespace

void copy_matrix(float* to, const float* from, const MatrixExtents& matrix,
                 const CopyPattern& pattern) {
  const std::int64_t columns_a_pass = (matrix.columns + pattern.stride - 1) / pattern.stride;
  const dim3 grid(blocks(columns_a_pass), blocks(matrix.rows),
                  static_cast<unsigned>(pattern.stride));
  copy_elements<<<grid, dim3(copy_block, copy_block)>>>(to, from, matrix, pattern);
  check(cudaGetLastError(), "copy of a matrix");
}

int l2_fetch_bytes() {
  std::size_t bytes = 0;
  check(cudaDeviceGetLimit(&bytes, cudaLimitMaxL2FetchGranularity), "cudaDeviceGetLimit");
  return static_cast<int>(bytes);
}

}  // namespace memstencil::probes
