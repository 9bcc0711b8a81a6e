// The regressions of probe shared: the paper's, and one that knows how a Hopper works.
#pragma once

#include "app/membench/hierarchy/least_squares.hpp"

#include <vector>

namespace memstencil::membench::shared_probe {

/// Cycles of one combination of [hiroshima-shared-memory], table 3; the empty measurement is
/// subtracted.
struct SharedPoint {
  int loads = 0, warps = 0, congestion = 0;  ///< i, w, c
  double minimum = 0, mean = 0;              ///< over the repeats
};

/// Passes that the access of probes::congested_word() takes when words of `word_bytes` (4 or 8) lie
/// in 32 banks of 4 bytes. Words of 8 bytes are read by half a warp at a time (as on every GPU
/// since Volta that was measured); on the GPU of [hiroshima-shared-memory] banks were 8 bytes wide,
/// and the passes are the congestion for both.
int bank_wavefronts(unsigned congestion, int word_bytes);

/// [hiroshima-shared-memory], equation (1): T = C1 * i*w*c + C2, over the means. Coefficients in
/// this order.
Fit paper_fit(const std::vector<SharedPoint>& points);

/// T = C1 * i*max(4, max(2, w)*p) + C2 * w + C3 over the means: loads leave a warp 4 cycles apart,
/// all warps together get one pass p(c) = bank_wavefronts(c) a cycle and one warp alone a pass in
/// two, and warps leave the barrier one after the other.
Fit hopper_fit(const std::vector<SharedPoint>& points, int word_bytes);

}  // namespace memstencil::membench::shared_probe
