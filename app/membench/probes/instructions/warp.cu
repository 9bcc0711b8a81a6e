// Probe warp: sums over the threads of a warp and of a block by three methods, and transforms of a
// warp's numbers by two ([kepler-article], SHFL).
#include "app/membench/core/gpu.cuh"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/probes/instructions/warp_fft.cuh"
#endif

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
enum class SumScope { Warp, Block };

/// Sums that are taken before the clock starts: once through the timed loop.
constexpr int sums_before = 16;

/// The value that a group's first thread adds to its own for the next sum, as a part of the last
/// one: so each sum needs the one before. An odd factor, so that integers lose nothing modulo 2^32.
template <class T>
constexpr T sum_carry = T(1) / T(2);
template <>
constexpr int sum_carry<int> = 3;

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

/// One warp or block on each multiprocessor, or eight blocks of 256 threads, which fill it.
struct Load {
  State& state;
  bool full = state.is("load", "full"), of_warp = !state.is("scope", "block");
  int threads = full || !of_warp ? sum_block : 32, blocks_of_sm = full ? 8 : 1;
  int groups_of_sm = blocks_of_sm * threads / (of_warp ? 32 : sum_block);
  int blocks = multiprocessors() * blocks_of_sm;
  ClockedWarps clocked{blocks * threads / 32};

  /// Cycles of a sum or transform alone, or how many a clock a full multiprocessor makes. Each
  /// launch has `of_group` numbers as results of a group, of which number n has to be right(n).
  template <class Work, class Number, class Right>
  void sample(void (*kernel)(Work), Work work, int of_group, const Right& right, double allowed) {
    DeviceArray<Number> results(multiprocessors() * groups_of_sm * of_group);
    work.results = reinterpret_cast<decltype(work.results)>(results.data());
    state.sample({full ? "per_clock" : "cycles", "multiprocessors_left_out"}, [&] {
      results.spoil();
      work.clocks = clocked.clocks();
      launch(kernel, {blocks, threads}, work);
      const SmCycles cycles = clocked.cycles(blocks_of_sm * threads / 32);
      verify_all(state.title(), results.all(), right, allowed);
      return std::vector{full ? cycles.per_clock(groups_of_sm * rounds) : cycles.each(rounds),
                         cycles.left_out};
    });
  }
};

template <class T>
void measure_sums(State& state) {
  using Kernel = void (*)(SumWork<T>);
  Load load{state};
  const auto kernel =
      pick<6>(state.index("method") + (load.of_warp ? 0 : 3), [](auto number) -> Kernel {
        constexpr auto of = static_cast<SumMethod>(decltype(number)::value % 3);
        if constexpr (of == SumMethod::Hardware && !std::is_same_v<T, int>)
          return nullptr;  // it sums integers only
        else
          return sums<of, static_cast<SumScope>(decltype(number)::value / 3), T>;
      });
  if (kernel == nullptr) state.leave_out();
  const T right = expected_sum<T>(load.of_warp ? 32 : sum_block);
  // Integers are exact; floats may have been added in any order.
  const double allowed = std::is_same_v<T, int> ? 0 : 1e-5 * std::abs(static_cast<double>(right));
  load.sample<SumWork<T>, T>(
      kernel, {rounds / sums_before, sum_carry<T>, nullptr, {}}, 1,
      [right](std::size_t) { return right; }, allowed);
}

/// Transforms of the numbers of a warp's lanes: what an FFT does between neighbours.
void measure_ffts(State& state) {
  const auto method = static_cast<SumMethod>(state.index("method"));
  if (state.is("type", "int32") || method == SumMethod::Hardware) state.leave_out();
  Load load{state};
  const auto expected = expected_fft();
  const auto kernel =
      method == SumMethod::Shuffle ? ffts<SumMethod::Shuffle> : ffts<SumMethod::Shared>;
  // The numbers are about 2: of 1032 transforms in FP32 each rounds by a few units of the last
  // place. One transform less is noticed.
  load.sample<FftJob, float>(
      kernel, {rounds, nullptr, {}}, 2 * fft_points,
      [&](std::size_t n) {
        const auto& right = expected[n / 2 % fft_points];
        return n % 2 == 0 ? right.real() : right.imag();
      },
      1e-3);
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
    .axes = always({names("scope", {"warp", "block", "FFT of a warp"}),
                    names("type", {"int32", "fp32"}),
                    names("method", {"shuffle", "shared memory", "hardware"}),
                    names("load", {"alone", "full"})}),
    .start = MEMSTENCIL_WITH_CUDA(each_point<measure_warp>),
    .notes = {"each sum needs the one before, by one multiply-add that is counted in; each FFT, of "
              "32 complex numbers, one a lane, the one before",
              "alone: one warp or block (of 256 threads) on each multiprocessor; full: 64 warps on "
              "each, which begin together; 1/clock: sums (FFTs) a clock and multiprocessor",
              "hardware: __reduce_add_sync (REDUX), integers only"}};

}  // namespace memstencil::membench
