// Arrays of doubles: which thread of the host, or of the device, copies which part, and a random
// pattern.
#include "kernels/probes/arrays.hpp"

#include "kernels/host_stores.hpp"
#include "kernels/random.hpp"
#include "kernels/regions.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil::probes {

namespace {

using CopyRow = void (*)(double*, const double*, std::size_t);

void copy_parts(CopyRow copy_row, double* to, const double* from, std::size_t count) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const auto parts = static_cast<std::size_t>(Exec().concurrency());
  Kokkos::parallel_for("host copy",
                       Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(0, parts),
                       [=](const std::size_t part) {
                         const std::size_t begin = count * part / parts;
                         copy_row(to + begin, from + begin, count * (part + 1) / parts - begin);
                       });
  Kokkos::fence("host copy");
}

/// A hash of the index and the seed, its upper 53 bits as a fraction.
MEMSTENCIL_FUNCTION double pattern_value(std::uint64_t index, std::uint64_t seed) {
  return static_cast<double>(splitmix64(seed ^ index) >> 11) * 0x1p-53;
}

template <class Exec>
using Elements =
    Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Kokkos::Schedule<Kokkos::Static>>;

std::size_t elements(std::size_t count, std::size_t stride) {
  return (count + stride - 1) / stride;
}

template <class Exec>
void write(double* data, std::size_t count, std::size_t stride, std::uint64_t seed) {
  Kokkos::parallel_for(
      "write pattern", Elements<Exec>(0, elements(count, stride)),
      KOKKOS_LAMBDA(const std::size_t n) { data[n * stride] = pattern_value(n * stride, seed); });
  Exec().fence("write pattern");
}

template <class Exec>
void fill(double* data, std::size_t count, std::uint64_t seed) {
  for_each_in_regions<double>(
      Exec(), "fill with pattern", static_cast<std::int64_t>(count),
      KOKKOS_LAMBDA(const std::int64_t n) {
        data[n] = pattern_value(static_cast<std::uint64_t>(n), seed);
      });
  Exec().fence("fill with pattern");
}

template <class Exec>
std::size_t wrong(const double* data, std::size_t count, std::size_t stride, std::uint64_t seed) {
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
constexpr PatternKernels kernels{write<Exec>, fill<Exec>, wrong<Exec>};

}  // namespace

void host_copy_plain(double* to, const double* from, std::size_t count) {
  copy_parts(copy_row_plain, to, from, count);
}

void host_copy_vectorised(double* to, const double* from, std::size_t count) {
  const auto copy_row = [](double* row, const double* source, std::size_t length) {
    stream_elements(row, source, static_cast<std::int64_t>(length));
    finish_streaming();
  };
  copy_parts(copy_row, to, from, count);
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
