// Probe warp: transforms of 32 complex numbers, one a lane, whose butterflies need the neighbours'.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/probes/clocks.hpp"

namespace memstencil::probes {

/// How a lane gets the number of the lane that it is paired with.
enum class FftExchange {
  Shuffle,  ///< two __shfl_xor_sync
  Shared    ///< a store and a load of 8 bytes in shared memory
};

/// Points of a transform: a warp's lanes.
inline constexpr int fft_points = 32;
/// Transforms that go before the clock starts: once through the timed loop.
inline constexpr int ffts_before = 8;

struct Complex {
  float re = 0, im = 0;
};

/// Lane t of every warp starts with this number.
MEMSTENCIL_FUNCTION constexpr Complex fft_start(int lane) {
  return {static_cast<float>(lane % 7 - 3), static_cast<float>(lane % 5 - 2)};
}

/// One launch. Each transform takes the numbers of the one before:
/// y[reversed(k)] = (x[0] w^0 + x[1] w^k + x[2] w^2k + ...) / sqrt(32), w = exp(-2 pi i / 32);
/// reversed() has the five bits in the other order. So lengths stay as they are.
struct FftJob {
  FftExchange exchange = FftExchange::Shuffle;
  int transforms = 0;  ///< timed, a multiple of ffts_before; ffts_before go before
  int blocks = 0;
  int threads = 0;  ///< of a block: 32 or 256
  /// device: exp(-2 pi i n / 32) for n < 16
  const Complex* roots = nullptr;
  Complex* results = nullptr;  ///< device: one a thread
  WarpTimes* times = nullptr;  ///< device: one a warp
};

/// Runs it and waits. @throws CudaError where the launch or the kernel failed
void run_fft(const FftJob& job);

}  // namespace memstencil::probes
