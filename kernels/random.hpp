// Random numbers as a function of a seed and an index: the same on every
// processor and in any order.
#pragma once

#include "kernels/portable.hpp"

#include <cstdint>

namespace memstencil {

/// Sebastiano Vigna's splitmix64.
MEMSTENCIL_FUNCTION std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// The hash of element n of array number `array`.
MEMSTENCIL_FUNCTION std::uint64_t element_hash(std::uint64_t seed, int array, std::uint64_t n) {
  return splitmix64(seed ^ (static_cast<std::uint64_t>(array) * 0x9E3779B97F4A7C15ULL) ^ n);
}

}  // namespace memstencil
