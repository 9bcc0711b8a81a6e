// Shared by the probes of a GPU: errors, arrays in its memory, and the two clocks: events around
// launches, and a multiprocessor's own within one ([hiroshima-shared-memory]: clock reads in inline
// PTX around what is timed).
#pragma once

#include "app/membench/core/machine.hpp"
#include "app/membench/core/sm_cycles.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace memstencil::membench {

/// @throws std::runtime_error "WHAT: CUDA's reason"
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // what is told must not be found again by the next call
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}
/// After a kernel launch: was it accepted, and has the kernel (and all before it) ended well?
inline void check_kernel(const char* what) {
  check(cudaGetLastError(), what);
  check(cudaDeviceSynchronize(), what);
}

/// Of the GPU in use.
int attribute(cudaDeviceAttr which);
inline int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }
/// Threads that all multiprocessors hold at most.
inline int resident_threads() {
  return multiprocessors() * attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
}

/// `count` values of a plain type in device memory, untouched at first. Errors as Buffer's.
template <class T>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count)
      : count_(count), buffer_(MemorySpace::Device, count * sizeof(T)) {}
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { set(values); }

  T* data() const { return static_cast<T*>(buffer_.data()); }
  std::size_t size() const { return count_; }
  /// From the first value on; not more than there is room for.
  void set(const std::vector<T>& values) { copy(data(), values.data(), values.size() * sizeof(T)); }
  /// The first `count` values.
  std::vector<T> first(std::size_t count) const {
    std::vector<T> values(count);
    copy(values.data(), data(), count * sizeof(T));
    return values;
  }
  std::vector<T> all() const { return first(count_); }
  /// No number, where T is floating-point: what a kernel does not write is found.
  void spoil() { fill(data(), 0xFF, count_ * sizeof(T)); }

private:
  std::size_t count_;
  Buffer buffer_;
};

class Stream {
public:
  Stream() { check(cudaStreamCreate(&stream_), "cudaStreamCreate"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

/// Made before what is timed: making one takes microseconds.
class Event {
public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream = nullptr) const {
    check(cudaEventRecord(event_, stream), "cudaEventRecord");
  }
  /// From another event to this one; waits for both.
  double seconds_since(const Event& begin) const;

private:
  cudaEvent_t event_ = nullptr;
};

/// Holds the default stream, and those that wait for it, until all of a sample's work has been put
/// in: otherwise the time from the first event to the launch's arrival counts as the kernel's. Lets
/// go after 20 ms at the latest, for work that itself waits for the GPU.
class Gate {
public:
  Gate();
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void open();
};

/// Seconds between an event before and an event after what `work` puts into the default stream (or
/// into streams that wait for it and that it waits for). Waits for the end.
/// @throws as check
double seconds_of(const std::function<void()>& work);

__device__ __forceinline__ std::int64_t sm_clock() {
  long long cycles = 0;
  // The memory clobber keeps the compiler's own loads and stores on their side of the clock.
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

/// Blocks that share a multiprocessor begin together: all `blocks` of the grid wait for each other
/// here, before the untimed pass. `arrivals` is 0 before the launch; null: none share. Gives up
/// where they cannot all be resident.
__device__ __forceinline__ void meet(unsigned* arrivals, unsigned blocks) {
  if (arrivals == nullptr) return;
  if (threadIdx.x == 0) {
    atomicAdd(arrivals, 1U);
    for (int turns = 0; turns < 1 << 20 && *static_cast<volatile unsigned*>(arrivals) < blocks;)
      ++turns;
  }
  __syncthreads();
}

/// Begin and end of a warp, by the clock of its multiprocessor.
struct Interval {
  std::int64_t begin, end;
};

/// All threads of the block make `iterations` of the body. A pass before, once through the loop,
/// brings it into the instruction caches (and into L1 what it loads); it is not timed.
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

/// One warp's times go to times[warp].
__device__ __forceinline__ void leave_times(WarpTimes* times, unsigned warp, Interval timed) {
  if (threadIdx.x % 32 != 0) return;
  unsigned sm = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  times[warp] = {timed.begin, timed.end, sm};
}
/// To times[number of the warp in the grid].
__device__ __forceinline__ void leave_times(WarpTimes* times, Interval timed) {
  leave_times(times, (blockIdx.x * blockDim.x + threadIdx.x) / 32, timed);
}

}  // namespace memstencil::membench
