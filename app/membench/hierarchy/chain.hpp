// Random chains for pointer chases.
#pragma once

#include <cstdint>
#include <vector>

namespace memstencil::membench {

/// next[s] is the slot that follows slot s, such that one cycle goes through all `slots` (Sattolo 1986): a
/// chase over it has the whole footprint, in an order that no prefetcher guesses. The same for the same slots
/// and seed.
std::vector<std::uint32_t> random_cycle(std::uint32_t slots, std::uint64_t seed);

/// The slot that is reached from `slot` by `steps` steps.
std::uint32_t follow(const std::vector<std::uint32_t>& next, std::uint32_t slot, std::uint64_t steps);

}  // namespace memstencil::membench
