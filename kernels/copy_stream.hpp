// The device's memory limit: copies of arrays by one kernel, 16 bytes an access.
#pragma once

#include "kernels/portable.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace memstencil {

struct CopiedArray {
  float* to;
  const float* from;
};

/// No KOKKOS_LAMBDA: nvcc calls one of a template in several files by a pointer that may be null.
template <std::size_t arrays>
struct CopiedFloats {
  Vector<float>* out[arrays];
  const Vector<float>* in[arrays];
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    Vector<float> read[arrays];
    for (std::size_t a = 0; a < arrays; ++a) read[a] = in[a][n];
    for (std::size_t a = 0; a < arrays; ++a) out[a][n] = read[a];
  }
};

/// Copies `count` floats of each array (a multiple of 4, all pointers 16-byte aligned).
/// Asynchronous on a device. A kernel and not a memcpy: a memcpy of managed or system memory may be
/// done by another engine than the one that runs the sweeps. One kernel for all arrays: small ones
/// are copied in the time that it takes to start another.
template <class Exec, std::size_t arrays>
void copy_stream(const Exec& exec, const std::array<CopiedArray, arrays>& copied,
                 std::int64_t count) {
  CopiedFloats<arrays> kernel{};
  for (std::size_t a = 0; a < arrays; ++a) {
    kernel.out[a] = reinterpret_cast<Vector<float>*>(copied[a].to);
    kernel.in[a] = reinterpret_cast<const Vector<float>*>(copied[a].from);
  }
  Kokkos::parallel_for(
      "copy stream", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count / 4),
      kernel);
}

}  // namespace memstencil
