// The memory limits of kernels that write: arrays that are each a copy of one, or the sum of many,
// by one kernel, 16 bytes an access.
#pragma once

#include "kernels/portable.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace memstencil {

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
