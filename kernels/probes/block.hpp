// Probe block: barriers, divergent paths and strides in shared memory, of one block.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/probes/clocks.hpp"

#include <cstdint>

namespace memstencil::probes {

/// Barriers in the body of the timed loop.
inline constexpr int barrier_body = 32;
/// Dependent multiply-adds of each path in the body of the timed loop.
inline constexpr int path_body = 64;
/// Accesses to shared memory in the body of the timed loop, each one word further.
inline constexpr int stride_body = 16;
/// Warps of the block whose accesses have a stride, and the words that each has for itself.
inline constexpr int stride_warps = 8;
inline constexpr int most_stride = 32;
inline constexpr int stride_words = 32 * most_stride + stride_body;

/// A step of a path.
MEMSTENCIL_FUNCTION std::uint32_t path_step(std::uint32_t x, std::uint32_t path) {
  return x * 1664525U + path;
}
/// What a lane stores as access k of the body.
MEMSTENCIL_FUNCTION std::uint32_t stored_word(std::uint32_t lane, std::uint32_t k) {
  return k << 8U | lane;
}
/// Word w of a warp's words before loads.
MEMSTENCIL_FUNCTION std::uint32_t loaded_word(std::uint32_t w) { return w * 2654435761U; }

/// One block. The timed loop has `iterations` bodies; one more goes before.
struct BlockJob {
  int iterations = 1;
  std::uint32_t* results = nullptr;  ///< device
  WarpTimes* times = nullptr;        ///< device: one a warp
};

/// Barriers of a block of `warps` warps, one right after the other. @throws CudaError
void run_barriers(const BlockJob& job, int warps);
/// The same, and each thread hands a word to the thread before it by each: writes the word, waits,
/// reads that of the next thread, adds 1. A word a thread, at first its number. @throws CudaError
void run_exchanges(const BlockJob& job, int warps);
/// One warp whose lanes take `paths` paths (1, 2, 4, .. 32): lane n path n % paths. A word a lane,
/// at first its number, after path_body path_step() a body. @throws CudaError
void run_paths(const BlockJob& job, int paths);
/// stride_warps warps; lane n accesses word n * stride + k of its warp's words; stride 0: all lanes
/// one word. Results of loads: the sum a thread; of stores: the words of all warps.
/// @throws CudaError
void run_strided_loads(const BlockJob& job, int stride);
void run_strided_stores(const BlockJob& job, int stride);

}  // namespace memstencil::probes
