// Probe warp: sums over the threads of a warp and of a block by three methods ([kepler-article],
// SHFL).
#include "app/membench/core/gpu.cuh"

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
enum class SumMethod {
  Shuffle,  ///< __shfl_xor_sync; the warps of a block meet in shared memory
  Shared,   ///< a tree in shared memory
  Hardware  ///< __reduce_add_sync, integers only; the warps of a block meet in shared memory
};

/// Threads of the blocks whose sums are taken.
constexpr int sum_block = 256;
/// Sums that are timed, one after the other, and those that are taken before the clock starts: once
/// through the timed loop.
constexpr int rounds = 1024, sums_before = 16;
constexpr unsigned whole_warp = 0xFFFFFFFF;

/// The value that a group's first thread adds to its own for the next sum, as a part of the last
/// one: so each sum needs the one before. An odd factor, so that integers lose nothing modulo 2^32.
template <class T>
constexpr T sum_carry = std::is_same_v<T, int> ? T(3) : T(1) / T(2);

/// Over lanes that are `Width` apart or less; a power of 2.
template <int Width, class T>
__device__ __forceinline__ T shuffled(T value) {
#pragma unroll
  for (int mask = Width / 2; mask > 0; mask /= 2) value += __shfl_xor_sync(whole_warp, value, mask);
  return value;
}

/// Gives the first thread of a group (a warp or a block) the sum, other threads anything, and
/// leaves shared memory ready for the next sum.
template <SumMethod Method, unsigned Group, class T>
__device__ __forceinline__ T group_sum(T value) {
  constexpr bool of_warp = Group == 32;
  constexpr unsigned warps = sum_block / 32;
  if constexpr (Method == SumMethod::Shared) {
    __shared__ T values[sum_block];
    T* const mine = values + threadIdx.x;
    const auto meet = [] { of_warp ? __syncwarp() : __syncthreads(); };
    *mine = value;
    meet();
#pragma unroll
    for (unsigned width = Group / 2; width > 0; width /= 2) {
      if (threadIdx.x % Group < width) *mine = value += mine[width];
      meet();
    }
    return value;
  } else if constexpr (!of_warp) {
    __shared__ T partial[warps];
    value = group_sum<Method, 32>(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
      value = threadIdx.x < warps ? partial[threadIdx.x] : T(0);
      value = Method == SumMethod::Shuffle ? shuffled<warps>(value) : group_sum<Method, 32>(value);
    }
    __syncthreads();
    return value;
  } else if constexpr (Method == SumMethod::Shuffle) {
    return shuffled<32>(value);
  } else {
    return __reduce_add_sync(whole_warp, value);
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
template <SumMethod Method, unsigned Group, class T>
__global__ void __launch_bounds__(sum_block, 8) sums(const __grid_constant__ SumWork<T> work) {
  const unsigned place = threadIdx.x % Group;
  const T own = static_cast<T>(place % 7);
  const T carry = place == 0 ? work.carry : T(0);
  T result = 0;

  meet(work.clocks);
  const Interval timed = time_loop(work.iterations, [&] {
#pragma unroll
    for (int k = 0; k < sums_before; ++k) {
      result = group_sum<Method, Group>(own + carry * result);
    }
  });

  if (place == 0) work.results[(blockIdx.x * blockDim.x + threadIdx.x) / Group] = result;
  leave_times(work.clocks, timed);
}

/// The last sum of a group of `threads` threads; thread t has the value t % 7: each is the
/// sum of these, and `carry` times the one before. Integers modulo 2^32.
template <class T>
T expected_sum(int threads) {
  using Wide = std::conditional_t<std::is_same_v<T, int>, std::uint32_t, double>;
  Wide own = 0, sum = 0;
  for (int t = 0; t < threads; ++t) own += static_cast<Wide>(t % 7);
  for (int k = 0; k < sums_before + rounds; ++k) sum = own + static_cast<Wide>(sum_carry<T>) * sum;
  return static_cast<T>(sum);
}

/// One warp or block on each multiprocessor, or eight blocks of 256 threads, which fill it: cycles
/// of a sum alone, or how many a clock a full multiprocessor makes.
template <class T>
void measure_sums(State& state) {
  const bool full = state.is("load", "full"), of_warp = state.is("scope", "warp");
  const int threads = full || !of_warp ? sum_block : 32, blocks_of_sm = full ? 8 : 1;
  const int group = of_warp ? 32 : sum_block, groups_of_sm = blocks_of_sm * threads / group;
  const int blocks = multiprocessors() * blocks_of_sm;
  using Kernel = void (*)(SumWork<T>);
  const auto kernel = pick<6>(state.index("method") + (of_warp ? 0 : 3), [](auto number) -> Kernel {
    constexpr auto of = static_cast<SumMethod>(decltype(number)::value % 3);
    if constexpr (of == SumMethod::Hardware && !std::is_same_v<T, int>)
      return nullptr;  // it sums integers only
    else
      return sums < of, decltype(number)::value / 3 == 0 ? 32 : sum_block, T > ;
  });
  if (kernel == nullptr) state.leave_out();
  const T right = expected_sum<T>(group);
  // Integers are exact; floats may have been added in any order.
  const double allowed = std::is_same_v<T, int> ? 0 : 1e-5 * std::abs(static_cast<double>(right));
  DeviceArray<T> results(multiprocessors() * groups_of_sm);
  ClockedWarps clocked(blocks * threads / 32);
  state.sample({full ? "per_clock" : "cycles", "multiprocessors_left_out"}, [&] {
    results.spoil();
    launch(kernel, {blocks, threads},
           {rounds / sums_before, sum_carry<T>, results.data(), clocked.clocks()});
    const SmCycles cycles = clocked.cycles(blocks_of_sm * threads / 32);
    verify_all(
        state.title(), results.all(), [right](std::size_t) { return right; }, allowed);
    return std::vector{full ? cycles.per_clock(groups_of_sm * rounds) : cycles.each(rounds),
                       cycles.left_out};
  });
}

void measure_warp(State& state) {
  state.is("type", "int32") ? measure_sums<int>(state) : measure_sums<float>(state);
}
#endif

}  // namespace

extern const Probe warp_probe{
    .name = "warp",
    .summary = "sums over a warp and a block: shuffle, shared memory, hardware",
    .source = "[kepler-article]",
    .counted = "cycles a sum, sums per clock",
    .axes = always({names("scope", {"warp", "block"}), names("type", {"int32", "fp32"}),
                    names("method", {"shuffle", "shared memory", "hardware"}),
                    names("load", {"alone", "full"})}),
    .start = MEMSTENCIL_WITH_CUDA(each_point<measure_warp>),
    .notes = {"each sum needs the one before, by one multiply-add that is counted in",
              "alone: one warp or block (of 256 threads) on each multiprocessor; full: 64 warps on "
              "each, which begin together; 1/clock: sums a clock and multiprocessor",
              "hardware: __reduce_add_sync (REDUX), integers only"}};

}  // namespace memstencil::membench
