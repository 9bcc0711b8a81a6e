// The clock register of an SM ([hiroshima-shared-memory]: clock reads in inline PTX around what is
// timed).
#pragma once

#include "kernels/probes/clocks.hpp"

namespace memstencil::probes {

/// The memory clobber keeps the compiler's own loads and stores on their side of the clock.
__device__ __forceinline__ std::int64_t sm_clock() {
  long long cycles = 0;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

/// Begin and end of a warp, by the clock of its multiprocessor.
struct Interval {
  std::int64_t begin, end;
};

/// All threads of the block make `iterations` of the body. A pass before, once through the loop,
/// brings it into the instruction caches (and into L1 what it loads); it is not timed.
template <class Body>
__device__ __forceinline__ Interval time_loop(int iterations, Body&& body) {
  std::int64_t begin = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    int left = pass == 0 ? 1 : iterations;
    __syncthreads();
    begin = sm_clock();
#pragma unroll 1
    do {
      body();
    } while (--left > 0);
  }
  return {begin, sm_clock()};
}

/// One warp's times go to times[warp].
__device__ __forceinline__ void leave_times(WarpTimes* times, unsigned warp, std::int64_t begin,
                                            std::int64_t end) {
  if (threadIdx.x % 32 != 0) return;
  unsigned sm = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  times[warp] = {begin, end, sm};
}

/// To times[number of the warp in the grid].
__device__ __forceinline__ void leave_times(WarpTimes* times, std::int64_t begin,
                                            std::int64_t end) {
  leave_times(times, (blockIdx.x * blockDim.x + threadIdx.x) / 32, begin, end);
}

}  // namespace memstencil::probes
