// The device's memory limit: a copy from one array to another by a kernel, 16 bytes an access.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace memstencil {

/// 16 bytes, read and written by one instruction.
struct alignas(16) FourFloats {
  float x[4];
};

/// Copies `count` floats (a multiple of 4, both pointers 16-byte aligned). Asynchronous on a
/// device. A kernel and not a memcpy: a memcpy of managed or system memory may be done by another
/// engine than the one that runs the sweeps.
template <class Exec>
void copy_stream(const Exec& exec, float* to, const float* from, std::int64_t count) {
  auto* const out = reinterpret_cast<FourFloats*>(to);
  const auto* const in = reinterpret_cast<const FourFloats*>(from);
  Kokkos::parallel_for(
      "copy stream", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count / 4),
      KOKKOS_LAMBDA(const std::int64_t n) { out[n] = in[n]; });
}

}  // namespace memstencil
