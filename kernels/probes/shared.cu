// The timed loads from shared memory: one kernel for each number of loads, so that the
// clocks enclose nothing else.
#include "kernels/probes/shared.hpp"

#include "kernels/probes/check.cuh"

#include <cuda_runtime.h>

#include <array>
#include <utility>

namespace memstencil::probes {

namespace {

using Word32 = std::uint32_t;
using Word64 = unsigned long long;

/// The clock register's low half ([hiroshima-shared-memory], list 2): a read of it takes one slot
/// where all 64 bits take two.
__device__ __forceinline__ std::uint32_t clock32() {
  std::uint32_t cycles = 0;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

/// Barrier of the first `threads` threads: the warps that do not take part have gone.
__device__ __forceinline__ void barrier(unsigned threads) {
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
}

/// [hiroshima-shared-memory], list 4. `volatile` keeps all of the loads, though they read the same.
__device__ __forceinline__ void load(Word64& word, std::uint32_t address) {
  asm volatile("ld.volatile.shared.u64 %0, [%1];" : "=l"(word) : "r"(address) : "memory");
}
__device__ __forceinline__ void load(Word32& word, std::uint32_t address) {
  asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
}

struct Interval {
  std::uint32_t begin, end;
  bool right;  ///< the last load read what is there
};

/// The comparison stands before the clock read and needs the last load's data: so the clock waits
/// for them. (Loads of a warp from shared memory end in order.) The empty measurement is two clock
/// reads in a row, as the paper's. `always` is true, and `end` the same variable in every repeat.
template <class Word, int Loads, SharedEnd End>
__device__ __forceinline__ Interval timed_loads(std::uint32_t address, Word expected,
                                                unsigned threads, bool always, std::uint32_t& end) {
  Interval t;
  Word words[Loads > 0 ? Loads : 1];
  words[0] = expected;
  std::uint32_t right = 1;
  barrier(threads);
  t.begin = clock32();
#pragma unroll
  for (int n = 0; n < Loads; ++n) load(words[n], address);
  const Word last = words[Loads > 0 ? Loads - 1 : 0];
  if constexpr (Loads > 0 && End == SharedEnd::Arrived) {
    asm volatile(
        "{\n\t.reg .pred same;\n\tsetp.eq.u32 same, %2, %3;\n\tmov.u32 %0, "
        "%%clock;\n\tselp.u32 %1, 1, 0, same;\n\t}"
        : "=r"(t.end), "=r"(right)
        : "r"(static_cast<std::uint32_t>(last)), "r"(static_cast<std::uint32_t>(expected))
        : "memory");
  } else if constexpr (End == SharedEnd::Issued) {
    // A condition that the compiler does not know keeps `end` of the last repeat alive, in a
    // register of its own. Otherwise the clock gets one that a load writes for nobody, and waits
    // for that load.
    if (always) end = clock32();
    t.end = end;
  } else {
    t.end = clock32();
  }
  t.right = right != 0 && last == expected;
  return t;
}

/// From the first warp's begin to the last warp's end ([hiroshima-shared-memory], section 3.3,
/// figure 4). Differences to one warp's begin, so that a clock that passes 2^32 does no harm. By
/// all lanes of one warp.
__device__ std::uint32_t span(const Interval* intervals, unsigned lane, unsigned warps) {
  const Interval mine = intervals[lane < warps ? lane : 0];
  const std::uint32_t reference = intervals[0].begin;
  const int first = __reduce_min_sync(0xFFFFFFFFU, static_cast<int>(mine.begin - reference));
  const int last = __reduce_max_sync(0xFFFFFFFFU, static_cast<int>(mine.end - reference));
  return static_cast<std::uint32_t>(last - first);
}

/// Block (x, y) has congestion x + 1 and y + 1 warps at work.
template <class Word, int Loads, SharedEnd End>
__global__ void __launch_bounds__(1024) shared_loads(SharedLoads result) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ Interval intervals[warp_lanes];
  auto* const table = reinterpret_cast<Word*>(memory);
  table[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned congestion = blockIdx.x + 1, warps = blockIdx.y + 1;
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
  if (warp >= warps) return;
  const unsigned word = congested_word(lane, congestion);
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(table + word));
  std::uint32_t* const cycles =
      result.cycles + (blockIdx.x * gridDim.y + blockIdx.y) * result.repeats;
  unsigned wrong = 0;
  std::uint32_t end = 0;
#pragma unroll 1
  for (int repeat = 0; repeat < result.repeats; ++repeat) {
    const Interval t = timed_loads<Word, Loads, End>(address, Word{word}, 32 * warps,
                                                     result.wrong != nullptr, end);
    wrong += t.right ? 0 : 1;
    if (lane == 0) intervals[warp] = t;
    barrier(32 * warps);
    if (warp > 0) continue;
    const std::uint32_t elapsed = span(intervals, lane, warps);
    if (lane == 0) cycles[repeat] = elapsed;
  }
  if (wrong > 0) atomicAdd(result.wrong, 1);
}

__global__ void __launch_bounds__(128) subpartition_clocks(std::uint32_t* clocks, int repeats) {
  for (int repeat = 0; repeat < repeats; ++repeat) {
    barrier(128);
    const std::uint32_t now = clock32();
    if (threadIdx.x % warp_lanes == 0) clocks[repeat * 4 + threadIdx.x / warp_lanes] = now;
  }
}

using Kernel = void (*)(SharedLoads);

template <class Word, SharedEnd End, int... Loads>
constexpr std::array<Kernel, sizeof...(Loads)> kernels(std::integer_sequence<int, Loads...>) {
  return {shared_loads<Word, Loads, End>...};
}

Kernel kernel_of(int word_bytes, int loads, SharedEnd end) {
  using Counts = std::make_integer_sequence<int, shared_points + 1>;
  static constexpr auto four = kernels<Word32, SharedEnd::Arrived>(Counts{});
  static constexpr auto eight = kernels<Word64, SharedEnd::Arrived>(Counts{});
  static constexpr auto as_printed = kernels<Word64, SharedEnd::Issued>(Counts{});
  const auto& found = end == SharedEnd::Issued ? as_printed : word_bytes == 4 ? four : eight;
  return found.at(static_cast<std::size_t>(loads));
}

}  // namespace

void time_shared_loads(int word_bytes, int loads, SharedEnd end, const SharedLoads& result) {
  int device = 0, most = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "cudaDeviceGetAttribute");
  const Kernel kernel = kernel_of(word_bytes, loads, end);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)),
        "cudaFuncGetAttributes");
  // All shared memory there is: then no second block comes to the multiprocessor.
  const int bytes = most - static_cast<int>(attributes.sharedSizeBytes);
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "cudaFuncSetAttribute");
  const dim3 combinations(shared_points, shared_points);
  kernel<<<combinations, bank_table_words, static_cast<std::size_t>(bytes)>>>(result);
  check(cudaGetLastError(), "loads from shared memory");
}

void read_subpartition_clocks(std::uint32_t* clocks, int repeats) {
  subpartition_clocks<<<1, 128>>>(clocks, repeats);
  check(cudaGetLastError(), "clocks of the sub-partitions");
}

}  // namespace memstencil::probes
