// Latency over footprint: which footprints are measured, and what level of the hierarchy a stretch of them
// is.
#pragma once

#include <cstddef>
#include <vector>

namespace memstencil::membench {

/// Footprints from `first` to `last` bytes, `per_octave` (1..4) for each doubling, each a multiple of
/// `slot_bytes` and larger than the one before.
std::vector<std::size_t> footprints(std::size_t first, std::size_t last, int per_octave,
                                    std::size_t slot_bytes);

/// One point of the curve: medians of the samples.
struct LatencyPoint {
  std::size_t footprint_bytes = 0;
  double cycles = 0, nanoseconds = 0;  ///< of one load
};

/// What the points of a stretch have in common.
struct Plateau {
  int points = 0;
  double cycles = 0;               ///< median over the points
  double lowest = 0, highest = 0;  ///< cycles
  double nanoseconds = 0;          ///< median over the points
};

/// The stretch of all points with `first` <= footprint <= `last`; no points: all 0.
Plateau plateau(const std::vector<LatencyPoint>& curve, std::size_t first, std::size_t last);

}  // namespace memstencil::membench
