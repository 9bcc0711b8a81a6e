// Shared by the probes of a GPU: launches, arrays in its memory, and the two clocks: events around
// launches, and a multiprocessor's own within one ([hiroshima-shared-memory]: clock reads in inline
// PTX around the timed code). Empty in a build without CUDA.
#pragma once

#include "app/membench/core/analysis.hpp"
#include "app/membench/core/memory.hpp"
#include "memory_spaces/capabilities.hpp"

#ifdef MEMSTENCIL_CUDA
#include "kernels/cuda_calls.cuh"
#include "memory_spaces/movement.hpp"

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace memstencil::membench {

struct Grid {
  Grid(dim3 of_blocks, dim3 of_threads, std::size_t bytes = 0, cudaStream_t in = nullptr)
      : blocks(of_blocks), threads(of_threads), shared(bytes), stream(in) {}
  Grid(std::integral auto of_blocks, std::integral auto of_threads)
      : Grid(dim3(static_cast<unsigned>(of_blocks)), dim3(static_cast<unsigned>(of_threads))) {}
  dim3 blocks, threads;
  std::size_t shared;
  cudaStream_t stream;
};

/// Starts a kernel. The error is one of this launch, and no older one.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), const Grid& grid,
            std::type_identity_t<Parameters>... arguments) {
  void* all[] = {&arguments...};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid.blocks, grid.threads, all,
                         grid.shared, grid.stream),
        "start of a kernel");
}
inline void wait_for_gpu(const char* what) { check(cudaDeviceSynchronize(), what); }

/// of(a constant n) for this n < Count: makes a value of the command line one of the compiler.
template <int Count, class Of>
auto pick(int n, const Of& of) {
  decltype(of(std::integral_constant<int, 0>())) found{};
  [&]<int... N>(std::integer_sequence<int, N...>) {
    ((N == n ? void(found = of(std::integral_constant<int, N>())) : void()), ...);
  }
  (std::make_integer_sequence<int, Count>());
  return found;
}

inline int multiprocessors() { return gpu_attribute(cudaDevAttrMultiProcessorCount); }
/// Blocks of `threads` threads that a multiprocessor holds at once.
int resident_blocks(const void* kernel, int threads);
/// Gives the kernel all the shared memory that a block can have, so that a multiprocessor gets one
/// block; returns the bytes that a launch has to ask for.
std::size_t take_all_shared_memory(const void* kernel);

/// `count` values of a plain type in device memory, untouched at first. Errors as Buffer's.
template <class T>
struct DeviceArray : Buffer {
  explicit DeviceArray(std::integral auto count)
      : Buffer(MemorySpace::Device, static_cast<std::size_t>(count) * sizeof(T)) {}
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { set(values); }

  T* data() const { return static_cast<T*>(Buffer::data()); }
  std::size_t size() const { return bytes() / sizeof(T); }
  /// From the first value on; not more than there is room for.
  void set(const std::vector<T>& values) { copy(data(), values.data(), values.size() * sizeof(T)); }
  std::vector<T> all() const {
    std::vector<T> values(size());
    copy(values.data(), data(), bytes());
    return values;
  }
  /// NaN, if T is floating-point: a value that a kernel does not write is found.
  void spoil() { fill(data(), 0xFF, bytes()); }
};

struct NotCopied {
  NotCopied() = default;
  NotCopied& operator=(NotCopied&&) = delete;  // nor any copy
};

template <class Handle, cudaError_t (*Make)(Handle*), cudaError_t (*End)(Handle)>
class Owned : NotCopied {
public:
  Owned() { check(Make(&handle_), "a stream or event"); }
  ~Owned() { End(handle_); }
  Handle get() const { return handle_; }

private:
  Handle handle_ = nullptr;
};
using Stream = Owned<cudaStream_t, cudaStreamCreate, cudaStreamDestroy>;
/// Made before the timed work: making one takes microseconds.
using Event = Owned<cudaEvent_t, cudaEventCreate, cudaEventDestroy>;

inline void record(const Event& event, cudaStream_t stream = nullptr) {
  check(cudaEventRecord(event.get(), stream), "cudaEventRecord");
}
/// Waits for both.
double seconds_between(const Event& begin, const Event& end);

/// Holds the default stream, and those that wait for it, until all of a sample's work has been put
/// in: otherwise the time from the first event to the launch's arrival counts as the kernel's. Lets
/// go after 20 ms at the latest, for work that itself waits for the GPU.
struct Gate : NotCopied {
  Gate();
  ~Gate() { open(); }
  static void open();
};

/// Seconds between an event before and an event after the work put into the default stream (or
/// into streams that wait for it and that it waits for). Waits for the end.
/// @throws as check
double seconds_of(const std::function<void()>& work);

__device__ __forceinline__ std::int64_t sm_clock() {
  long long cycles = 0;
  // The memory clobber keeps the compiler's own loads and stores on their side of the clock.
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

/// The clocks of a launch, passed to the kernels below by value.
struct Clocks {
  WarpTimes* times;
  unsigned* arrivals;  ///< 0 before the launch
};

/// Blocks that share a multiprocessor begin together: all blocks of the grid wait for each other
/// here, before the untimed pass. Gives up if they cannot all be resident.
__device__ __forceinline__ void meet(const Clocks& clocks) {
  if (threadIdx.x == 0) {
    atomicAdd(clocks.arrivals, 1U);
    const volatile unsigned* const arrived = clocks.arrivals;
    for (int turns = 0; turns < 1 << 20 && *arrived < gridDim.x;) ++turns;
  }
  __syncthreads();
}

struct Interval {
  std::int64_t begin, end;
};

/// All threads of the block make `iterations` of the body. A pass before, once through the loop,
/// brings it into the instruction caches (and the words that it loads into L1); it is not timed.
template <class Body>
__device__ __forceinline__ Interval time_loop(int iterations, Body&& body) {
  std::int64_t begin = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    int left = pass == 0 ? 1 : iterations;
    __syncthreads();
    begin = sm_clock();
#pragma unroll 1
    do {
      body();
    } while (--left > 0);
  }
  return {begin, sm_clock()};
}

__device__ __forceinline__ void leave_times(const Clocks& clocks, unsigned warp, Interval timed) {
  if (threadIdx.x % 32 != 0) return;
  unsigned sm = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  clocks.times[warp] = {timed.begin, timed.end, sm};
}
__device__ __forceinline__ void leave_times(const Clocks& clocks, Interval timed) {
  leave_times(clocks, (blockIdx.x * blockDim.x + threadIdx.x) / 32, timed);
}

class ClockedWarps {
public:
  explicit ClockedWarps(int warps) : times_(warps), arrivals_(1) {}

  /// For the next launch.
  Clocks clocks() {
    arrivals_.set({0});
    return {times_.data(), arrivals_.data()};
  }
  /// Cycles of the launch, for whose end this waits. @throws as sm_cycles
  SmCycles cycles(int warps_of_sm) const {
    wait_for_gpu("a kernel between two clock reads");
    return sm_cycles(times_.all(), warps_of_sm);
  }

private:
  DeviceArray<WarpTimes> times_;
  DeviceArray<unsigned> arrivals_;
};

}  // namespace memstencil::membench
#endif
