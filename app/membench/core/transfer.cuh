// Streams over arrays by accesses of 16 bytes, each element once or a footprint again and again
// (l2); and transfers between memories, by these and by the copy engines.
#pragma once

#include "app/membench/core/gpu.cuh"

#ifdef MEMSTENCIL_CUDA
namespace memstencil::membench {

/// The mover of the bytes: cudaMemcpyAsync, or a kernel whose threads read and write 16 bytes at a
/// time, on the whole GPU or (with another one) on half of it. A reader adds the words of `from`
/// to the first of `to`, modulo 2^64; a writer fills `to` with `from` again and again, which has
/// probes::block_count elements.
enum class Mover { CopyEngine, Kernel, KernelOnHalf, Reader, Writer };

/// All of an array but an odd last double, by a GPU that reaches both (an engine reaches any).
struct Transfer {
  const Array* to;
  const Array* from;
  Mover mover = Mover::CopyEngine;
  int gpu = -1;  ///< -1: the current one
};

/// Makes a GPU current as long as it lives; -1: leaves the current one.
class Current : NotCopied {
public:
  explicit Current(int gpu) {
    check(cudaGetDevice(&before_), "cudaGetDevice");
    if (gpu >= 0) check(cudaSetDevice(gpu), "cudaSetDevice");
  }
  ~Current() { cudaSetDevice(before_); }

private:
  int before_ = 0;
};

/// Puts it into a stream of the current GPU. @throws as check
void start_transfer(const Transfer& transfer, cudaStream_t stream);

/// Seconds of `times` transfers of the first kind, one after the other, while the others
/// go on: they have begun before, and end later. By events, and by the host's clock if an engine
/// copies pageable memory. @throws Failure(Machine) if they do not go on at once
double transfer_seconds(const std::vector<Transfer>& transfers, int times);

/// On 64-bit words: the sum of a, a = a block that repeats, a = b, a = b + 3 c.
enum class StreamOperation { Read, Write, Copy, Triad };
using Element = ulonglong2;

struct StreamJob {
  Element* a;          ///< written; Read: read
  const Element* b;    ///< Write: the block
  const Element* c;    ///< of Triad
  unsigned period;     ///< elements of the block; it divides the threads of a block
  std::uint64_t* sum;  ///< Read adds its words, modulo 2^64
};

/// Accesses of a thread that are under way at once: enough for the whole bandwidth of an L2.
constexpr unsigned in_flight = 4;

/// Past L1, so that L2 or memory serves it.
__device__ __forceinline__ Element load(const Element* at) {
  Element x{};
  asm volatile("ld.global.cg.v2.u64 {%0, %1}, [%2];" : "=l"(x.x), "=l"(x.y) : "l"(at));
  return x;
}

/// Loads first, so that several accesses are under way, then the rest.
template <StreamOperation Operation>
struct Access {
  Element* a;
  Element b, c;
  __device__ __forceinline__ void begin(const StreamJob& job, std::size_t n, const Element& own) {
    a = job.a + n;
    if constexpr (Operation == StreamOperation::Read) b = load(a);
    if constexpr (Operation == StreamOperation::Write) b = own;
    if constexpr (Operation >= StreamOperation::Copy) b = load(job.b + n);
    if constexpr (Operation == StreamOperation::Triad) c = load(job.c + n);
  }
  __device__ __forceinline__ void end(std::uint64_t& sum) {
    if constexpr (Operation == StreamOperation::Read) sum += b.x + b.y;
    if constexpr (Operation == StreamOperation::Triad) b = {b.x + 3 * c.x, b.y + 3 * c.y};
    if constexpr (Operation != StreamOperation::Read)
      asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(a), "l"(b.x), "l"(b.y) : "memory");
  }
};

/// `left` accesses of this thread, at the elements that next() gives.
template <StreamOperation Operation, class Next>
__device__ __forceinline__ void stream(const StreamJob& job, unsigned left, Next next) {
  Element own{};
  if constexpr (Operation == StreamOperation::Write) own = job.b[threadIdx.x % job.period];
  std::uint64_t sum = 0;
#pragma unroll 1
  for (; left >= in_flight; left -= in_flight) {
    Access<Operation> access[in_flight];
#pragma unroll
    for (auto& each : access) each.begin(job, next(), own);
#pragma unroll
    for (auto& each : access) each.end(sum);
  }
#pragma unroll 1
  for (; left > 0; --left) {
    Access<Operation> access;
    access.begin(job, next(), own);
    access.end(sum);
  }
  if constexpr (Operation == StreamOperation::Read) {
    __shared__ unsigned long long of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0U, sum, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(&of_block, sum);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(reinterpret_cast<unsigned long long*>(job.sum), of_block);
  }
}

/// Each element once: `whole` by every thread of the grid, and one more by the first `rest`.
constexpr unsigned once_threads = 512;
template <StreamOperation Operation>
__global__ void __launch_bounds__(once_threads, 4)
    stream_once(const __grid_constant__ StreamJob job, unsigned whole, unsigned rest) {
  const std::size_t width = std::size_t{gridDim.x} * once_threads;
  std::size_t n = std::size_t{blockIdx.x} * once_threads + threadIdx.x;
  stream<Operation>(job, whole + (n < rest ? 1 : 0), [&] {
    const std::size_t now = n;
    n += width;
    return now;
  });
}

/// A footprint `passes` times. A block has `share` units in each pass, of a warp's access each:
/// unit `block`, block + blocks, ... Its warps take turns: access n is unit n % share, pass
/// n / share; share * passes is below 2^31.
constexpr unsigned pass_threads = 1024, unit_bytes = 32 * sizeof(Element);
template <StreamOperation Operation>
__global__ void __launch_bounds__(pass_threads, 1)
    stream_passes(const __grid_constant__ StreamJob job, unsigned share, unsigned passes) {
  constexpr unsigned warps = pass_threads / 32;
  const unsigned warp = threadIdx.x / 32, accesses = share * passes, step = warps % share;
  unsigned n = warp % share;
  stream<Operation>(job, accesses > warp ? (accesses - warp + warps - 1) / warps : 0, [&] {
    const unsigned now = n;
    n += step;
    if (n >= share) n -= share;
    return std::size_t{blockIdx.x + now * gridDim.x} * 32 + threadIdx.x % 32;
  });
}

}  // namespace memstencil::membench
#endif
