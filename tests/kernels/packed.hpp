// Coefficients in either layout for tests; the packing is written a second time.
#pragma once

#include "kernels/jacobi/arrays.hpp"

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
  Coefficients out{};
  for (std::size_t n = 0; n < coefficient_count; ++n) out.arrays[n] = a[n < P ? n : n + 1].data();
  return out;
}

}  // namespace memstencil::jacobi
