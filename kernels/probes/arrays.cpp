// Arrays of doubles: which thread of the host, or of the device, copies which part, and a random
// pattern.
#include "kernels/probes/arrays.hpp"

#include "kernels/host_stores.hpp"
#include "kernels/random.hpp"
#include "kernels/regions.hpp"

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>

namespace memstencil::probes {

namespace {

/// A hash of the index and the seed, its upper 53 bits as a fraction.
MEMSTENCIL_FUNCTION double pattern_value(std::uint64_t index, Pattern pattern) {
  return static_cast<double>(splitmix64(pattern.seed ^ (index & pattern.mask)) >> 11) * 0x1p-53;
}

template <class Exec>
using Elements =
    Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Kokkos::Schedule<Kokkos::Static>>;

std::size_t elements(std::size_t count, std::size_t stride) {
  return (count + stride - 1) / stride;
}

template <class Exec>
void write(double* data, std::size_t count, std::size_t stride, Pattern seed) {
  Kokkos::parallel_for(
      "write pattern", Elements<Exec>(0, elements(count, stride)),
      KOKKOS_LAMBDA(const std::size_t n) { data[n * stride] = pattern_value(n * stride, seed); });
  Exec().fence("write pattern");
}

template <class Exec>
void fill(double* data, std::size_t count, Pattern seed) {
  for_each_in_regions<double>(
      Exec(), "fill with pattern", static_cast<std::int64_t>(count),
      KOKKOS_LAMBDA(const std::int64_t n) {
        data[n] = pattern_value(static_cast<std::uint64_t>(n), seed);
      });
  Exec().fence("fill with pattern");
}

template <class Exec>
std::size_t wrong(const double* data, std::size_t count, std::size_t stride, Pattern seed) {
  std::size_t found = 0;
  Kokkos::parallel_reduce(
      "check pattern", Elements<Exec>(0, elements(count, stride)),
      KOKKOS_LAMBDA(const std::size_t n, std::size_t& sum) {
        // Not "differs": a NaN, as a poisoned array has them, must count as wrong.
        if (!(data[n * stride] == pattern_value(n * stride, seed))) ++sum;
      },
      found);
  return found;
}

template <class Exec>
std::uint64_t sum(std::size_t count, Pattern seed) {
  std::uint64_t all = 0;
  Kokkos::parallel_reduce(
      "add pattern up", Elements<Exec>(0, count),
      KOKKOS_LAMBDA(const std::size_t n, std::uint64_t& own) {
        own += Kokkos::bit_cast<std::uint64_t>(pattern_value(n, seed));
      },
      all);
  return all;
}

template <class Exec>
constexpr PatternKernels kernels{write<Exec>, fill<Exec>, wrong<Exec>, sum<Exec>};

}  // namespace

void on_host_threads(std::size_t count, const OfPart& of_part) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const auto parts = static_cast<std::size_t>(Exec().concurrency());
  const OfPart* const of = &of_part;
  Kokkos::parallel_for(
      "parts of an array", Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(0, parts),
      [=](const std::size_t n) { (*of)(count * n / parts, count * (n + 1) / parts); });
  Kokkos::fence("parts of an array");
}

void host_copy_plain(double* to, const double* from, std::size_t count) {
  on_host_threads(count, [=](std::size_t begin, std::size_t end) {
    copy_row_plain(to + begin, from + begin, end - begin);
  });
}

void host_copy_vectorised(double* to, const double* from, std::size_t count) {
  on_host_threads(count, [=](std::size_t begin, std::size_t end) {
    stream_elements(to + begin, from + begin, static_cast<std::int64_t>(end - begin));
    finish_streaming();
  });
}

std::uint64_t add_words(const double* data, std::size_t begin, std::size_t end) {
  std::uint64_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t n = begin; n < end; ++n) sum += std::bit_cast<std::uint64_t>(data[n]);
  return sum;
}

void repeat_block(double* to, const double* block, std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end;) {
    const std::size_t at = n % block_count, length = std::min(block_count - at, end - n);
    stream_elements(to + n, block + at, static_cast<std::int64_t>(length));
    n += length;
  }
  finish_streaming();
}

void device_copy(double* to, const double* from, std::size_t count) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::parallel_for(
      "device copy", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(0, count),
      KOKKOS_LAMBDA(const std::size_t n) { to[n] = from[n]; });
  Exec().fence("device copy");
}

const PatternKernels& host_pattern() { return kernels<Kokkos::DefaultHostExecutionSpace>; }
const PatternKernels& device_pattern() { return kernels<Kokkos::DefaultExecutionSpace>; }

}  // namespace memstencil::probes
