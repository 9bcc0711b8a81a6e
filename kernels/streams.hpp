// The memory limits: a vectorised read of given arrays by all threads of the host, which also takes
// a result; and of kernels that write, arrays that are each a copy of one, or the sum of many, by
// one kernel, 16 bytes an access.
#pragma once

#include "kernels/on_host.hpp"
#include "kernels/portable.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
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

/// An array that is written, and those that it is the sum of: with one of these it is a copy.
template <std::size_t reads>
struct WrittenArray {
  float* to;
  std::array<const float*, reads> from;
};

/// No KOKKOS_LAMBDA: nvcc calls one of a template in several files by a pointer that may be null.
template <std::size_t reads, std::size_t arrays>
struct SummedFloats {
  Vector<float>* out[arrays];
  const Vector<float>* in[arrays][reads];
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    Vector<float> read[arrays][reads];
    for (std::size_t a = 0; a < arrays; ++a)
      for (std::size_t r = 0; r < reads; ++r) read[a][r] = in[a][r][n];
    for (std::size_t a = 0; a < arrays; ++a) {
      for (std::size_t r = 1; r < reads; ++r)
        for (int k = 0; k < Vector<float>::size; ++k) read[a][0].x[k] += read[a][r].x[k];
      out[a][n] = read[a][0];
    }
  }
};

/// Writes `count` floats of each array (a multiple of 4, all pointers 16-byte aligned).
/// Asynchronous on a device. A kernel and not a memcpy: a memcpy of managed or system memory may be
/// done by another engine than the one that runs the sweeps. One kernel for all arrays: small ones
/// are copied in the time that it takes to start another.
template <class Exec, std::size_t reads, std::size_t arrays>
void copy_stream(const Exec& exec, const std::array<WrittenArray<reads>, arrays>& written,
                 std::int64_t count) {
  SummedFloats<reads, arrays> kernel{};
  for (std::size_t a = 0; a < arrays; ++a) {
    kernel.out[a] = reinterpret_cast<Vector<float>*>(written[a].to);
    for (std::size_t r = 0; r < reads; ++r)
      kernel.in[a][r] = reinterpret_cast<const Vector<float>*>(written[a].from[r]);
  }
  Kokkos::parallel_for(
      "copy stream", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count / 4),
      kernel);
}

}  // namespace memstencil
