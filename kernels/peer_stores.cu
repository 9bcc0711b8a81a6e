// Boxes of an array that a kernel stores into the arrays of other GPUs, and the signals behind
// them.
#include "kernels/peer_stores.hpp"

#include "kernels/cuda_calls.cuh"

#include <cuda/atomic>

#include <algorithm>

namespace memstencil {

namespace {

constexpr int threads_of_store = 256;
// A block has about 8 KiB of a short store; all together have one a multiprocessor at most.
constexpr std::size_t bytes_of_store_block = 8 * 1024;
constexpr std::size_t most_store_blocks = 128;

struct Stores {
  PeerStore of[most_peer_stores];
  unsigned first_block[most_peer_stores + 1];
};

/// This block's share of a box, `at_once` words a thread before the first is stored.
template <class Word>
__device__ void store_words(const PeerStore& s, unsigned block, unsigned blocks) {
  constexpr int at_once = 4;
  const auto words = static_cast<unsigned>(s.row / sizeof(Word)),
             rows = static_cast<unsigned>(s.rows);
  const unsigned count = words * rows * static_cast<unsigned>(s.planes);
  const unsigned step = blocks * threads_of_store;
  for (unsigned n = block * threads_of_store + threadIdx.x; n < count; n += at_once * step) {
    Word values[at_once];
    char* to[at_once];
#pragma unroll
    for (int w = 0; w < at_once; ++w) {
      const unsigned word = n + w * step, row = word / words, plane = row / rows;
      if (word >= count) continue;
      const std::size_t in_row = std::size_t{word - row * words} * sizeof(Word);
      const std::size_t in_plane = row - plane * rows;
      values[w] = *reinterpret_cast<const Word*>(s.from + plane * s.from_plane +
                                                 in_plane * s.from_row + in_row);
      to[w] = s.to + plane * s.to_plane + in_plane * s.to_row + in_row;
    }
#pragma unroll
    for (int w = 0; w < at_once; ++w)
      if (n + w * step < count) *reinterpret_cast<Word*>(to[w]) = values[w];
  }
}

__global__ void __launch_bounds__(threads_of_store)
    store_boxes(const __grid_constant__ Stores stores) {
  wait_for_queue();
  let_next_kernel_come();  // the next sweep's blocks come while these wait
  int n = 0;
  while (blockIdx.x >= stores.first_block[n + 1]) ++n;
  const PeerStore& s = stores.of[n];
  const unsigned first = stores.first_block[n], blocks = stores.first_block[n + 1] - first;
  const std::size_t odd = reinterpret_cast<std::size_t>(s.from) |
                          reinterpret_cast<std::size_t>(s.to) | s.row | s.from_row | s.from_plane |
                          s.to_row | s.to_plane;
  if (odd % sizeof(uint4) == 0)
    store_words<uint4>(s, blockIdx.x - first, blocks);
  else
    store_words<std::uint32_t>(s, blockIdx.x - first, blocks);
  __syncthreads();
  if (threadIdx.x != 0) return;
  using Signal = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system>;
  // What all threads of all blocks stored comes before the signal that follows.
  const auto fence = [] {
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);
  };
  fence();
  if (blocks > 1) {
    if (atomicAdd(s.ends, 1U) != blocks - 1) return;
    *s.ends = 0;
    fence();
  }
  Signal(*s.there).store(s.given, cuda::memory_order_relaxed);
  while (static_cast<std::int32_t>(Signal(*s.here).load(cuda::memory_order_acquire) - s.awaited) <
         0) {
  }
}

/// Rows and planes that follow each other without a gap in both arrays are one.
PeerStore joined(PeerStore s) {
  if (s.from_row == s.row && s.to_row == s.row) {
    s.row *= s.rows;
    s.rows = 1;
    s.from_row = s.to_row = s.row;
    if (s.from_plane == s.row && s.to_plane == s.row) {
      s.row *= s.planes;
      s.planes = 1;
      s.from_plane = s.to_plane = s.from_row = s.to_row = s.row;
    }
  }
  return s;
}

}  // namespace

void start_peer_stores(const PeerStore* stores, int count, void* stream) {
  Stores all{};
  std::size_t bytes = 0;
  for (int n = 0; n < count; ++n) bytes += stores[n].row * stores[n].rows * stores[n].planes;
  const std::size_t of_block = std::max(bytes_of_store_block, bytes / most_store_blocks);
  for (int n = 0; n < count; ++n) {
    const PeerStore& each = all.of[n] = joined(stores[n]);
    const std::size_t own = each.row * each.rows * each.planes;
    if (own / sizeof(std::uint32_t) > 0x7FFFFFFFU)
      throw std::runtime_error("stores into another GPU: a halo of 8 GiB or more");
    all.first_block[n + 1] = all.first_block[n] + static_cast<unsigned>(std::max<std::size_t>(
                                                      1, (own + of_block / 2) / of_block));
  }
  check(launch_soon(store_boxes, all.first_block[count], threads_of_store, 0,
                    static_cast<cudaStream_t>(stream), all),
        "stores into another GPU");
}

}  // namespace memstencil
