// A random pattern in an array, written and checked by the host or by the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memstencil::probes {

/// Elements 0, stride, 2*stride, ... below `count` of an array of doubles get values in [0, 1) that
/// depend on their index and the seed; with the doubles of a page as stride, each page is touched
/// once. The pointer must be good for the processor; all functions wait for their end.
struct PatternKernels {
  void (*write)(double* data, std::size_t count, std::size_t stride, std::uint64_t seed);
  /// The same of all elements, from the beginning of each region of 2 MiB to
  /// its end (kernels/regions.hpp).
  void (*fill)(double* data, std::size_t count, std::uint64_t seed);
  /// The number of elements 0, stride, ... that have another value.
  std::size_t (*wrong)(const double* data, std::size_t count, std::size_t stride,
                       std::uint64_t seed);
};

/// By all threads of the host.
const PatternKernels& host_pattern();
/// By the device; in a build without one by the host.
const PatternKernels& device_pattern();

}  // namespace memstencil::probes
