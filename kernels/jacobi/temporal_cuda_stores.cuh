// A fused sweep's stores for other ranks, a block's part of their halo, and its count of them.
#pragma once

#include "kernels/jacobi/temporal_cuda_memory.cuh"

namespace memstencil::jacobi {

/// Copies a block's points of a box to another rank, a row a warp and two points a lane, when all
/// its warps have stored their result: inside the march it would spill registers.
template <class Shape>
__device__ __forceinline__ void store_beside(const TemporalWork& work, const TilePlace& block,
                                             const HaloStore& store) {
  constexpr int warps = Shape::workers / 32;
  constexpr int at_once = 4;  // rows of a warp
  const auto from = [&](int d, int own) { return max(own, static_cast<int>(store.box.lo[d])); };
  const auto end = [&](int d, int own) { return min(own, static_cast<int>(store.box.hi[d])); };
  const int i = from(0, block.counted[0]), planes = end(0, block.counted[1]) - i;
  const int j = from(1, block.own_j[0]), rows_of_plane = end(1, block.own_j[1]) - j;
  const int k = from(2, block.own_k[0]) + threadIdx.x % 32, end_k = end(2, block.own_k[1]);
  if (planes <= 0 || rows_of_plane <= 0) return;
  for (int first = threadIdx.x / 32; first < planes * rows_of_plane; first += at_once * warps) {
    float values[at_once][2];
    float* to[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n) {
      const int row = min(first + n * warps, planes * rows_of_plane - 1);
      const std::int64_t di = row / rows_of_plane, dj = row % rows_of_plane;
      const char* const here = reinterpret_cast<const char*>(work.p_next) +
                               (i + di) * work.plane_bytes + (j + dj) * work.pitch * 4;
      to[n] = reinterpret_cast<float*>(store.to + (i + di - store.box.lo[0]) * store.plane +
                                       (j + dj - store.box.lo[1]) * store.row) -
              store.box.lo[2];
#pragma unroll
      for (int c = 0; c < 2; ++c)
        if (k + 32 * c < end_k) values[n][c] = reinterpret_cast<const float*>(here)[k + 32 * c];
    }
#pragma unroll
    for (int n = 0; n < at_once; ++n)
#pragma unroll
      for (int c = 0; c < 2; ++c)
        if (k + 32 * c < end_k) to[n][k + 32 * c] = values[n][c];
  }
}

/// All its boxes.
template <class Shape>
__device__ __forceinline__ void store_beside(const TemporalWork& work, const TilePlace& block) {
  for (int n = 0; n < work.store_count; ++n) store_beside<Shape>(work, block, work.stores[n]);
}

/// Counts this part, at other ranks' points, as done: all warps have stored its result, and met
/// at a barrier, so that one thread's fence is behind the stores of all.
__device__ __forceinline__ void count_edge(const TemporalWork& work) {
  __threadfence_system();
  atomicAdd_system(work.edges, 1U);
}

}  // namespace memstencil::jacobi
