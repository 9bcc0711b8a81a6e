// Probe warp: sums over the threads of a warp and of a block by three methods, and transforms of a
// warp's numbers by two ([kepler-article], SHFL).
#include "app/membench/core/gpu.cuh"

#ifdef MEMSTENCIL_CUDA
#include <complex>
#include <numbers>
#endif

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// The ways of sums; transforms know the first two.
enum class SumMethod {
  Shuffle,  ///< __shfl_xor_sync; the warps of a block meet in shared memory
  Shared,   ///< a tree in shared memory
  Hardware  ///< __reduce_add_sync, integers only; the warps of a block meet in shared memory
};
enum class SumScope { Warp, Block };

/// Threads of the blocks whose sums are taken.
constexpr int sum_block = 256;
/// Sums, and transforms, that are timed, one after the other.
constexpr int rounds = 1024;
/// Sums that are taken before the clock starts: once through the timed loop.
constexpr int sums_before = 16;

/// The value that a group's first thread adds to its own for the next sum, as a part of the last
/// one: so each sum needs the one before. An odd factor, so that integers lose nothing modulo 2^32.
template <class T>
constexpr T sum_carry = T(1) / T(2);
template <>
constexpr int sum_carry<int> = 3;

constexpr unsigned whole_warp = 0xFFFFFFFF;

/// Over lanes that are `Width` apart or less; a power of 2.
template <int Width, class T>
__device__ __forceinline__ T shuffled(T value) {
#pragma unroll
  for (int mask = Width / 2; mask > 0; mask /= 2) value += __shfl_xor_sync(whole_warp, value, mask);
  return value;
}

/// A sum gives the group's first thread the sum, other threads anything, and leaves shared memory
/// ready for the next sum.
template <SumMethod Method, class T>
__device__ __forceinline__ T warp_sum(T value) {
  if constexpr (Method == SumMethod::Shuffle) {
    return shuffled<32>(value);
  } else if constexpr (Method == SumMethod::Hardware) {
    return __reduce_add_sync(whole_warp, value);
  } else {
    __shared__ T values[sum_block];
    T* const mine = values + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    *mine = value;
    __syncwarp();
#pragma unroll
    for (unsigned width = 16; width > 0; width /= 2) {
      if (lane < width) *mine = value += mine[width];
      __syncwarp();
    }
    return value;
  }
}

/// A tree, or each warp sums by its method and the first one sums what they left in shared memory.
template <SumMethod Method, class T>
__device__ __forceinline__ T block_sum(T value) {
  if constexpr (Method == SumMethod::Shared) {
    __shared__ T values[sum_block];
    T* const mine = values + threadIdx.x;
    *mine = value;
    __syncthreads();
#pragma unroll
    for (unsigned width = sum_block / 2; width > 0; width /= 2) {
      if (threadIdx.x < width) *mine = value += mine[width];
      __syncthreads();
    }
    return value;
  } else {
    constexpr unsigned warps = sum_block / 32;
    __shared__ T partial[warps];
    value = warp_sum<Method>(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
      value = threadIdx.x < warps ? partial[threadIdx.x] : T(0);
      if constexpr (Method == SumMethod::Shuffle)
        value = shuffled<warps>(value);
      else
        value = warp_sum<Method>(value);
    }
    __syncthreads();
    return value;
  }
}

template <class T>
struct SumWork {
  int iterations;
  T carry;
  T* results;
  Clocks clocks;
};

/// 8 blocks of 256 threads fill an SM.
template <SumMethod Method, SumScope Scope, class T>
__global__ void __launch_bounds__(sum_block, 8) sums(const __grid_constant__ SumWork<T> work) {
  constexpr unsigned group = Scope == SumScope::Warp ? 32 : sum_block;
  const unsigned place = threadIdx.x % group;
  const T own = static_cast<T>(place % 7);
  const T carry = place == 0 ? work.carry : T(0);
  T result = 0;

  meet(work.clocks);
  const Interval timed = time_loop(work.iterations, [&] {
#pragma unroll
    for (int k = 0; k < sums_before; ++k) {
      const T value = own + carry * result;
      if constexpr (Scope == SumScope::Warp)
        result = warp_sum<Method>(value);
      else
        result = block_sum<Method>(value);
    }
  });

  if (place == 0) work.results[(blockIdx.x * blockDim.x + threadIdx.x) / group] = result;
  leave_times(work.clocks, timed);
}

/// Points of a transform: a warp's lanes; and its stages.
constexpr int fft_points = 32, stages = 5;
/// Transforms that go before the clock starts: once through the timed loop.
constexpr int ffts_before = 8;

