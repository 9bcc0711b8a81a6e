// Arrays of doubles: copies by the host's threads (the thesis' plain loop, and one that is
// vectorised) and by the device (an element a thread), reads and writes alone, and random patterns,
// written and checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace memstencil::probes {

/// Work on a part of an array: elements [begin, end).
using OfPart = std::function<void(std::size_t begin, std::size_t end)>;
/// Each thread of the host has a contiguous part of `count` elements, as OpenMP's static schedule
/// gives them. Waits for the end.
void on_host_threads(std::size_t count, const OfPart& of_part);

/// to[n] = from[n] for all n < count by all threads of the host. A core runs the loop of
/// [tsukuba-thesis-2024], list 4.1 (lines 20-22), as written there: compiled without optimisation,
/// an element at a time.
void host_copy_plain(double* to, const double* from, std::size_t count);

/// The same with the compiler's vector instructions and, if the processor has them, stores past
/// the caches, so that the destination is not read first.
void host_copy_vectorised(double* to, const double* from, std::size_t count);

/// to[n] = from[n] for all n < count by the device, as list 4.7 has it: each thread one
/// double. Waits for the end. In a build without a GPU by the host. (The host's own copy,
/// list 4.6, is host_copy_plain.)
void device_copy(double* to, const double* from, std::size_t count);

/// One core's part of host_copy_plain(), in a file of its own, compiled without optimisation.
void copy_row_plain(double* to, const double* from, std::size_t count);

/// A read alone, of a part: the sum of its words, modulo 2^64.
std::uint64_t add_words(const double* data, std::size_t begin, std::size_t end);
/// A write alone, of a part, past the caches: to[n] = block[n % block_count].
constexpr std::size_t block_count = 512;
void repeat_block(double* to, const double* block, std::size_t begin, std::size_t end);

/// What element n has is a function of the seed and n; or of n % period, a power of 2.
struct Pattern {
  Pattern(std::uint64_t its_seed, std::uint64_t period = 0) : seed(its_seed), mask(period - 1) {}
  std::uint64_t seed, mask;
};

/// Elements 0, stride, 2*stride, ... below `count` of an array of doubles get values in [0, 1) that
/// follow the pattern; with the doubles of a page as stride, each page is touched once. The pointer
/// must be good for the processor; all functions wait for their end.
struct PatternKernels {
  void (*write)(double* data, std::size_t count, std::size_t stride, Pattern pattern);
  /// The same of all elements, from the beginning of each region of 2 MiB to
  /// its end (kernels/regions.hpp).
  void (*fill)(double* data, std::size_t count, Pattern pattern);
  /// The number of elements 0, stride, ... that have another value.
  std::size_t (*wrong)(const double* data, std::size_t count, std::size_t stride, Pattern pattern);
  /// The sum of the words of `count` elements, modulo 2^64. Reads no memory.
  std::uint64_t (*sum)(std::size_t count, Pattern pattern);
};

/// By all threads of the host.
const PatternKernels& host_pattern();
/// By the device; in a build without one by the host.
const PatternKernels& device_pattern();

}  // namespace memstencil::probes
