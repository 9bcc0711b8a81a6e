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

/// Four groups of packed coefficients as lines of sixteen points, one for each coefficient. By
/// hand, because compilers make loads of single floats of it, or stores that a wider load has to
/// wait for.
MEMSTENCIL_FUNCTION void unpack_groups(const float* groups,
                                       float (&lanes)[coefficient_count][line_floats]) {
  static_assert(line_floats == 4 * packed_points);
#if defined(__AVX512F__)
  // A line of memory has four points of four coefficients: a transpose of 4 x 4 quarters. (With the
  // form without a mask, GCC 12 warns of its own header.)
  constexpr __mmask16 all = 0xFFFF;
  for (int a = 0; a < coefficient_count; a += 4) {
    __m512 group[4], pair[4];
    for (int n = 0; n < 4; ++n)
      group[n] = _mm512_loadu_ps(groups + n * group_floats + a * packed_points);
    for (int n = 0; n < 4; n += 2) {
      pair[n] =
          _mm512_maskz_shuffle_f32x4(all, group[n], group[n + 1], 0x44);  // of coefficients a, a+1
      pair[n + 1] = _mm512_maskz_shuffle_f32x4(all, group[n], group[n + 1], 0xEE);  // of a+2, a+3
    }
    for (int n = 0; n < 2; ++n) {
      _mm512_storeu_ps(lanes[a + 2 * n],
                       _mm512_maskz_shuffle_f32x4(all, pair[n], pair[n + 2], 0x88));
      _mm512_storeu_ps(lanes[a + 2 * n + 1],
                       _mm512_maskz_shuffle_f32x4(all, pair[n], pair[n + 2], 0xDD));
    }
  }
#else
  for (int a = 0; a < coefficient_count; ++a) {
    const float* const part = groups + a * packed_points;
#if defined(__AVX__)
    for (int n = 0; n < 4; n += 2)
      _mm256_storeu_ps(
          lanes[a] + n * packed_points,
          _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(part + n * group_floats)),
                               _mm_loadu_ps(part + (n + 1) * group_floats), 1));
#else
    for (int n = 0; n < 4; ++n)
      std::memcpy(lanes[a] + n * packed_points, part + n * group_floats,
                  packed_points * sizeof(float));
#endif
  }
#endif
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

/// Lines of sixteen points moved on by `past` points, into a fifth group.
MEMSTENCIL_FUNCTION void move_on(const float* fifth, std::int64_t past,
                                 float (&lanes)[coefficient_count][line_floats]) {
#if defined(__AVX512F__)
  const __m512i from =
      _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                       _mm512_set1_epi32(static_cast<int>(past)));
  for (int a = 0; a < coefficient_count; ++a)
    _mm512_storeu_ps(
        lanes[a],
        _mm512_permutex2var_ps(_mm512_loadu_ps(lanes[a]), from,
                               _mm512_castps128_ps512(_mm_loadu_ps(fifth + a * packed_points))));
#else
  for (int a = 0; a < coefficient_count; ++a) {
    float points[line_floats + packed_points];
    std::memcpy(points, lanes[a], line_floats * sizeof(float));
    std::memcpy(points + line_floats, fifth + a * packed_points, packed_points * sizeof(float));
    std::memcpy(lanes[a], points + past, line_floats * sizeof(float));
  }
#endif
}

/// Of any sixteen points: they may begin inside a group, and then touch five.
template <Layout layout>
MEMSTENCIL_FUNCTION LineCoefficients<layout> any_points(const Coefficients& row,
                                                        std::int64_t first) {
  if constexpr (layout == Layout::Packed) {
    const std::int64_t past = first % packed_points;
    const float* const groups = row.a0 + (first - past) * coefficient_count;
    LineCoefficients<layout> out;
    unpack_groups(groups, out.lanes);
    move_on(groups + (past == 0 ? 3 : 4) * group_floats, past, out.lanes);
    return out;
  } else {
    return {row, first};
  }
}

}  // namespace memstencil::jacobi
