// The maps by which a GPU's copy engine finds what a tile of the fused sweep needs.
#pragma once

#include "kernels/cuda_calls.cuh"
#include "kernels/grid/grid.hpp"
#include "kernels/jacobi/temporal_cuda_memory.cuh"

#include <cuda.h>
#include <cudaTypedefs.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace memstencil::jacobi {

/// The map by which the copy engine finds boxes of an array. The first extent is the fastest, and
/// strides are those of the others, in bytes.
template <std::size_t Rank>
CUtensorMap map_of(const float* array, const std::array<cuuint64_t, Rank>& extents,
                   const std::array<cuuint64_t, Rank - 1>& strides,
                   const std::array<cuuint32_t, Rank>& box,
                   CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  static const auto encode =
      driver_function<PFN_cuTensorMapEncodeTiled_v12000>("cuTensorMapEncodeTiled");
  if (encode == nullptr) throw std::runtime_error("the driver has no cuTensorMapEncodeTiled");
  std::array<cuuint32_t, Rank> steps{};
  steps.fill(1);
  CUtensorMap map{};
  const CUresult status =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, Rank, const_cast<float*>(array), extents.data(),
             strides.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " +
                             std::to_string(static_cast<int>(status)));
  return map;
}

/// Boxes of 1 x rows x 64 points in an array of `grid`.
inline CUtensorMap map_of(const Grid& grid, const float* array, cuuint32_t rows) {
  const auto extent = [&](int d) { return static_cast<cuuint64_t>(grid.extents[d]); };
  return map_of<3>(array, {extent(2), extent(1), extent(0)},
                   {grid.row(0, 1) * sizeof(float), grid.row(1, 0) * sizeof(float)},
                   {temporal_width, rows, 1});
}

/// Boxes of packed coefficients: one line of 128 bytes, which has four of them, of each group of
/// points. (All in one box would stand in shared memory as they do here: then what half a warp
/// reads at a time lies in half of the banks.)
inline CUtensorMap map_of_packed(const Grid& grid, const float* first, cuuint32_t rows) {
  const auto extent = [&](int d) { return static_cast<cuuint64_t>(grid.extents[d]); };
  constexpr cuuint64_t all = coefficient_count * sizeof(float);
  constexpr cuuint32_t line = arrays_of_line * packed_points;
  return map_of<5>(
      first,
      {line, coefficient_count / arrays_of_line, (extent(2) + packed_points - 1) / packed_points,
       extent(1), extent(0)},
      {line * sizeof(float), packed_points * all, grid.row(0, 1) * all, grid.row(1, 0) * all},
      {line, 1, groups_of_row, rows, 1}, CU_TENSOR_MAP_SWIZZLE_128B);
}

}  // namespace memstencil::jacobi
