// The clock register of an SM (paper 000: clock reads in inline PTX around what is timed).
#pragma once

#include "kernels/probes/sm_clock.hpp"

namespace memstencil::probes {

/// The memory clobber keeps the compiler's own loads and stores on their side of the clock.
__device__ __forceinline__ std::int64_t sm_clock() {
  long long cycles = 0;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

/// One warp's times go to times[number of the warp in the grid].
__device__ __forceinline__ void leave_times(WarpTimes* times, std::int64_t begin, std::int64_t end) {
  if (threadIdx.x % 32 != 0) return;
  unsigned sm = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  times[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {begin, end, sm};
}

}  // namespace memstencil::probes
