// Writing a large array for the first time, in the order in which its pages come cheapest.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace memstencil {

/// A GPU's driver makes managed pages in blocks of this size. Bytes.
inline constexpr std::size_t region_bytes = std::size_t{2} << 20;
/// About the multiprocessors of a GPU: arrays of fewer regions are cut finer.
inline constexpr std::int64_t fewest_pieces = 128;

// Functors, no KOKKOS_LAMBDA: nvcc calls one of a template in several files by a pointer that may
// be null.

/// A team's region of an array of `count` elements.
template <class Policy, class Body>
struct InRegion {
  std::int64_t length, count;
  Body body;
  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::int64_t begin = team.league_rank() * length;
    const std::int64_t end = begin + length < count ? begin + length : count;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), body);
  }
};

/// A read whose value is not used, and that is made all the same.
template <class T>
struct ReadElement {
  const volatile T* data;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const T value = data[n];
    (void)value;
  }
};

/// Calls body(n) for 0 <= n < count, the elements of an array of T: a team works from the beginning
/// of a region to its end. So few teams ask for pages of the same region at once, and the driver,
/// which handles faults by the region, has fewer of them than if all threads of the GPU met in one
/// (docs/lab/placement-behind-pcie.md).
template <class T, class Exec, class Body>
void for_each_in_regions(const Exec& exec, const char* label, std::int64_t count,
                         const Body& body) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (count <= 0) return;
  constexpr auto region = static_cast<std::int64_t>(region_bytes / sizeof(T));
  const std::int64_t part = (count + fewest_pieces - 1) / fewest_pieces;
  const std::int64_t length = part < region ? part : region;
  Kokkos::parallel_for(label,
                       Policy(exec, static_cast<int>((count + length - 1) / length), Kokkos::AUTO),
                       InRegion<Policy, Body>{length, count, body});
}

/// Reads every element once in that order and changes none: so a GPU asks for pages that another
/// processor touched first. Asynchronous on a device.
template <class T, class Exec>
void read_in_regions(const Exec& exec, const T* data, std::int64_t count) {
  for_each_in_regions<T>(exec, "read pages", count, ReadElement<T>{data});
}

}  // namespace memstencil
