// Shared by the probes of a GPU: arrays in its memory, and the threads and busy time of its
// multiprocessors.
#pragma once

#include "app/membench/core/measuring.hpp"
#include "kernels/probes/clocks.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace memstencil::membench {

/// Threads that a multiprocessor holds at most (compute capability 9.0).
inline constexpr int resident_threads = 2048;

/// `count` values of a plain type in device memory, untouched at first. Errors as Buffer's.
template <class T>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count)
      : count_(count), buffer_(MemorySpace::Device, count * sizeof(T)) {}

  T* data() const { return static_cast<T*>(buffer_.data()); }

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

/// Cycles from the begin of an SM's first warp to the end of its last ([hiroshima-shared-memory]:
/// begin = min, end = max).
struct SmCycles {
  double median = 0;   ///< over the SMs
  double longest = 0;  ///< the slowest SM
};

/// SMs that had another number of warps than `warps` are left out: their
/// cycles mean something else.
/// @throws Failure(Machine) where no SM had so many
SmCycles sm_cycles(std::span<const probes::WarpTimes> times, int warps);

}  // namespace memstencil::membench
