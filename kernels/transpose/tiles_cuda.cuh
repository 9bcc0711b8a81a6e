// The CUDA kernel of all variants that pass through shared memory: a block moves a tile.
#pragma once

#include "kernels/cuda_calls.cuh"
#include "kernels/transpose/tile_move.hpp"

namespace memstencil::transpose {

struct BlockBarrier {
  MEMSTENCIL_FUNCTION void operator()() const {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
};

template <class Tile, class Order, class T>
__global__ void __launch_bounds__(Tile::threads) move_tiles(const Job<T> job, const Order order) {
  extern __shared__ __align__(16) unsigned char memory[];
  move_tile(Tile(memory, static_cast<int>(threadIdx.x)), job, order.at(blockIdx.x), BlockBarrier{});
}

template <class Tile, class Order, class T>
void launch_tiles(const char* what, const Job<T>& job, void* stream) {
  const TileCounts tiles = tile_counts(job.rows, job.columns, Tile::rows, Tile::columns);
  const auto kernel = move_tiles<Tile, Order, T>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes);
  kernel<<<tiles.total(), Tile::threads, Tile::shared_bytes, static_cast<cudaStream_t>(stream)>>>(
      job, Order{tiles});
  check(cudaGetLastError(), what);
}

}  // namespace memstencil::transpose
