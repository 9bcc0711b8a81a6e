// Barriers, divergent paths and strides in shared memory, between two clock reads.
#include "kernels/probes/block.hpp"

#include "kernels/probes/check.cuh"
#include "kernels/probes/sm_clock.cuh"

#include <cuda_runtime.h>

namespace memstencil::probes {

namespace {

constexpr int most_threads = 1024;

__global__ void barriers(const __grid_constant__ BlockJob job) {
  const Interval taken = time_loop(job.iterations, [] {
#pragma unroll
    for (int k = 0; k < barrier_body; ++k) __syncthreads();
  });
  leave_times(job.times, taken.begin, taken.end);
}

/// Two words a thread in turns: one is read while the other is written, so one barrier a step is
/// enough.
__global__ void exchanges(const __grid_constant__ BlockJob job) {
  __shared__ std::uint32_t words[2][most_threads];
  const unsigned next = (threadIdx.x + 1) % blockDim.x;
  std::uint32_t word = threadIdx.x;
  const Interval taken = time_loop(job.iterations, [&] {
#pragma unroll
    for (int k = 0; k < barrier_body; ++k) {
      words[k % 2][threadIdx.x] = word;
      __syncthreads();
      word = words[k % 2][next] + 1;
    }
  });
  leave_times(job.times, taken.begin, taken.end);
  job.results[threadIdx.x] = word;
}

/// The paths differ in a value only, which the compiler does not know.
__global__ void paths(const __grid_constant__ BlockJob job, unsigned count) {
  const unsigned own = threadIdx.x % count;
  std::uint32_t x = threadIdx.x;
  const Interval taken = time_loop(job.iterations, [&] {
#pragma unroll 1
    for (unsigned path = 0; path < count; ++path)
      if (own == path) {
#pragma unroll
        for (int k = 0; k < path_body; ++k)
          asm volatile("mad.lo.u32 %0, %0, 1664525, %1;" : "+r"(x) : "r"(path));
      }
  });
  leave_times(job.times, taken.begin, taken.end);
  job.results[threadIdx.x] = x;
}

/// Volatile: otherwise the assembler takes accesses that repeat out of the loop.
template <bool Store>
__global__ void strides(const __grid_constant__ BlockJob job, unsigned stride) {
  __shared__ std::uint32_t words[stride_warps][stride_words];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned w = lane; w < stride_words; w += 32) words[warp][w] = Store ? 0 : loaded_word(w);
  __syncwarp();
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(&words[warp][lane * stride]));
  std::uint32_t sum = 0;
  const Interval taken = time_loop(job.iterations, [&] {
    if constexpr (Store) {
#pragma unroll
      for (unsigned k = 0; k < stride_body; ++k)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at + 4 * k), "r"(stored_word(lane, k))
                     : "memory");
    } else {
      std::uint32_t loaded[stride_body];
#pragma unroll
      for (unsigned k = 0; k < stride_body; ++k)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(loaded[k]) : "r"(at + 4 * k));
#pragma unroll
      for (const std::uint32_t word : loaded) sum += word;
    }
  });
  leave_times(job.times, taken.begin, taken.end);
  if constexpr (Store) {
    __syncwarp();
    for (unsigned w = lane; w < stride_words; w += 32)
      job.results[warp * stride_words + w] = words[warp][w];
  } else {
    job.results[threadIdx.x] = sum;
  }
}

}  // namespace

void run_barriers(const BlockJob& job, int warps) {
  barriers<<<1, static_cast<unsigned>(32 * warps)>>>(job);
  check_kernel("barriers");
}

void run_exchanges(const BlockJob& job, int warps) {
  exchanges<<<1, static_cast<unsigned>(32 * warps)>>>(job);
  check_kernel("exchanges by barriers");
}

void run_paths(const BlockJob& job, int count) {
  paths<<<1, 32>>>(job, static_cast<unsigned>(count));
  check_kernel("divergent paths");
}

void run_strided_loads(const BlockJob& job, int stride) {
  strides<false><<<1, 32 * stride_warps>>>(job, static_cast<unsigned>(stride));
  check_kernel("loads with a stride");
}

void run_strided_stores(const BlockJob& job, int stride) {
  strides<true><<<1, 32 * stride_warps>>>(job, static_cast<unsigned>(stride));
  check_kernel("stores with a stride");
}

}  // namespace memstencil::probes
