// Waiting in the fused sweep: for the copy engine, for each other, and for other blocks.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

namespace memstencil::jacobi {

/// A barrier in shared memory (mbarrier) that one side of a handshake arrives
/// at and the other waits for.
struct Handshake {
  unsigned barrier;

  __device__ __forceinline__ void prepare(int arrivals) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
  }
  __device__ __forceinline__ void arrive() const {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
  }
  /// Arrives, and lets the barrier wait for `bytes` bytes from the copy engine as well.
  __device__ __forceinline__ void expect(int bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
  }
  /// Has the copy engine copy a box from (i, j, k); what lies outside the array arrives as zeros.
  __device__ __forceinline__ void copy(float* to, const CUtensorMap& from, int i, int j,
                                       int k) const {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
            static_cast<unsigned>(__cvta_generic_to_shared(to))),
        "l"(&from), "r"(k), "r"(j), "r"(i), "r"(barrier)
        : "memory");
  }
  /// The same of lines of packed coefficients: of line `line` of each group of points, from group
  /// `group` on.
  __device__ __forceinline__ void copy_lines(float* to, const CUtensorMap& from, int i, int j,
                                             int group, int line) const {
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(
            static_cast<unsigned>(__cvta_generic_to_shared(to))),
        "l"(&from), "r"(0), "r"(line), "r"(group), "r"(j), "r"(i), "r"(barrier)
        : "memory");
  }
  /// Waits until the barrier has been passed, for an even time (parity 0: the
  /// first, the third) or an odd one.
  __device__ __forceinline__ void wait(unsigned parity) const {
    unsigned done = 0;
    do {
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(barrier), "r"(parity)
          : "memory");
    } while (done == 0);
  }
};

/// Gives registers of this warp back, or takes what others gave: all warps of a warpgroup at the
/// same place. Only the architecture with its own features (sm_90a) has this; elsewhere a kernel
/// keeps what it started with.
template <int Registers>
__device__ __forceinline__ void shrink_to() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
#endif
}
template <int Registers>
__device__ __forceinline__ void grow_to() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
#endif
}

/// Keeps the blocks that run at a time in step, so that what neighbouring tiles both read comes
/// to the L2 cache once: no block goes more than three quarters of a step ahead of the average of
/// its wave. A hint only: after some milliseconds without progress (blocks that are not resident,
/// say) a block goes on alone. It counts in 32 bits, and a step is a plane of a tile: one tile has
/// fewer than 2^31 planes, and 2^32 planes of several tiles have more than 10^11 points, which no
/// GPU holds. 64 bits would take registers, and the warp that fetches has only 24.
struct Pace {
  static constexpr unsigned lead_quarters = 3;
  static constexpr int most_tries = 16384;

  unsigned* progress;  // steps done by all blocks of the wave
  unsigned members;    // blocks in it
  unsigned steps;      // more than any of them does; a block that is done counts as this far
  unsigned done = 0;
  unsigned seen = 0;
  bool alone = false;

  __device__ __forceinline__ Pace(unsigned* of_wave, unsigned wave_members, unsigned most_steps)
      : progress(of_wave), members(wave_members), steps(most_steps) {}

  __device__ __forceinline__ void keep() {
    if (alone) return;
    const unsigned wanted = done > 0U ? done * members - lead_quarters * members / 4U : 0U;
    for (int tries = 0; seen < wanted && !alone; ++tries) {
      look();
      alone = tries == most_tries;
    }
    add(1);
    ++done;
    look();  // what the next step asks: by then it has come
  }
  __device__ __forceinline__ void finish() const { add(steps - done); }

  __device__ __forceinline__ void look() {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(progress) : "memory");
  }
  __device__ __forceinline__ void add(unsigned n) const {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(progress), "r"(n) : "memory");
  }
};

}  // namespace memstencil::jacobi
