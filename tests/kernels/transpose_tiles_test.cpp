// Pins what one block of threads on a GPU and one core of a host do with their parts of a matrix:
// the threads of a block run here one after the other, each step of a tile.
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/host_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace memstencil::transpose {
namespace {

template <class Tile, class T>
void move_one(const Job<T>& job, const TileAt& at) {
  alignas(16) std::array<unsigned char, Tile::shared_bytes> memory;
  const Corner from = Tile::corner(at);
  for (int thread = 0; thread < Tile::threads; ++thread)
    Tile(memory.data(), thread).read(job, from);
  for (int thread = 0; thread < Tile::threads; ++thread)
    Tile(memory.data(), thread).write(job, from);
}

/// Rows of both matrices start `shift` elements past multiples of 16 bytes, plus so
/// much a row as the pitches say.
struct Layout {
  std::int64_t a_pitch, b_pitch;
  std::size_t shift = 0;
};

template <class Tile, class T>
void expect_transposed(std::int64_t rows, std::int64_t columns, const Layout& layout) {
  SCOPED_TRACE(testing::Message() << rows << "x" << columns << ", pitches " << layout.a_pitch
                                  << " and " << layout.b_pitch << ", shift " << layout.shift);
  const auto memory = [&](std::int64_t elements) {
    return std::vector<Vector<T>>(
        (static_cast<std::size_t>(elements) + layout.shift) / Vector<T>::size + 1);
  };
  std::vector<Vector<T>> a_memory = memory(rows * layout.a_pitch),
                         b_memory = memory(columns * layout.b_pitch);
  T* const a = a_memory.data()->x + layout.shift;
  T* const b = b_memory.data()->x + layout.shift;
  for (std::int64_t n = 0; n < rows * layout.a_pitch; ++n) a[n] = static_cast<T>(n + 1);
  for (std::int64_t n = 0; n < columns * layout.b_pitch; ++n) b[n] = T{-1};
  const Job<T> job{a, b, rows, columns, layout.a_pitch, layout.b_pitch};
  const TileCounts tiles = tile_counts(rows, columns, Tile::side, Tile::side);
  for (unsigned n = 0; n < tiles.total(); ++n) move_one<Tile>(job, AlongRows{tiles}.at(n));
  for (std::int64_t column = 0; column < columns; ++column)
    for (std::int64_t row = 0; row < layout.b_pitch; ++row)
      ASSERT_EQ(b[column * layout.b_pitch + row],
                row < rows ? a[row * layout.a_pitch + column] : T{-1})
          << row << " " << column;
}

constexpr std::int64_t edge_rows[] = {1, 7, 63, 64, 65, 130};
constexpr std::int64_t edge_columns[] = {1, 64, 67, 129};

/// Rows that start anywhere.
template <class Tile, class T>
void expect_transposed_anywhere() {
  for (const std::int64_t rows : edge_rows)
    for (const std::int64_t columns : edge_columns)
      for (const std::int64_t padding : {0, 1, 5})
        for (const std::size_t shift : {0U, 3U}) {
          const Layout layout{columns + padding, rows + padding, shift};
          expect_transposed<Tile, T>(rows, columns, layout);
        }
}

TEST(ElementTile, TransposesAnyPartOfAMatrix) {
  expect_transposed_anywhere<ElementTile<float, 32, 0, 256, false>, float>();
  expect_transposed_anywhere<ElementTile<double, 64, 1, 256, true>, double>();
  expect_transposed_anywhere<ElementTile<float, 16, 0, 256, false>, float>();
  expect_transposed_anywhere<ElementTile<double, 16, 1, 256, false>, double>();
}

/// All parts of a matrix whose B starts at a cache line, as does each of its rows.
template <class T>
void expect_host_transposed(std::int64_t rows, std::int64_t columns) {
  SCOPED_TRACE(testing::Message() << rows << "x" << columns);
  struct alignas(line_bytes) Line {
    T x[line_bytes / sizeof(T)];
  };
  const std::int64_t b_pitch = (rows + 31) / 32 * 32;
  std::vector<Line> memory(static_cast<std::size_t>(columns * b_pitch) * sizeof(T) / line_bytes +
                           2);
  std::vector<T> a(static_cast<std::size_t>(rows * columns));
  T* const b = memory[1].x;
  std::iota(a.begin(), a.end(), T{1});
  T* const end = memory.data()->x + memory.size() * (line_bytes / sizeof(T));
  std::fill(memory.data()->x, end, T{-1});
  const Job<T> job{a.data(), b, rows, columns, columns, b_pitch};
  const PartSize size = host_part(Stores::Streaming);
  for (std::int64_t row = 0; row < rows; row += size.rows)
    for (std::int64_t column = 0; column < columns; column += size.columns)
      host_transpose(
          job,
          {row, std::min(row + size.rows, rows), column, std::min(column + size.columns, columns)},
          Stores::Streaming);
  for (std::int64_t column = 0; column < columns; ++column)
    for (std::int64_t row = 0; row < b_pitch; ++row)
      ASSERT_EQ(b[column * b_pitch + row],
                row < rows ? a[static_cast<std::size_t>(row * columns + column)] : T{-1})
          << row << " " << column;
  const T* const after = b + columns * b_pitch;
  EXPECT_EQ(std::count(memory.data()->x, b, T{-1}), b - memory.data()->x);
  EXPECT_EQ(std::count<const T*>(after, end, T{-1}), end - after);
}

// Into the caches go small matrices, which transpose_test.cpp has.
TEST(HostTransposes, PastTheCachesWriteBAlone) {
  for (const std::int64_t rows : {1, 15, 16, 63, 65, 127, 128, 129, 144, 257, 300})
    for (const std::int64_t columns : {1, 16, 33, 128, 141, 256, 300}) {
      expect_host_transposed<float>(rows, columns);
      expect_host_transposed<double>(rows, columns);
    }
}

TEST(HostTransposes, GoPastTheCachesWithLargeMatrices) {
  const Job<float> large{nullptr, nullptr, 1 << 20, 1 << 20, 1 << 20, 1 << 20};
  EXPECT_EQ(host_stores(large), Stores::Streaming);
  EXPECT_EQ(host_stores(Job<double>{nullptr, nullptr, 8, 8, 8, 8}), Stores::Cached);
}

template <class Order>
void expect_each_tile_once(const Order& order) {
  std::set<std::pair<unsigned, unsigned>> seen;
  for (unsigned n = 0; n < order.tiles.total(); ++n) {
    const TileAt at = order.at(n);
    EXPECT_LT(at.row, order.tiles.rows);
    EXPECT_LT(at.column, order.tiles.columns);
    EXPECT_TRUE(seen.insert({at.row, at.column}).second) << n;
  }
}

TEST(TileOrders, VisitEachTileOnce) {
  for (const TileCounts& tiles : {TileCounts{1, 1}, {1, 7}, {7, 1}, {4, 4}, {5, 8}, {9, 6}}) {
    SCOPED_TRACE(testing::Message() << tiles.rows << "x" << tiles.columns);
    expect_each_tile_once(AlongRows{tiles});
    expect_each_tile_once(AlongDiagonals{tiles});
    expect_each_tile_once(DownColumns{tiles});
  }
}

TEST(TileOrders, DiagonalsShareNoRowAndNoColumn) {
  // [ufrgs-thesis], figure 4.9: a 4 x 4 matrix of tiles.
  const AlongDiagonals order{{4, 4}};
  for (unsigned diagonal = 0; diagonal < 4; ++diagonal)
    for (unsigned n = 0; n < 4; ++n) {
      EXPECT_EQ(order.at(4 * diagonal + n).row, n);
      EXPECT_EQ(order.at(4 * diagonal + n).column, (n + diagonal) % 4);
    }
}

}  // namespace
}  // namespace memstencil::transpose
