// The coefficients of sixteen points, for a host's SIMD loop over k, out of either layout.
#pragma once

#include "kernels/host_stores.hpp"
#include "kernels/jacobi/grid.hpp"
#include "kernels/jacobi/stencil.hpp"

#include <cstdint>
#include <cstring>

namespace memstencil::jacobi {

/// Points of a line: a cache line of one array.
inline constexpr int line_floats = line_bytes / static_cast<int>(sizeof(float));
/// From one group of points to the next.
inline constexpr int group_floats = coefficient_count * packed_points;

/// The coefficients of sixteen points, by lane. Packed ones are brought side by side first.
template <Layout layout>
struct LineCoefficients {
  const Coefficients& row;
  std::int64_t first;

  MEMSTENCIL_FUNCTION PointCoefficients operator[](int l) const {
    return coefficients_at<layout>(row, first + l);
  }
};
template <>
struct LineCoefficients<Layout::Packed> {
  alignas(64) float lanes[coefficient_count][line_floats];

  MEMSTENCIL_FUNCTION PointCoefficients operator[](int l) const {
    return {lanes[0][l], lanes[1][l], lanes[2][l], lanes[3][l], lanes[4][l],  lanes[5][l],
            lanes[6][l], lanes[7][l], lanes[8][l], lanes[9][l], lanes[10][l], lanes[11][l]};
  }
};

/// Two groups of packed coefficients as lines of sixteen points, one for each coefficient. By hand
/// where a line fits a register: a load of it would wait for stores of two halves. (With the form
/// without a mask, GCC 12 warns of its own header.)
MEMSTENCIL_FUNCTION void unpack_groups(const float* groups,
                                       float (&lanes)[coefficient_count][line_floats]) {
  static_assert(line_floats == 2 * packed_points);
  for (int a = 0; a < coefficient_count; ++a) {
    const float* const first = groups + a * packed_points;
    const float* const second = first + group_floats;
#if defined(__AVX512F__)
    const __m512d half = _mm512_castps_pd(_mm512_castps256_ps512(_mm256_loadu_ps(first)));
    const __m256d other = _mm256_castps_pd(_mm256_loadu_ps(second));
    const __m512d line = _mm512_maskz_insertf64x4(0xFF, half, other, 1);
    _mm512_storeu_ps(lanes[a], _mm512_castpd_ps(line));
#else
    std::memcpy(lanes[a], first, packed_points * sizeof(float));
    std::memcpy(lanes[a] + packed_points, second, packed_points * sizeof(float));
#endif
  }
}

/// Of a line that starts where a group does.
template <Layout layout>
MEMSTENCIL_FUNCTION LineCoefficients<layout> whole_groups(const Coefficients& row,
                                                          std::int64_t first) {
  if constexpr (layout == Layout::Packed) {
    LineCoefficients<layout> out;
    unpack_groups(row.a0 + first * coefficient_count, out.lanes);
    return out;
  } else {
    return {row, first};
  }
}

/// Lines of sixteen points moved on by `past` points, into a third group.
MEMSTENCIL_FUNCTION void move_on(const float* third, std::int64_t past,
                                 float (&lanes)[coefficient_count][line_floats]) {
#if defined(__AVX512F__)
  const __m512i from =
      _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                       _mm512_set1_epi32(static_cast<int>(past)));
  for (int a = 0; a < coefficient_count; ++a)
    _mm512_storeu_ps(
        lanes[a],
        _mm512_permutex2var_ps(_mm512_loadu_ps(lanes[a]), from,
                               _mm512_castps256_ps512(_mm256_loadu_ps(third + a * packed_points))));
#else
  for (int a = 0; a < coefficient_count; ++a) {
    float points[line_floats + packed_points];
    std::memcpy(points, lanes[a], line_floats * sizeof(float));
    std::memcpy(points + line_floats, third + a * packed_points, packed_points * sizeof(float));
    std::memcpy(lanes[a], points + past, line_floats * sizeof(float));
  }
#endif
}

/// Of any sixteen points: they may begin inside a group, and then touch three.
template <Layout layout>
MEMSTENCIL_FUNCTION LineCoefficients<layout> any_points(const Coefficients& row,
                                                        std::int64_t first) {
  if constexpr (layout == Layout::Packed) {
    const std::int64_t past = first % packed_points;
    const float* const groups = row.a0 + (first - past) * coefficient_count;
    LineCoefficients<layout> out;
    unpack_groups(groups, out.lanes);
    move_on(groups + (past == 0 ? 1 : 2) * group_floats, past, out.lanes);
    return out;
  } else {
    return {row, first};
  }
}

}  // namespace memstencil::jacobi
