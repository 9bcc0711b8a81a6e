// How the threads of the fused sweep wait: for the copy engine, for each other, and for other blocks.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

namespace memstencil::jacobi {

/// A barrier in shared memory (mbarrier) that one side of a handshake arrives at and the other waits for.
struct Handshake {
  unsigned barrier;

  __device__ __forceinline__ void prepare(int arrivals) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
  }
  __device__ __forceinline__ void arrive() const {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
  }
  /// Arrives, and lets the barrier wait for so many bytes from the copy engine as well.
  __device__ __forceinline__ void expect(int bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
  }
  /// Has the copy engine copy a box from (i, j, k), k a multiple of 4; what lies outside the array
  /// arrives as zeros.
  __device__ __forceinline__ void copy(float* to, const CUtensorMap& from, int i, int j, int k) const {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
        "l"(&from), "r"(k), "r"(j), "r"(i), "r"(barrier)
        : "memory");
  }
  /// Waits until the barrier has been passed `round` + 1 times.
  __device__ __forceinline__ void wait(int round) const {
    const unsigned parity = static_cast<unsigned>(round) & 1U;
    unsigned done = 0;
    do {
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(barrier), "r"(parity)
          : "memory");
    } while (done == 0);
  }
};

/// Keeps the blocks that run at a time in step, so that what neighbouring tiles both read comes to the
/// L2 cache once: no block goes more than `lead` steps ahead of the average of its wave. A hint only:
/// after some milliseconds without progress (blocks that are not resident, say) a block goes on alone.
struct Pace {
  static constexpr unsigned lead = 1;
  static constexpr int most_tries = 16384;

  unsigned* progress;  // steps done by all blocks of the wave
  unsigned members;    // blocks in it
  unsigned steps;      // more than any of them does; a block that is done counts as this far
  unsigned done = 0;
  unsigned seen = 0;
  bool alone = false;

  __device__ __forceinline__ Pace(unsigned* waves, unsigned wave_blocks, unsigned most_steps)
      : progress(waves + blockIdx.x / wave_blocks),
        members(min(wave_blocks, gridDim.x - blockIdx.x / wave_blocks * wave_blocks)),
        steps(most_steps) {}

  __device__ __forceinline__ void keep() {
    if (alone) return;
    const unsigned wanted = done > lead ? (done - lead) * members : 0U;
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