struct Complex {
  float re = 0, im = 0;
};

/// Lane t of every warp starts with this number.
__host__ __device__ constexpr Complex fft_start(int lane) {
  return {static_cast<float>(lane % 7 - 3), static_cast<float>(lane % 5 - 2)};
}

/// One launch. Each transform takes the numbers of the one before:
/// y[reversed(k)] = (x[0] w^0 + x[1] w^k + x[2] w^2k + ...) / sqrt(32), w = exp(-2 pi i / 32);
/// reversed() has the five bits in the other order. So lengths stay as they are.
struct FftJob {
  int transforms;        ///< timed, a multiple of ffts_before; ffts_before go before
  const Complex* roots;  ///< exp(-2 pi i n / 32) for n < 16
  Complex* results;      ///< one a thread
  Clocks clocks;
};

/// The number of lane ^ mask: by two __shfl_xor_sync, or by a store and a load of 8 bytes in shared
/// memory, in two halves in turn, so that a stage needs one barrier of the warp: who writes into a
/// half has passed the barrier after which nobody reads it any more.
template <SumMethod How>
struct Exchange {
  int half = 0;
  __device__ Complex of(Complex mine, int mask) {
    if constexpr (How == SumMethod::Shuffle) {
      return {__shfl_xor_sync(whole_warp, mine.re, mask),
              __shfl_xor_sync(whole_warp, mine.im, mask)};
    } else {
      __shared__ float2 numbers[2][sum_block];
      float2* const table = numbers[half];
      half ^= 1;
      table[threadIdx.x] = {mine.re, mine.im};
      __syncwarp();
      const float2 other = table[threadIdx.x ^ static_cast<unsigned>(mask)];
      return {other.x, other.y};
    }
  }
};

/// 8 blocks of 256 threads fill an SM.
template <SumMethod How>
__global__ void __launch_bounds__(sum_block, 8) ffts(const __grid_constant__ FftJob job) {
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

  meet(job.clocks);
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
  leave_times(job.clocks, timed);
}

/// The last sum of a group of so many threads, of which thread t has the value t % 7: each is the
/// sum of these, and `carry` times the one before. Integers modulo 2^32.
template <class T>
T expected_sum(int threads) {
  using Wide = std::conditional_t<std::is_same_v<T, int>, std::uint32_t, double>;
  Wide own = 0, sum = 0;
  for (int t = 0; t < threads; ++t) own += static_cast<Wide>(t % 7);
  for (int k = 0; k < sums_before + rounds; ++k) sum = own + static_cast<Wide>(sum_carry<T>) * sum;
  return static_cast<T>(sum);
}

/// exp(-2 pi i n / 32), times `length`.
std::complex<double> fft_root(int n, double length = 1) {
  return std::polar(length, -2 * std::numbers::pi * n / fft_points);
}

/// The numbers of a warp's lanes after all transforms: by the sum that defines a transform, in
/// double, without butterflies.
std::vector<std::complex<double>> expected_fft() {
  std::vector<std::complex<double>> x;
  for (int n = 0; n < fft_points; ++n) x.emplace_back(fft_start(n).re, fft_start(n).im);
  const auto reversed = [](int lane) {
    return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
  };
  for (int t = 0; t < ffts_before + rounds; ++t) {
    std::vector<std::complex<double>> y(fft_points);
    for (int k = 0; k < fft_points; ++k)
      for (int n = 0; n < fft_points; ++n)
        y[static_cast<std::size_t>(reversed(k))] +=
            x[static_cast<std::size_t>(n)] *
            fft_root(n * k % fft_points, 1 / std::sqrt(fft_points));
    x = y;
  }
  return x;
}

/// One warp or block on each multiprocessor, or eight blocks of 256 threads, which fill it.
struct Load {
  explicit Load(State& of)
      : state(of),
        full(of.is("load", "full")),
        of_warp(!of.is("scope", "block")),
        threads(full || !of_warp ? sum_block : 32),
        blocks_of_sm(full ? 8 : 1),
        groups_of_sm(blocks_of_sm * threads / (of_warp ? 32 : sum_block)),
        blocks(multiprocessors() * blocks_of_sm),
        clocked(blocks * threads / 32) {}

