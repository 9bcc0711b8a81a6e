// A square tile that is read and written element by element, for any pitch and alignment; and the
// order of the tiles.
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

/// One thread's part. Neighbouring threads read neighbours of a row of A, and write neighbours of a
/// row of B: both in whole sectors. In between a warp reads a column of the kept tile, which
/// without padding lies in one bank.
/// @tparam Once on a GPU elements are first to leave the caches, reads as well as writes: worth 2
///         to 3 % of a copy on an H100, and reads alone cost as much (docs/lab/transpose.md)
template <class T, int Side, int Padding, int Threads, bool Once>
struct ElementTile {
  static constexpr int side = Side, threads = Threads;
  static constexpr int of_thread = Side * Side / Threads;
  static constexpr int shared_bytes = Side * (Side + Padding) * static_cast<int>(sizeof(T));
  static constexpr int step = Threads / Side;  ///< rows from one element of a thread to its next
  static_assert(Threads % Side == 0 && Side % step == 0);

  T* shared;
  int fast, slow;  ///< the thread's first element: along the rows in memory, and across them

  MEMSTENCIL_FUNCTION ElementTile(void* memory, int thread)
      : shared(static_cast<T*>(memory)), fast(thread % Side), slow(thread / Side) {}

  MEMSTENCIL_FUNCTION static Corner corner(const TileAt& at) {
    return {static_cast<std::int64_t>(at.row) * Side, static_cast<std::int64_t>(at.column) * Side};
  }
  /// Reads the thread's elements, and keeps them in memory that all threads of the team share.
  MEMSTENCIL_FUNCTION void read(const Job<T>& job, const Corner& from) const {
    const T* const first = job.a + (from.row + slow) * job.a_pitch + from.column + fast;
    const int inside = elements_inside(job.rows - from.row, job.columns - from.column);
    Values values;
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n)
      values.x[n] = n < inside ? loaded(first[n * step * job.a_pitch]) : T{};
    keep(values);
  }

  /// When all threads have read theirs.
  MEMSTENCIL_FUNCTION void write(const Job<T>& job, const Corner& from) const {
    T* const first = job.b + (from.column + slow) * job.b_pitch + from.row + fast;
    const int inside = elements_inside(job.columns - from.column, job.rows - from.row);
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n)
      if (n < inside)
        store(first[n * step * job.b_pitch], shared[fast * (Side + Padding) + slow + n * step]);
  }

private:
  struct Values {
    T x[of_thread];
  };
  /// A function of its own: inline nvcc 13.0 orders the code of tiles of 16 differently.
  MEMSTENCIL_FUNCTION void keep(const Values& values) const {
    MEMSTENCIL_UNROLL
    for (int n = 0; n < of_thread; ++n)
      shared[(slow + n * step) * (Side + Padding) + fast] = values.x[n];
  }
  MEMSTENCIL_FUNCTION static T loaded(const T& from) { return Once ? read_once(from) : from; }
  MEMSTENCIL_FUNCTION static void store(T& to, const T& value) {
    if constexpr (Once)
      write_once(to, value);
    else
      to = value;
  }
  /// Number of the thread's elements, from its first on, that lie inside the matrix. It has
  /// `rows_left` rows and `columns_left` columns from the tile's corner on.
  MEMSTENCIL_FUNCTION int elements_inside(std::int64_t rows_left, std::int64_t columns_left) const {
    if (fast >= columns_left) return 0;
    return rows_left >= Side ? of_thread : (static_cast<int>(rows_left) - slow + step - 1) / step;
  }
};

}  // namespace memstencil::transpose
