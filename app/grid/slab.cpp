// The slabs of points that a rank's messages take and bring, and how they lie in its arrays.
#include "app/grid/slab.hpp"

#include <cstdint>

namespace memstencil {

namespace {

Box box_of(const Subdomain& part, int direction, Slabs which) {
  Box out = part.grid.all();
  if (which == Slabs::Whole) return out;
  // The fixed boundary of the whole grid is nobody's halo, and goes with the slab.
  for (int later = direction + 1; later < 3; ++later) {
    if (part.neighbour(later, -1)) out.lo[later] = part.grid.owned.lo[later];
    if (part.neighbour(later, 1)) out.hi[later] = part.grid.owned.hi[later];
  }
  return out;
}

Slab slab(const Subdomain& part, int direction, std::int64_t first, Slabs which,
          std::size_t value) {
  const Grid& grid = part.grid;
  Slab out{.box = box_of(part, direction, which)};
  Box& box = out.box;
  box.lo[direction] = first;
  box.hi[direction] = first + part.halo;
  if (direction == 2) return out;
  out.first = grid.row(box.lo[0], box.lo[1]);
  out.step = grid.row(1, 0) * value;
  out.pieces = {grid.row(0, box.hi[1] - box.lo[1]) * value,
                static_cast<std::size_t>(box.hi[0] - box.lo[0])};
  if (out.pieces.bytes == out.step) {  // whole planes are one piece
    out.step *= out.pieces.count;
    out.pieces = {out.step, 1};
  }
  return out;
}

}  // namespace

Slab sent_slab(const Subdomain& part, int direction, int side, Slabs which, std::size_t value) {
  const Box& owned = part.grid.owned;
  return slab(part, direction, side < 0 ? owned.lo[direction] : owned.hi[direction] - part.halo,
              which, value);
}

Slab received_slab(const Subdomain& part, int direction, int side, Slabs which, std::size_t value) {
  const Box& owned = part.grid.owned;
  return slab(part, direction, side < 0 ? owned.lo[direction] - part.halo : owned.hi[direction],
              which, value);
}

}  // namespace memstencil
