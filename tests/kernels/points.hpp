// The points of a box, and whether two values are alike to the bit.
#pragma once

#include "kernels/grid/grid.hpp"

#include <cstdint>
#include <cstring>

namespace memstencil {

/// Calls f(i, j, k) for the points of a box, k fastest.
template <class F>
void for_points(const Box& box, const F& f) {
  for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
      for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) f(i, j, k);
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace memstencil
