// A team's work on one tile, or in place on two: the same for all kinds of tile.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/transpose/tile_order.hpp"
#include "kernels/transpose/transpose.hpp"

namespace memstencil::transpose {

/// The first row and column of a tile's part of A.
struct Corner {
  std::int64_t row, column;
};

template <class Tile>
MEMSTENCIL_FUNCTION Corner corner_of(const TileAt& at) {
  return {static_cast<std::int64_t>(at.row) * Tile::rows,
          static_cast<std::int64_t>(at.column) * Tile::columns};
}

/// Called by each thread of a team. A tile is read into the threads' registers, kept in memory that
/// they share, and written from there; so in place two tiles change places through the memory of
/// one, both read before either is written.
/// @param barrier waits for all threads of the team
template <Operation operation, class Tile, class T, class Barrier>
MEMSTENCIL_FUNCTION void move_tile(const Tile& tile, const Job<T>& job, const TileAt& at,
                                   const Barrier& barrier) {
  // Of two tiles that change places one team moves both.
  if (operation == Operation::InPlace && at.row > at.column) return;
  const Corner from = corner_of<Tile>(at);
  typename Tile::Values values;
  tile.read(job, from, values);
  if constexpr (operation == Operation::InPlace) {
    const Corner opposite = corner_of<Tile>({at.column, at.row});
    const bool two = at.row != at.column;
    typename Tile::Values others;
    if (two) tile.read(job, opposite, others);
    tile.keep(values);
    barrier();
    tile.template write<operation>(job, from);
    if (!two) return;
    barrier();
    tile.keep(others);
    barrier();
    tile.template write<operation>(job, opposite);
  } else {
    tile.keep(values);
    barrier();
    tile.template write<operation>(job, from);
  }
}

}  // namespace memstencil::transpose
