// Streams over a footprint, again and again. Loads pass by L1 (ld.cg), so that L2 or memory serves
// them; a multiprocessor has the same units in each pass.
#include "kernels/probes/l2.hpp"

#include "kernels/probes/check.cuh"
#include "kernels/probes/clocks.hpp"

#include <cuda_runtime.h>

namespace memstencil::probes {

namespace {

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

/// The units of a multiprocessor: a table in shared memory, [array][unit].
struct OwnUnits {
  uint4* memory;
  const std::uint32_t* table;
  std::uint32_t share;
  __device__ __forceinline__ uint4* at(int array, std::uint32_t n) const {
    const std::uint32_t unit = table[static_cast<std::uint32_t>(array) * share + n];
    return memory + (static_cast<std::size_t>(unit) * 32 + threadIdx.x % 32);
  }
};

/// An access of a warp: loads first, so that several of them are under way, then the rest.
template <StreamOperation Operation>
struct Access {
  uint4* to;
  uint4 b, c;
  __device__ __forceinline__ void begin(const OwnUnits& own, std::uint32_t n) {
    to = own.at(0, n);
    if constexpr (Operation == StreamOperation::Read) b = load(to);
    if constexpr (Operation == StreamOperation::Copy || Operation == StreamOperation::Triad)
      b = load(own.at(1, n));
    if constexpr (Operation == StreamOperation::Triad) c = load(own.at(2, n));
  }
  __device__ __forceinline__ void end(const OwnUnits& own, std::uint32_t& sum) const {
    if constexpr (Operation == StreamOperation::Read) {
      sum += b.x + b.y + b.z + b.w;
    } else if constexpr (Operation == StreamOperation::Write) {
      const auto n = static_cast<std::uint32_t>(to - own.memory) * 4;
      store(to, {written_word(n), written_word(n + 1), written_word(n + 2), written_word(n + 3)});
    } else if constexpr (Operation == StreamOperation::Copy) {
      store(to, b);
    } else {
      store(to, {triad_word(b.x, c.x), triad_word(b.y, c.y), triad_word(b.z, c.z),
                 triad_word(b.w, c.w)});
    }
  }
};

__device__ void list_units(const StreamJob& job, const StreamPlace& place, std::uint32_t* table) {
  const StreamGroup& group = job.groups[place.group];
  for (int array = 0; array < arrays_of(job.operation); ++array)
    for (std::uint32_t n = threadIdx.x; n < job.share; n += threads) {
      const std::uint32_t unit = place.rank + n * place.members;
      const std::uint32_t block =
          group.blocks[static_cast<std::uint32_t>(array) * group.blocks_an_array +
                       unit / units_of_block];
      table[static_cast<std::uint32_t>(array) * job.share + n] =
          block * units_of_block + unit % units_of_block;
    }
}

template <StreamOperation Operation>
__global__ void __launch_bounds__(threads, 1) stream(const __grid_constant__ StreamJob job) {
  extern __shared__ std::uint32_t table[];
  std::uint32_t processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  if (processor >= stream_identifiers) return;
  const StreamPlace place = job.places[processor];
  if (place.group < 0) return;
  list_units(job, place, table);
  __syncthreads();

  // The warps take turns: access n of the multiprocessor is unit n % share, pass n / share.
  const OwnUnits own{reinterpret_cast<uint4*>(job.memory), table, job.share};
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
    for (auto& each : access) each.begin(own, next());
#pragma unroll
    for (auto& each : access) each.end(own, sum);
  }
#pragma unroll 1
  for (; left > 0; --left) {
    Access<Operation> access;
    access.begin(own, next());
    access.end(own, sum);
  }
  if constexpr (Operation == StreamOperation::Read) {
    for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0U, sum, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(&job.sums[processor], sum);
  }
  if (threadIdx.x == 0) atomicAdd(&job.arrivals[processor], 1U);
}

using Kernel = void (*)(StreamJob);

Kernel kernel_of(StreamOperation operation) {
  switch (operation) {
    case StreamOperation::Write:
      return stream<StreamOperation::Write>;
    case StreamOperation::Copy:
      return stream<StreamOperation::Copy>;
    case StreamOperation::Triad:
      return stream<StreamOperation::Triad>;
    case StreamOperation::Read:
      break;
  }
  return stream<StreamOperation::Read>;
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

__global__ void fill_words(std::uint32_t* memory, std::uint32_t words) {
  const std::uint32_t width = gridDim.x * blockDim.x;
  for (std::uint32_t n = blockIdx.x * blockDim.x + threadIdx.x; n < words; n += width)
    memory[n] = stream_word(n);
}

/// A block a unit of an array, a thread a word.
__global__ void compare_words(const __grid_constant__ StreamJob job, int group_number,
                              std::uint32_t* wrong) {
  const StreamGroup& group = job.groups[group_number];
  const auto number = [&](int array) {  // of the word in the memory
    const std::uint32_t block =
        group.blocks[static_cast<std::uint32_t>(array) * group.blocks_an_array +
                     blockIdx.x / units_of_block];
    return (block * units_of_block + blockIdx.x % units_of_block) * stream_unit_words + threadIdx.x;
  };
  const std::uint32_t n = number(0);
  std::uint32_t expected = stream_word(n);
  if (job.operation == StreamOperation::Write) expected = written_word(n);
  if (job.operation == StreamOperation::Copy) expected = stream_word(number(1));
  if (job.operation == StreamOperation::Triad)
    expected = triad_word(stream_word(number(1)), stream_word(number(2)));
  if (job.memory[n] != expected) atomicAdd(wrong, 1U);
  for (int array = 1; array < arrays_of(job.operation); ++array)
    if (job.memory[number(array)] != stream_word(number(array))) atomicAdd(wrong, 1U);
}

}  // namespace

std::uint32_t largest_stream_share() {
  return static_cast<std::uint32_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) /
         sizeof(std::uint32_t);
}

void fill_stream_words(std::uint32_t* memory, std::uint32_t words) {
  fill_words<<<4096, 256>>>(memory, words);
  check(cudaGetLastError(), "filling the memory of the streams");
}

double stream_seconds(const StreamJob& job) {
  const Kernel kernel = kernel_of(job.operation);
  // All the shared memory for one block: so each multiprocessor gets one.
  const int shared = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  const auto processors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
        "shared memory of a stream");
  const auto seconds = [&](const StreamJob& launch) {
    return seconds_of(
        [&] { kernel<<<processors, threads, static_cast<std::size_t>(shared)>>>(launch); });
  };
  StreamJob empty = job;
  empty.passes = 0;
  const double of_launch = seconds(empty);
  return seconds(job) - of_launch;
}

void count_wrong_words(const StreamJob& job, std::uint32_t* wrong) {
  for (int group = 0; group < 2; ++group)
    if (job.groups[group].units > 0)
      compare_words<<<job.groups[group].units, stream_unit_words>>>(job, group, wrong);
  check(cudaGetLastError(), "comparing the words of a stream");
}

}  // namespace memstencil::probes
