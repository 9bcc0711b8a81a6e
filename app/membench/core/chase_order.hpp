// The order of a chase, the levels that its curve shows, and what can be said of lines.
#pragma once

#include "app/membench/core/probe.hpp"

#include <cstdint>
#include <vector>

namespace memstencil::membench {

/// next[s] is the slot that follows slot s, such that one cycle goes through all `slots` (Sattolo
/// 1986): a chase over it has the whole footprint, in an order that no prefetcher guesses. The same
/// for the same slots and seed.
std::vector<std::uint32_t> random_cycle(std::uint32_t slots, std::uint64_t seed);

/// The slot that is reached from `slot` by `steps` steps.
std::uint32_t follow(const std::vector<std::uint32_t>& next, std::uint32_t slot,
                     std::uint64_t steps);

/// A stretch of footprints that one level of the hierarchy serves.
struct Level {
  std::size_t first = 0, last = 0;  ///< footprints
  double latency = 0;               ///< median, in the curve's unit
  std::size_t holds = 0;            ///< the largest footprint that is nearer to this level than to
                                    ///< the next; of the last level: `last`
};
/// The plateaus of a curve {footprint: latency}: three footprints or more, one after the other,
/// within 8 % of their median. Found, not assumed of any processor.
std::vector<Level> levels_of(const std::map<std::size_t, double>& curve);

/// From {distance of the second link: latency of a step}: the largest distance at which a pair is
/// still nearer to the least latency than to the largest: so many bytes are fetched together. 0
/// where latencies differ by less than a tenth.
double fetched_bytes(const std::map<double, double>& of_distance);

}  // namespace memstencil::membench
