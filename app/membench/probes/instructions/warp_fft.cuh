// Probe warp: transforms of a warp's numbers, and the numbers that they lead to.
#pragma once

#include "app/membench/core/gpu.cuh"

#include <complex>
#include <numbers>

namespace memstencil::membench {

/// The ways of sums; transforms know the first two.
enum class SumMethod {
  Shuffle,  ///< __shfl_xor_sync; the warps of a block meet in shared memory
  Shared,   ///< a tree in shared memory
  Hardware  ///< __reduce_add_sync, integers only; the warps of a block meet in shared memory
};

/// Threads of the blocks whose sums are taken.
constexpr int sum_block = 256;
/// Sums, and transforms, that are timed, one after the other.
constexpr int rounds = 1024;
constexpr unsigned whole_warp = 0xFFFFFFFF;

/// Points of a transform: a warp's lanes; and its stages.
constexpr int fft_points = 32, stages = 5;
/// Transforms that go before the clock starts: once through the timed loop.
constexpr int ffts_before = 8;

/// Lane t of every warp starts with this complex number.
__host__ __device__ constexpr float2 fft_start(int lane) {
  return {static_cast<float>(lane % 7 - 3), static_cast<float>(lane % 5 - 2)};
}

/// One launch. Each transform takes the numbers of the one before:
/// y[reversed(k)] = (x[0] w^0 + x[1] w^k + x[2] w^2k + ...) / sqrt(32), w = exp(-2 pi i / 32);
/// reversed() has the five bits in the other order. So lengths stay as they are.
struct FftJob {
  int transforms;   ///< timed, a multiple of ffts_before; ffts_before go before
  float2* results;  ///< one a thread
  Clocks clocks;
};

/// The number of lane ^ mask: by two __shfl_xor_sync, or by a store and a load of 8 bytes in shared
/// memory, in two halves in turn, so that a stage needs one barrier of the warp: who writes into a
/// half has passed the barrier after which nobody reads it any more.
template <SumMethod How>
struct Exchange {
  int half = 0;
  __device__ float2 of(float2 mine, int mask) {
    if constexpr (How == SumMethod::Shuffle) {
      return {__shfl_xor_sync(whole_warp, mine.x, mask), __shfl_xor_sync(whole_warp, mine.y, mask)};
    } else {
      __shared__ float2 numbers[2][sum_block];
      float2* const table = numbers[half];
      half ^= 1;
      table[threadIdx.x] = mine;
      __syncwarp();
      return table[threadIdx.x ^ static_cast<unsigned>(mask)];
    }
  }
};

/// 8 blocks of 256 threads fill an SM.
template <SumMethod How>
__global__ void __launch_bounds__(sum_block, 8) ffts(const __grid_constant__ FftJob job) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  // Stage s pairs lanes that are 16 >> s apart (decimation in frequency): the lower gets the sum,
  // the upper the difference, times a root.
  float2 root[stages];
  float sign[stages];
#pragma unroll
  for (int s = 0; s < stages; ++s) {
    const int apart = 16 >> s;
    const bool upper = (lane & apart) != 0;
    const int power = upper ? (lane & (apart - 1)) << s : 0;
    sincospif(-2.0F / fft_points * static_cast<float>(power), &root[s].y, &root[s].x);
    sign[s] = upper ? -1.0F : 1.0F;
  }
  float2 z = fft_start(lane);
  constexpr float scale = 0.17677669529663687F;  // 1 / sqrt(32)
  Exchange<How> exchange;

  meet(job.clocks);
  const Interval timed = time_loop(job.transforms / ffts_before, [&] {
#pragma unroll
    for (int n = 0; n < ffts_before; ++n) {
#pragma unroll
      for (int s = 0; s < stages; ++s) {
        const float2 other = exchange.of(z, 16 >> s);
        const float2 sum{fmaf(sign[s], z.x, other.x), fmaf(sign[s], z.y, other.y)};
        z = {sum.x * root[s].x - sum.y * root[s].y, sum.x * root[s].y + sum.y * root[s].x};
      }
      z = {z.x * scale, z.y * scale};
    }
  });

  job.results[blockIdx.x * blockDim.x + threadIdx.x] = z;
  leave_times(job.clocks, timed);
}

/// The numbers of a warp's lanes after all transforms: by the sum that defines a transform, in
/// double, without butterflies.
inline std::vector<std::complex<double>> expected_fft() {
  std::vector<std::complex<double>> x;
  for (int n = 0; n < fft_points; ++n) x.emplace_back(fft_start(n).x, fft_start(n).y);
  const auto reversed = [](int lane) {
    return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
  };
  for (int t = 0; t < ffts_before + rounds; ++t) {
    std::vector<std::complex<double>> y(fft_points);
    for (int k = 0; k < fft_points; ++k)
      for (int n = 0; n < fft_points; ++n)
        y[static_cast<std::size_t>(reversed(k))] +=
            x[static_cast<std::size_t>(n)] *
            std::polar(1 / std::sqrt(fft_points), -2 * std::numbers::pi * n * k / fft_points);
    x = y;
  }
  return x;
}

}  // namespace memstencil::membench
