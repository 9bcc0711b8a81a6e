// A vectorised read of given arrays by all threads of the host: its memory limit, and how it takes
// a result.
#pragma once

#include "kernels/on_host.hpp"

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <vector>

namespace memstencil {

/// An array to be read: `count` elements from `data`.
template <class T>
struct Stream {
  const T* data;
  std::int64_t count;
};

/// Sum of elements [lo, hi) of `data`, read at the speed of the memory: 64 independent partial
/// sums, so that no addition waits for another; rounded to T inside a block of 4096, added in
/// double.
template <class T>
double read_elements(const T* data, std::int64_t lo, std::int64_t hi) {
  constexpr int lanes = 64;
  constexpr std::int64_t block = 4096;
  double sum = 0.0;
  for (; lo + block <= hi; lo += block) {
    T lane[lanes] = {};
    for (std::int64_t k = lo; k < lo + block; k += lanes) {
#pragma omp simd
      for (int l = 0; l < lanes; ++l) lane[l] += data[k + l];
    }
    T block_sum{};
#pragma omp simd reduction(+ : block_sum)
    for (int l = 0; l < lanes; ++l) block_sum += lane[l];
    sum += static_cast<double>(block_sum);
  }
  for (; lo < hi; ++lo) sum += static_cast<double>(data[lo]);
  return sum;
}

/// Reads every array once. Each thread reads one contiguous part of each array: the part whose
/// points it updates in a sweep, so that pages are near the thread that touched them first.
/// @return the sum of all elements (of floats about 6 digits): use it, or the reads may be
/// optimised away
template <class Exec, class T>
double read_stream(const Exec& exec, const std::vector<Stream<T>>& arrays) {
  static_assert(on_host<Exec>, "a read stream over the host's memory runs on the host");
  const std::int64_t parts = exec.concurrency();
  const Stream<T>* const first = arrays.data();
  const Stream<T>* const last = first + arrays.size();
  double sum = 0.0;
  Kokkos::parallel_reduce(
      "read stream", Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(exec, 0, parts),
      [=](const std::int64_t part, double& part_sum) {
        for (const Stream<T>* s = first; s != last; ++s)
          part_sum +=
              read_elements(s->data, s->count * part / parts, s->count * (part + 1) / parts);
      },
      sum);
  return sum;
}

}  // namespace memstencil
