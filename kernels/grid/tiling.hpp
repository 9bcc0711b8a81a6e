// The division of a rank's points into the tiles of single sweeps.
#pragma once

#include "kernels/grid/grid.hpp"
#include "kernels/portable.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil {

/// The tile of one team of a device: k x j points in a plane, marched over `planes` planes along i.
struct Tile {
  int k;  ///< a power of two, and a multiple of a warp
  int j;
  int planes;

  std::string text() const {
    return std::to_string(k) + "x" + std::to_string(j) + "x" + std::to_string(planes);
  }
};

/// The division of a box of points into tiles, k fastest.
struct Tiling {
  Box box;
  std::int64_t first[3];  ///< where the first tile starts: in k on a 128-byte line
  int size[3];
  int count[3];
  int whole[3];    ///< count of the division that this is a part of
  int number = 0;  ///< of the first tile in that division

  Tiling(const Box& points, int planes, int rows, int columns)
      : box(points), size{planes, rows, columns} {
    for (int d = 0; d < 3; ++d) {
      first[d] = d == 2 ? points.lo[d] / 32 * 32 : points.lo[d];
      whole[d] = count[d] = static_cast<int>((points.hi[d] - first[d] + size[d] - 1) / size[d]);
    }
  }
  int tiles() const { return count[0] * count[1] * count[2]; }
  /// The number in the whole division of the tile at (i, j, k) of this part.
  MEMSTENCIL_FUNCTION int number_of(int i, int j, int k) const {
    return number + (i * whole[1] + j) * whole[2] + k;
  }
  /// Tiles from..to-1 in direction d, and all of them in the others.
  Tiling slab(int d, int from, int to) const {
    Tiling out = *this;
    out.first[d] += static_cast<std::int64_t>(from) * size[d];
    out.count[d] = to - from;
    out.number = number_of(d == 0 ? from : 0, d == 1 ? from : 0, d == 2 ? from : 0);
    return out;
  }
};

/// Tiles with points that other ranks get, and the rest. The neighbour at a side gets a layer as
/// deep as the halo there.
struct SplitTiles {
  Tiling inner;
  std::vector<Tiling> edges;  ///< no tile is in two of them

  SplitTiles(const Grid& grid, const Tiling& all) : inner(all) {
    for (int d = 0; d < 3; ++d) {
      const std::int64_t below = grid.owned.lo[d] - grid.interior.lo[d];
      const std::int64_t above = grid.interior.hi[d] - grid.owned.hi[d];
      const auto tiles = [&](std::int64_t points) {
        return static_cast<int>(std::clamp<std::int64_t>(points / all.size[d], 0, all.count[d]));
      };
      const std::int64_t start = grid.owned.lo[d] - all.first[d];
      const int lo = below > 0 ? tiles(start + below + all.size[d] - 1) : 0;
      const int hi = above > 0 ? tiles(grid.owned.hi[d] - above - all.first[d]) : all.count[d];
      add_edge(inner.slab(d, 0, lo));
      add_edge(inner.slab(d, std::max(lo, hi), all.count[d]));
      inner = inner.slab(d, lo, std::max(lo, hi));
    }
  }

private:
  void add_edge(const Tiling& slab) {
    if (slab.tiles() > 0) edges.push_back(slab);
  }
};

}  // namespace memstencil
