// The CUDA kernel of all variants that pass through shared memory: a block moves a tile.
#pragma once

#include "kernels/cuda_calls.cuh"
#include "kernels/transpose/tile_move.hpp"

#include <algorithm>
#include <vector>

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

/// Jobs that share a kernel, each with its tiles.
template <class Order, class T>
struct Jobs {
  Job<T> jobs[most_jobs_together];
  Order orders[most_jobs_together];
  unsigned count, most_tiles;
};

/// Block n works on tile n / count of job n % count.
template <class Tile, class Order, class T>
__global__ void __launch_bounds__(Tile::threads)
    move_jobs_together(const __grid_constant__ Jobs<Order, T> all) {
  extern __shared__ __align__(16) unsigned char memory[];
  const unsigned job = blockIdx.x % all.count, tile = blockIdx.x / all.count;
  if (tile >= all.orders[job].tiles.total()) return;
  move_tile(Tile(memory, static_cast<int>(threadIdx.x)), all.jobs[job], all.orders[job].at(tile),
            BlockBarrier{});
}

template <class Tile, class T>
TileCounts tiles_of(const Job<T>& job) {
  return tile_counts(job.rows + Tile::above, job.columns, Tile::rows, Tile::columns);
}

template <class Tile, class Order, class T>
void launch_tiles_together(const char* what, const std::vector<Job<T>>& jobs, void* stream) {
  Jobs<Order, T> all{};
  for (const Job<T>& job : jobs) {
    all.jobs[all.count] = job;
    all.orders[all.count] = Order{tiles_of<Tile>(job)};
    all.most_tiles = std::max(all.most_tiles, all.orders[all.count].tiles.total());
    ++all.count;
  }
  const auto kernel = move_jobs_together<Tile, Order, T>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes);
  kernel<<<all.most_tiles * all.count, Tile::threads, Tile::shared_bytes,
           static_cast<cudaStream_t>(stream)>>>(all);
  check(cudaGetLastError(), what);
}

template <class Tile, class Order, class T>
void launch_tiles(const char* what, const Job<T>& job, void* stream) {
  const TileCounts tiles = tiles_of<Tile>(job);
  const auto kernel = move_tiles<Tile, Order, T>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes);
  kernel<<<tiles.total(), Tile::threads, Tile::shared_bytes, static_cast<cudaStream_t>(stream)>>>(
      job, Order{tiles});
  check(cudaGetLastError(), what);
}

}  // namespace memstencil::transpose
