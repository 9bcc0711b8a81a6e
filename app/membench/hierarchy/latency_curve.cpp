// Latency over footprint.
#include "app/membench/hierarchy/latency_curve.hpp"

#include "app/common/statistics.hpp"

#include <cmath>

namespace memstencil::membench {

std::vector<std::size_t> footprints(std::size_t first, std::size_t last, int per_octave,
                                    std::size_t slot_bytes) {
  std::vector<std::size_t> all;
  for (int n = 0;; ++n) {
    const double exact = static_cast<double>(first) * std::exp2(static_cast<double>(n) / per_octave);
    const std::size_t bytes = static_cast<std::size_t>(exact) / slot_bytes * slot_bytes;
    if (bytes > last) return all;
    if (bytes > 0 && (all.empty() || bytes > all.back())) all.push_back(bytes);
  }
}

Plateau plateau(const std::vector<LatencyPoint>& curve, std::size_t first, std::size_t last) {
  std::vector<double> cycles, nanoseconds;
  for (const LatencyPoint& point : curve) {
    if (point.footprint_bytes < first || point.footprint_bytes > last) continue;
    cycles.push_back(point.cycles);
    nanoseconds.push_back(point.nanoseconds);
  }
  if (cycles.empty()) return {};
  const Statistics s = statistics(cycles);
  return {static_cast<int>(s.count), s.median, s.minimum, s.maximum, statistics(nanoseconds).median};
}

}  // namespace memstencil::membench
