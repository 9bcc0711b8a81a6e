// Arrays of doubles: copies by the host's threads (the thesis' plain loop, and one that is
// vectorised) and by the device (an element a thread), and random patterns, written and checked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace memstencil::probes {

/// to[n] = from[n] for all n < count by all threads of the host, a contiguous part each, as
/// OpenMP's static schedule gives them. A core runs the loop of [tsukuba-thesis-2024], list 4.1
/// (lines 20-22), as written there: compiled without optimisation, an element at a time.
void host_copy_plain(double* to, const double* from, std::size_t count);

/// The same with the compiler's vector instructions and, where the processor has them, stores past
/// the caches, so that the destination is not read first.
void host_copy_vectorised(double* to, const double* from, std::size_t count);

/// to[n] = from[n] for all n < count by the device, as list 4.7 has it: each thread one
/// double. Waits for the end. In a build without a GPU by the host. (The host's own copy,
/// list 4.6, is host_copy_plain.)
void device_copy(double* to, const double* from, std::size_t count);

/// One core's part of host_copy_plain(), in a file of its own, compiled without optimisation.
void copy_row_plain(double* to, const double* from, std::size_t count);

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
