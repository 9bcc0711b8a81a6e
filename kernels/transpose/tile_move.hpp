// A team's work on one tile, the same for all kinds of tile; and the order of the tiles.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/transpose/transpose.hpp"

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

// Orders: block or team n works on tile at(n).

/// Along the rows of A: blocks that run at a time read neighbouring tiles, and write tiles that lie
/// below each other.
struct AlongRows {
  TileCounts tiles;
  MEMSTENCIL_FUNCTION TileAt at(unsigned n) const { return {n / tiles.columns, n % tiles.columns}; }
};

/// Along diagonals, so that blocks that run at a time neither read nor write below each other
/// ([ufrgs-thesis] section 4.4.1 and figure 4.9; here for matrices of any shape).
struct AlongDiagonals {
  TileCounts tiles;
  MEMSTENCIL_FUNCTION TileAt at(unsigned n) const {
    const unsigned row = n % tiles.rows;
    return {row, (n / tiles.rows + row) % tiles.columns};
  }
};

/// Down the columns of A: blocks that run at a time write neighbouring tiles, and read tiles that
/// lie below each other.
struct DownColumns {
  TileCounts tiles;
  MEMSTENCIL_FUNCTION TileAt at(unsigned n) const { return {n % tiles.rows, n / tiles.rows}; }
};

/// The first row and column of a tile's part of A.
struct Corner {
  std::int64_t row, column;
};

/// Called by each thread of a team. A tile is read into the threads' registers, kept in memory that
/// they share, and written from there.
/// @param barrier waits for all threads of the team
template <class Tile, class T, class Barrier>
MEMSTENCIL_FUNCTION void move_tile(const Tile& tile, const Job<T>& job, const TileAt& at,
                                   const Barrier& barrier) {
  const Corner from{static_cast<std::int64_t>(at.row) * Tile::rows,
                    static_cast<std::int64_t>(at.column) * Tile::columns};
  typename Tile::Values values;
  tile.read(job, from, values);
  tile.keep(values);
  barrier();
  tile.write(job, from);
}

}  // namespace memstencil::transpose
