// The CUDA kernel of all variants that pass through shared memory: a block moves a tile.
#pragma once

#include "kernels/transpose/tile_move.hpp"

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace memstencil::transpose {

inline void check_launch(const char* what) {
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess)
    throw std::runtime_error(std::string("transpose, ") + what + ": " + cudaGetErrorString(status));
}

struct BlockBarrier {
  MEMSTENCIL_FUNCTION void operator()() const {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
};

template <Operation operation, class Tile, class Order, class T>
__global__ void __launch_bounds__(Tile::threads) move_tiles(const Job<T> job, const Order order) {
  extern __shared__ __align__(16) unsigned char memory[];
  move_tile<operation>(Tile(memory, static_cast<int>(threadIdx.x)), job, order.place(blockIdx.x),
                       BlockBarrier{});
}

template <Operation operation, class Tile, class Order, class T>
void launch_tiles(const char* what, const Job<T>& job, void* stream) {
  const TileCounts tiles =
      tile_counts(job.rows + Tile::above, job.columns, Tile::rows, Tile::columns);
  const auto kernel = move_tiles<operation, Tile, Order, T>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes);
  kernel<<<tiles.total(), Tile::threads, Tile::shared_bytes, static_cast<cudaStream_t>(stream)>>>(
      job, Order{tiles});
  check_launch(what);
}

}  // namespace memstencil::transpose
