// The kernel of the fused sweep, and the shapes that are compiled.
#pragma once

#include "kernels/jacobi/temporal_cuda_kernel.cuh"
#include "kernels/jacobi/temporal_cuda_plan.hpp"
#include "kernels/launch_soon.cuh"

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

/// A compiled shape: the kernel, its threads and bytes of shared memory.
struct Compiled {
  void (*kernel)(TemporalWork);
  int threads;
  int bytes;
};

template <std::size_t Tile>
Compiled compiled(Layout layout, bool stores) {
  constexpr TemporalTile tile = temporal_tiles[Tile];
  using Shape = TileShape<tile.sweeps, tile.warps, tile.rows / tile.warps>;
  static_assert(tile.rows % tile.warps == 0 && tile.rows > 2 * (tile.sweeps - 1));
  static_assert(Shape::bytes <= 227 * 1024, "more shared memory than a block can have on Hopper");
  void (*const kernels[2][2])(TemporalWork){
      {temporal_march<Shape, Layout::Arrays, false>, temporal_march<Shape, Layout::Packed, false>},
      {temporal_march<Shape, Layout::Arrays, true>, temporal_march<Shape, Layout::Packed, true>}};
  return {kernels[stores ? 1 : 0][layout == Layout::Packed ? 1 : 0], Shape::threads, Shape::bytes};
}

inline Compiled compiled_at(std::size_t tile, Layout layout, bool stores) {
  return [=]<std::size_t... Tiles>(std::index_sequence<Tiles...>) {
    return std::array{compiled<Tiles>(layout, stores)...}[tile];
  }
  (std::make_index_sequence<temporal_tiles.size()>{});
}

}  // namespace memstencil::jacobi
