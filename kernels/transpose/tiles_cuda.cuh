// The CUDA kernel of all variants that pass through shared memory: a block moves a tile.
#pragma once

#include "kernels/transpose/tile_move.hpp"
#include "kernels/transpose/with_operation.hpp"

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

template <Operation operation, class Tile, class T, class Order>
__global__ void __launch_bounds__(Tile::threads) move_tiles(const Job<T> job, const Order order) {
  __shared__ __align__(16) unsigned char memory[Tile::shared_bytes];
  move_tile<operation>(Tile(memory, static_cast<int>(threadIdx.x)), job, order.place(blockIdx.x),
                       BlockBarrier{});
}

/// @param order of the tiles, from their counts
template <class Tile, class T, class OrderOf>
void launch_tiles(const char* what, const Job<T>& job, void* stream, const OrderOf& order) {
  const TileCounts tiles = tile_counts(job.rows, job.columns, Tile::rows, Tile::columns);
  with_operation(job.operation, [&](auto operation) {
    move_tiles<operation(), Tile>
        <<<tiles.total(), Tile::threads, 0, static_cast<cudaStream_t>(stream)>>>(job, order(tiles));
  });
  check_launch(what);
}

}  // namespace memstencil::transpose
