// The regressions of the shared probe: the paper's, and one that knows how a Hopper works.
#pragma once

#include "app/membench/hierarchy/least_squares.hpp"

#include <vector>

namespace memstencil::membench {

/// Cycles of one combination of paper 000, table 3; the empty measurement is subtracted.
struct SharedPoint {
  int loads = 0, warps = 0, congestion = 0;  ///< i, w, c
  double minimum = 0, median = 0, mean = 0;  ///< over the repeats
};

/// Paper 000, equation (1): T = C1 * i*w*c + C2, over the means. Coefficients in this order.
Fit paper_fit(const std::vector<SharedPoint>& points);

/// Cycles from one load of a warp to its next, as ptxas schedules loads in order (seen in the SASS).
inline constexpr int cycles_between_loads = 4;

/// T = C1 * i*max(4, max(2, w)*p) + C2 * w + C3 over the means: loads leave a warp 4 cycles apart, all warps
/// together get one pass p(c) = bank_wavefronts(c) a cycle and one warp alone a pass in two, and warps leave
/// the barrier one after the other.
Fit hopper_fit(const std::vector<SharedPoint>& points, int word_bytes);

}  // namespace memstencil::membench