  /// Cycles of a sum or transform alone, or how many a clock a full multiprocessor makes, by a
  /// launch; `check` verifies its results.
  template <class Work, class Result>
  void sample(void (*kernel)(Work), Work work, DeviceArray<Result>& results,
              const std::function<void()>& check) {
    state.sample({full ? "per_clock" : "cycles", "multiprocessors_left_out"}, [&] {
      results.spoil();
      work.results = results.data();
      work.clocks = clocked.clocks();
      launch(kernel, {static_cast<unsigned>(blocks), static_cast<unsigned>(threads)}, work);
      const SmCycles cycles = clocked.cycles(blocks_of_sm * threads / 32);
      check();
      return std::vector{full ? groups_of_sm * rounds / cycles.median : cycles.median / rounds,
                         cycles.left_out};
    });
  }
  std::size_t groups() const { return static_cast<std::size_t>(multiprocessors() * groups_of_sm); }

  State& state;
  bool full, of_warp;
  int threads, blocks_of_sm, groups_of_sm, blocks;
  ClockedWarps clocked;
};

template <class T>
void measure_sums(State& state) {
  using Kernel = void (*)(SumWork<T>);
  Load load(state);
  const auto kernel =
      pick<6>(state.index("method") + (load.of_warp ? 0 : 3), [](auto number) -> Kernel {
        constexpr auto of = static_cast<SumMethod>(decltype(number)::value % 3);
        if constexpr (of == SumMethod::Hardware && !std::is_same_v<T, int>)
          return nullptr;  // it sums integers only
        else
          return sums<of, static_cast<SumScope>(decltype(number)::value / 3), T>;
      });
  if (kernel == nullptr) state.leave_out();
  DeviceArray<T> results(load.groups());
  const T right = expected_sum<T>(load.of_warp ? 32 : sum_block);
  // Integers are exact; floats may have been added in any order.
  const double allowed = std::is_same_v<T, int> ? 0 : 1e-5 * std::abs(static_cast<double>(right));
  load.sample<SumWork<T>>(kernel, {rounds / sums_before, sum_carry<T>, nullptr, {}}, results, [&] {
    verify_all(
        state.title(), results.all(), [right](std::size_t) { return right; }, allowed);
  });
}

/// Transforms of the numbers of a warp's lanes: what an FFT does between neighbours.
void measure_ffts(State& state) {
  const auto method = static_cast<SumMethod>(state.index("method"));
  if (state.is("type", "int32") || method == SumMethod::Hardware) state.leave_out();
  Load load(state);
  const auto expected = expected_fft();
  std::vector<Complex> all_roots;
  for (int n = 0; n < fft_points / 2; ++n)
    all_roots.push_back(
        {static_cast<float>(fft_root(n).real()), static_cast<float>(fft_root(n).imag())});
  const DeviceArray<Complex> roots(all_roots);
  DeviceArray<Complex> results(32 * load.groups());
  const auto kernel =
      method == SumMethod::Shuffle ? ffts<SumMethod::Shuffle> : ffts<SumMethod::Shared>;
  load.sample<FftJob>(kernel, {rounds, roots.data(), nullptr, {}}, results, [&] {
    std::vector<double> parts;
    for (const Complex& number : results.all()) parts.insert(parts.end(), {number.re, number.im});
    // The numbers are about 2: of 1032 transforms in FP32 each rounds by a few units of the last
    // place. One transform less is noticed.
    verify_all(
        state.title(), parts,
        [&](std::size_t n) {
          const auto& right = expected[n / 2 % fft_points];
          return n % 2 == 0 ? right.real() : right.imag();
        },
        1e-3);
  });
}

void measure_warp(State& state) {
  if (state.is("scope", "FFT of a warp")) return measure_ffts(state);
  state.is("type", "int32") ? measure_sums<int>(state) : measure_sums<float>(state);
}
#endif

}  // namespace

extern const Probe warp_probe{
    .name = "warp",
    .summary = "sums and FFTs over a warp, sums over a block: shuffle, shared memory, hardware",
    .source = "[kepler-article]",
    .counted = "cycles a sum or FFT, sums or FFTs per clock",
    .axes = [](bool) -> std::vector<Axis> {
      return {names("scope", {"warp", "block", "FFT of a warp"}), names("type", {"int32", "fp32"}),
              names("method", {"shuffle", "shared memory", "hardware"}),
              names("load", {"alone", "full"})};
    },
    .start = MEMSTENCIL_WITH_CUDA(each_point<measure_warp>),
    .notes = {"each sum needs the one before, by one multiply-add that is counted in; each "
              "transform needs the one before",
              "alone: one warp or block (of 256 threads) on each multiprocessor; full: 64 warps on "
              "each, which begin together; 1/clock: sums (transforms) a clock and multiprocessor",
              "FFT: 32 complex numbers, one a lane; five butterflies, with the lanes 16, 8, 4, 2 "
              "and 1 away",
              "hardware: __reduce_add_sync (REDUX), integers only"}};

}  // namespace memstencil::membench
