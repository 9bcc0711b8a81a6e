// Probe l2: streams over a footprint that every multiprocessor has an equal share of, and the words
// that they leave.
#pragma once

#include "app/membench/core/gpu.cuh"

namespace memstencil::membench {

/// On 32-bit words: a = constant, a = b, a = b + 3 c. Read adds all words up.
enum class StreamOperation { Read, Write, Copy, Triad };
/// Array 0 is the one that is written; of Read the one that is read.
__host__ __device__ constexpr std::uint32_t arrays_of(StreamOperation operation) {
  if (operation == StreamOperation::Triad) return 3;
  return operation == StreamOperation::Copy ? 2 : 1;
}

/// An access of a warp, 16 bytes a thread: what the work is dealt out in.
constexpr std::uint32_t stream_unit_bytes = 512;
constexpr std::uint32_t stream_unit_words = stream_unit_bytes / sizeof(std::uint32_t);

/// Word n of the memory at first: each is different.
constexpr std::uint32_t word_step = 2654435761U, word_0 = 12345U;
inline __host__ __device__ std::uint32_t stream_word(std::uint32_t n) {
  return n * word_step + word_0;
}
/// Word n after it was written by Write.
inline __host__ __device__ std::uint32_t written_word(std::uint32_t n) {
  return stream_word(n) + 777U;
}
inline __host__ __device__ std::uint32_t triad_word(std::uint32_t b, std::uint32_t c) {
  return b + 3 * c;
}

/// Loads pass by L1 (ld.cg), so that L2 or memory serves them. A multiprocessor, which has one of
/// the `members` blocks, has the same units in each pass: of each array the units block,
/// block + members, ... The arrays stand one after the other.
struct StreamJob {
  StreamOperation operation = StreamOperation::Read;
  std::uint32_t* memory = nullptr;
  std::uint32_t members = 0, share = 0;  ///< units of each array that a multiprocessor has: `share`
  std::uint32_t passes = 0;       ///< over the footprint, in one launch; share * passes below 2^31
  std::uint32_t* sums = nullptr;  ///< by block: each launch of Read adds its words, modulo 2^32
  __host__ __device__ std::uint32_t units() const { return members * share; }  ///< of an array
  /// Of unit n of this block what this thread accesses.
  __device__ __forceinline__ uint4* at(std::uint32_t array, std::uint32_t n) const {
    const std::uint32_t unit = array * units() + blockIdx.x + n * members;
    return reinterpret_cast<uint4*>(memory) + (std::size_t{unit} * 32 + threadIdx.x % 32);
  }
};

constexpr int threads = 1024;
constexpr std::uint32_t warps = threads / 32;
/// Accesses of a warp that are under way at once: enough for the whole bandwidth of an L2.
constexpr int in_flight = 4;

__device__ __forceinline__ uint4 load(const uint4* at) {
  uint4 x{};
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
               : "l"(at));
  return x;
}

__device__ __forceinline__ void store(uint4* at, uint4 x) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(x.x), "r"(x.y), "r"(x.z),
               "r"(x.w)
               : "memory");
}

/// An access of a warp: loads first, so that several of them are under way, then the rest.
template <StreamOperation Operation>
struct Access {
  uint4* to;
  uint4 b, c;
  __device__ __forceinline__ void begin(const StreamJob& job, std::uint32_t n) {
    to = job.at(0, n);
    if constexpr (Operation == StreamOperation::Read) b = load(to);
    if constexpr (Operation == StreamOperation::Copy || Operation == StreamOperation::Triad)
      b = load(job.at(1, n));
    if constexpr (Operation == StreamOperation::Triad) c = load(job.at(2, n));
  }
  __device__ __forceinline__ void end(const StreamJob& job, std::uint32_t& sum) const {
    if constexpr (Operation == StreamOperation::Read) {
      sum += b.x + b.y + b.z + b.w;
    } else if constexpr (Operation == StreamOperation::Write) {
      const auto n = static_cast<std::uint32_t>(to - reinterpret_cast<uint4*>(job.memory)) * 4;
      store(to, {written_word(n), written_word(n + 1), written_word(n + 2), written_word(n + 3)});
    } else if constexpr (Operation == StreamOperation::Copy) {
      store(to, b);
    } else {
      store(to, {triad_word(b.x, c.x), triad_word(b.y, c.y), triad_word(b.z, c.z),
                 triad_word(b.w, c.w)});
    }
  }
};

template <StreamOperation Operation>
__global__ void __launch_bounds__(threads, 1) stream(const __grid_constant__ StreamJob job) {
  // The warps take turns: access n of the multiprocessor is unit n % share, pass n / share.
  const std::uint32_t warp = threadIdx.x / 32, accesses = job.share * job.passes;
  std::uint32_t left = accesses > warp ? (accesses - warp + warps - 1) / warps : 0;
  std::uint32_t n = warp % job.share, sum = 0;
  const std::uint32_t step = warps % job.share;
  const auto next = [&] {
    const std::uint32_t now = n;
    n += step;
    if (n >= job.share) n -= job.share;
    return now;
  };
#pragma unroll 1
  for (; left >= in_flight; left -= in_flight) {
    Access<Operation> access[in_flight];
#pragma unroll
    for (auto& each : access) each.begin(job, next());
#pragma unroll
    for (auto& each : access) each.end(job, sum);
  }
#pragma unroll 1
  for (; left > 0; --left) {
    Access<Operation> access;
    access.begin(job, next());
    access.end(job, sum);
  }
  if constexpr (Operation == StreamOperation::Read) {
    for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0U, sum, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(&job.sums[blockIdx.x], sum);
  }
}

inline __global__ void fill_words(std::uint32_t* memory, std::uint32_t words) {
  const std::uint32_t width = gridDim.x * blockDim.x;
  for (std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x; n < words; n += width)
    memory[n] = stream_word(n);
}

/// Block b compares unit b of each array, a thread a word.
inline __global__ void compare_words(const __grid_constant__ StreamJob job, std::uint32_t* wrong) {
  const std::uint32_t n = blockIdx.x * stream_unit_words + threadIdx.x;
  const std::uint32_t an_array = job.units() * stream_unit_words;
  std::uint32_t expected = stream_word(n);
  if (job.operation == StreamOperation::Write) expected = written_word(n);
  if (job.operation == StreamOperation::Copy) expected = stream_word(n + an_array);
  if (job.operation == StreamOperation::Triad)
    expected = triad_word(stream_word(n + an_array), stream_word(n + 2 * an_array));
  if (job.memory[n] != expected) atomicAdd(wrong, 1U);
  for (std::uint32_t array = 1; array < arrays_of(job.operation); ++array)
    if (job.memory[n + array * an_array] != stream_word(n + array * an_array)) atomicAdd(wrong, 1U);
}

}  // namespace memstencil::membench
