// The update of the sixteen points of a cache line, of one row or of two neighbouring ones, as
// loops that compilers make SIMD code of.
#pragma once

#include "kernels/jacobi/host_rows.hpp"
#include "kernels/jacobi/stencil.hpp"

#include <cstdint>

namespace memstencil::jacobi {

/// Points of a line: a cache line of one array.
inline constexpr int line_floats = line_bytes / static_cast<int>(sizeof(float));

/// The points of row `row`, whose neighbours the columns of `p` have.
template <int columns>
MEMSTENCIL_FUNCTION Neighbours neighbours_at(const float* const (&p)[3][columns], int row,
                                             std::int64_t k) {
  return neighbours_of([&](int di, int dj, int dk) { return p[1 + di][row + 1 + dj][k + dk]; });
}

/// Sums of squares by lane, so that no line needs a horizontal sum; the order of additions depends
/// on the row alone, not on threads.
struct LaneSums {
  double lane[line_floats] = {};

  void add(const LaneSums& other, int from, int to) {
#pragma omp simd
    for (int l = 0; l < line_floats; ++l) lane[l] += l >= from && l < to ? other.lane[l] : 0.0;
  }

  double total() const {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int l = 0; l < line_floats; ++l) sum += lane[l];
    return sum;
  }
};

/// A point of a line; the result is p after the sweep.
template <bool counted>
MEMSTENCIL_FUNCTION float update_point(const Neighbours& n, const PointCoefficients& c,
                                       double& sum) {
  const float ss = residual(n, c);
  if constexpr (counted) sum += squared(ss);
  return updated(n.ooo, omega, ss);
}

/// The points k .. k+15 into `line`.
template <bool counted>
MEMSTENCIL_FUNCTION void update_line(const RowInputs& in, std::int64_t k, float* __restrict line,
                                     LaneSums& sums) {
#pragma omp simd
  for (int l = 0; l < line_floats; ++l)
    line[l] = update_point<counted>(neighbours_at(in.p, 0, k + l),
                                    coefficients_at<Layout::Arrays>(in.coefficients, k + l),
                                    sums.lane[l]);
}

/// Two rows, and the rows of p around them.
struct RowPair {
  const float* p[3][4];
  const Coefficients* coefficients[2];
};

/// The points k .. k+15 of both: lines of p that both read come from the second-level cache once.
template <bool counted>
MEMSTENCIL_FUNCTION void update_line_pair(const RowPair& in, std::int64_t k, float* __restrict line,
                                          float* __restrict line_above, LaneSums (&sums)[2]) {
#pragma omp simd
  for (int l = 0; l < line_floats; ++l) {
    line[l] = update_point<counted>(neighbours_at(in.p, 0, k + l),
                                    coefficients_at<Layout::Arrays>(*in.coefficients[0], k + l),
                                    sums[0].lane[l]);
    line_above[l] = update_point<counted>(
        neighbours_at(in.p, 1, k + l), coefficients_at<Layout::Arrays>(*in.coefficients[1], k + l),
        sums[1].lane[l]);
  }
}

}  // namespace memstencil::jacobi
