// An array in device memory that a probe's kernels fill and the host reads.
#pragma once

#include "memory_spaces/buffer.hpp"
#include "memory_spaces/movement.hpp"

#include <cstddef>
#include <vector>

namespace memstencil::membench {

/// `count` values of a plain type, untouched at first. Errors as Buffer's.
template <class T>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : count_(count), buffer_(MemorySpace::Device, count * sizeof(T)) {}

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

}  // namespace memstencil::membench
