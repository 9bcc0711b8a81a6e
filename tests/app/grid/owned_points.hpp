// A rank's result against the whole grid's.
#pragma once

#include "app/grid/subdomain.hpp"
#include "tests/kernels/points.hpp"

#include <cstddef>

namespace memstencil {

/// The rank's owned points whose bits are others than those of `whole`, which is asked by global
/// indices.
template <class Value, class Whole>
std::size_t wrong_points(const Subdomain& subdomain, const Value* p, const Whole& whole) {
  std::size_t wrong = 0;
  for_points(subdomain.grid.owned, [&](auto i, auto j, auto k) {
    const auto& [di, dj, dk] = subdomain.origin;
    const Value want = whole(di + i, dj + j, dk + k);
    wrong += same_bits(p[subdomain.grid.row(i, j) + static_cast<std::size_t>(k)], want) ? 0 : 1;
  });
  return wrong;
}

}  // namespace memstencil
