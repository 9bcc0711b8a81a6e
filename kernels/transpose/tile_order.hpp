// In which order the tiles of a matrix are given to blocks or teams:
// block n works on tile place(n).
#pragma once

#include "kernels/portable.hpp"

#include <cstdint>

namespace memstencil::transpose {

/// Row and column of a tile, counted in tiles.
struct TileAt {
  unsigned row, column;
};

/// Tiles that a matrix has; those at its lower and right edge may be cut.
struct TileCounts {
  unsigned rows, columns;
  MEMSTENCIL_FUNCTION unsigned total() const { return rows * columns; }
};

inline TileCounts tile_counts(std::int64_t rows, std::int64_t columns, int tile_rows,
                              int tile_columns) {
  return {static_cast<unsigned>((rows + tile_rows - 1) / tile_rows),
          static_cast<unsigned>((columns + tile_columns - 1) / tile_columns)};
}

/// Along the rows of A: blocks that run at a time read neighbouring tiles, and write tiles that lie
/// below each other.
struct AlongRows {
  TileCounts tiles;
  MEMSTENCIL_FUNCTION TileAt place(unsigned n) const {
    return {n / tiles.columns, n % tiles.columns};
  }
};

/// Along diagonals, so that blocks that run at a time neither read nor write below each other
/// ([ufrgs-thesis] section 4.4.1 and figure 4.9; here for matrices of any shape).
struct AlongDiagonals {
  TileCounts tiles;
  MEMSTENCIL_FUNCTION TileAt place(unsigned n) const {
    const unsigned row = n % tiles.rows;
    return {row, (n / tiles.rows + row) % tiles.columns};
  }
};

/// Down the columns of A: blocks that run at a time write neighbouring tiles, and read
/// tiles that lie below each other.
struct DownColumns {
  TileCounts tiles;
  MEMSTENCIL_FUNCTION TileAt place(unsigned n) const { return {n % tiles.rows, n / tiles.rows}; }
};

}  // namespace memstencil::transpose
