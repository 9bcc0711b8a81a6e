// Random chains for pointer chases.
#include "app/membench/hierarchy/chain.hpp"

#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

namespace memstencil::membench {

std::vector<std::uint32_t> random_cycle(std::uint32_t slots, std::uint64_t seed) {
  std::vector<std::uint32_t> next(slots);
  std::iota(next.begin(), next.end(), 0U);
  std::mt19937_64 engine(seed);
  for (std::uint32_t s = slots; s-- > 1;) {
    // The upper half of a product instead of a remainder: there are millions of slots, and a bias of 2^-32 is
    // none.
    const std::uint64_t other = (engine() >> 32) * s >> 32;
    std::swap(next[s], next[static_cast<std::size_t>(other)]);
  }
  return next;
}

std::uint32_t follow(const std::vector<std::uint32_t>& next, std::uint32_t slot, std::uint64_t steps) {
  for (std::uint64_t n = steps % next.size(); n > 0; --n) slot = next[slot];
  return slot;
}

}  // namespace memstencil::membench
