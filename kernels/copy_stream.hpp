// The device's memory limit: a copy from one array to another by a kernel, 16 bytes an access.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace memstencil {

/// 16 bytes, read and written by one instruction.
struct alignas(16) FourFloats {
  float x[4];
};

/// No KOKKOS_LAMBDA: nvcc calls one of a template in several files by a pointer that may be null.
struct CopiedFloats {
  FourFloats* out;
  const FourFloats* in;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { out[n] = in[n]; }
};

/// Copies `count` floats (a multiple of 4, both pointers 16-byte aligned). Asynchronous on a
/// device. A kernel and not a memcpy: a memcpy of managed or system memory may be done by another
/// engine than the one that runs the sweeps.
template <class Exec>
void copy_stream(const Exec& exec, float* to, const float* from, std::int64_t count) {
  Kokkos::parallel_for(
      "copy stream", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count / 4),
      CopiedFloats{reinterpret_cast<FourFloats*>(to), reinterpret_cast<const FourFloats*>(from)});
}

}  // namespace memstencil
