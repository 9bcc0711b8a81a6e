// The kernel of the fused sweep, the shapes that are compiled, and the maps by which a GPU's copy
// engine finds what a tile needs.
#pragma once

#include "kernels/cuda_calls.cuh"
#include "kernels/jacobi/temporal_cuda_kernel.cuh"
#include "kernels/jacobi/temporal_cuda_plan.hpp"

#include <cuda.h>
#include <cudaTypedefs.h>

#include <array>
#include <cstddef>
#include <utility>

namespace memstencil::jacobi {

/// One block: takes a part of the pass, sets up the handshakes, and each warp goes to its work.
template <class Shape, Layout layout, bool stores>
__device__ __forceinline__ void march(const TemporalWork& work, float4* memory) {
  const TileShared<Shape> shared(memory);
  if constexpr (stores) wait_for_queue();  // signals of the pass before
  if (threadIdx.x == 0) {
    for (int n = 0; n < Shape::March::places; ++n) {
      shared.arrived(n).prepare(1);
      shared.released(n).prepare(Shape::workers / 32);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    shared.place() = place_of<Shape>(work, take_part(work));
  }
  __syncthreads();
  if (threadIdx.x >= Shape::workers) {
    if constexpr (Shape::lends_registers) shrink_to<24>();
    if (threadIdx.x == Shape::workers) Fetch<Shape, layout>{work, shared, shared.place()}.run();
  } else {
    if constexpr (Shape::lends_registers) grow_to<240>();
    Worker<Shape, layout, stores>(work, shared).run();
  }
}

/// Older GPUs have no tensor copy engine: why_not_temporal_cuda() keeps it from being started
/// there.
template <class Shape, Layout layout, bool stores>
__global__ void __launch_bounds__(Shape::threads, 1)
    temporal_march(const __grid_constant__ TemporalWork work) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(1024) float4 memory[];  // the swizzle counts lines of 128 bytes by 8
  march<Shape, layout, stores>(work, memory);
#endif
}

/// A compiled shape: its kernels, their threads and bytes of shared memory.
struct Compiled {
  void (*kernels[2][2])(TemporalWork);  ///< [does it store for other ranks?][packed?]
  int threads, bytes;
};

template <std::size_t Tile>
Compiled compiled() {
  constexpr TemporalTile tile = temporal_tiles[Tile];
  using Shape = TileShape<tile.sweeps, tile.warps, tile.rows / tile.warps>;
  static_assert(tile.rows % tile.warps == 0 && tile.rows > 2 * (tile.sweeps - 1));
  static_assert(Shape::bytes <= 227 * 1024, "more shared memory than a block can have on Hopper");
  return {
      {{temporal_march<Shape, Layout::Arrays, false>, temporal_march<Shape, Layout::Packed, false>},
       {temporal_march<Shape, Layout::Arrays, true>, temporal_march<Shape, Layout::Packed, true>}},
      Shape::threads,
      Shape::bytes};
}

inline Compiled compiled_at(std::size_t tile) {
  return [=]<std::size_t... Tiles>(std::index_sequence<Tiles...>) {
    return std::array{compiled<Tiles>()...}[tile];
  }
  (std::make_index_sequence<temporal_tiles.size()>{});
}

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
