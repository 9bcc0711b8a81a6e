// Going through rows of a larger array and their packed copy, as each processor does it fastest.
#pragma once

#include "kernels/on_host.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace memstencil {

/// Calls body(row, k) for 0 <= row < rows and 0 <= k < width. In the packed copy the
/// element is number row * width + k.
template <class Exec, class Body>
void for_each_packed(const Exec& exec, const char* label, std::int64_t rows, std::int64_t width,
                     const Body& body) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  if constexpr (on_host<Exec>) {
    // A thread copies whole rows: the loop becomes vector moves.
    Kokkos::parallel_for(label, Range(exec, 0, rows), [=](std::int64_t row) {
      for (std::int64_t k = 0; k < width; ++k) body(row, k);
    });
  } else {
    // Neighbouring threads have neighbours of the packed copy, however narrow the rows are: what
    // crosses a link crosses it in whole lines. A division of 64 bits takes longer than the copy of
    // an element: most arrays do with one of 32.
    const bool small = rows * width <= std::numeric_limits<std::uint32_t>::max();
    Kokkos::parallel_for(
        label, Range(exec, 0, rows * width), KOKKOS_LAMBDA(const std::int64_t n) {
          const std::int64_t row =
              small ? static_cast<std::uint32_t>(n) / static_cast<std::uint32_t>(width) : n / width;
          body(row, n - row * width);
        });
  }
}

}  // namespace memstencil
