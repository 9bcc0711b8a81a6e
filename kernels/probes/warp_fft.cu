// The transforms of probe warp: butterflies between lanes, by shuffles or through shared memory.
#include "kernels/probes/warp_fft.hpp"

#include "kernels/probes/check.cuh"
#include "kernels/probes/sm_clock.cuh"

namespace memstencil::probes {
namespace {

constexpr unsigned most_threads = 256;
constexpr int stages = 5;

/// The number of lane ^ mask.
template <FftExchange>
struct Exchange;

template <>
struct Exchange<FftExchange::Shuffle> {
  __device__ Complex of(Complex mine, int mask) {
    return {__shfl_xor_sync(0xFFFFFFFF, mine.re, mask), __shfl_xor_sync(0xFFFFFFFF, mine.im, mask)};
  }
};

/// Two halves in turn, so that a stage needs one barrier of the warp: who writes into a half has
/// passed the barrier after which nobody reads it any more.
template <>
struct Exchange<FftExchange::Shared> {
  int half = 0;
  __device__ Complex of(Complex mine, int mask) {
    __shared__ float2 numbers[2][most_threads];
    float2* const table = numbers[half];
    half ^= 1;
    table[threadIdx.x] = {mine.re, mine.im};
    __syncwarp();
    const float2 other = table[threadIdx.x ^ static_cast<unsigned>(mask)];
    return {other.x, other.y};
  }
};

/// 8 blocks of 256 threads fill an SM.
template <FftExchange How>
__global__ void __launch_bounds__(most_threads, 8) ffts(const __grid_constant__ FftJob job) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  // Stage s pairs lanes that are 16 >> s apart (decimation in frequency): the lower gets the sum,
  // the upper the difference, times a root.
  Complex root[stages];
  float sign[stages];
#pragma unroll
  for (int s = 0; s < stages; ++s) {
    const int apart = 16 >> s;
    const bool upper = (lane & apart) != 0;
    root[s] = job.roots[upper ? (lane & (apart - 1)) << s : 0];
    sign[s] = upper ? -1.0F : 1.0F;
  }
  Complex x = fft_start(lane);
  constexpr float scale = 0.17677669529663687F;  // 1 / sqrt(32)
  Exchange<How> exchange;

  const Interval timed = time_loop(job.transforms / ffts_before, [&] {
#pragma unroll
    for (int n = 0; n < ffts_before; ++n) {
#pragma unroll
      for (int s = 0; s < stages; ++s) {
        const Complex other = exchange.of(x, 16 >> s);
        const Complex sum{fmaf(sign[s], x.re, other.re), fmaf(sign[s], x.im, other.im)};
        x = {sum.re * root[s].re - sum.im * root[s].im, sum.re * root[s].im + sum.im * root[s].re};
      }
      x = {x.re * scale, x.im * scale};
    }
  });

  job.results[blockIdx.x * blockDim.x + threadIdx.x] = x;
  leave_times(job.times, timed.begin, timed.end);
}

}  // namespace

void run_fft(const FftJob& job) {
  const auto kernel =
      job.exchange == FftExchange::Shuffle ? ffts<FftExchange::Shuffle> : ffts<FftExchange::Shared>;
  kernel<<<job.blocks, job.threads>>>(job);
  check_kernel("probe warp, transforms");
}

}  // namespace memstencil::probes
