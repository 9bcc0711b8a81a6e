// Coefficients in either layout for tests; the packing is written a second time.
#pragma once

#include "kernels/jacobi/grid.hpp"

#include <cstddef>
#include <vector>

namespace memstencil::jacobi {

/// The coefficients of these arrays, by ArrayId, as [i][j][k/8][12][8].
inline std::vector<float> packed(const std::vector<std::vector<float>>& arrays) {
  std::vector<float> out(12 * arrays[A0].size());
  std::size_t place = 0;
  for (std::size_t id = 0; id < array_count; ++id) {
    if (id == P) continue;
    for (std::size_t n = 0; n < arrays[id].size(); ++n)
      out[n / 8 * 96 + place * 8 + n % 8] = arrays[id][n];
    ++place;
  }
  return out;
}

/// Of arrays by ArrayId.
template <class ArraysById>
Coefficients coefficients_of(const ArraysById& a) {
  return {a[A0].data(), a[A1].data(), a[A2].data(), a[A3].data(), a[B0].data(),   a[B1].data(),
          a[B2].data(), a[C0].data(), a[C1].data(), a[C2].data(), a[WRK1].data(), a[BND].data()};
}

}  // namespace memstencil::jacobi
