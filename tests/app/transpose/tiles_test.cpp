// Pins how tiles are cut into the pieces of steps: every element once.
#include "app/transpose/tiles.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace memstencil::transpose {
namespace {

using Element = std::pair<std::int64_t, std::int64_t>;

std::set<Element> elements(const Tile& tile) {
  std::set<Element> out;
  for (std::int64_t r = 0; r < tile.rows.count; ++r)
    for (std::int64_t c = 0; c < tile.columns.count; ++c)
      out.emplace(tile.rows.first + r, tile.columns.first + c);
  return out;
}

TEST(Tiles, CarryEveryElementOfAnotherRankOnce) {
  for (const Shape& shape : {Shape{65, 130}, Shape{3, 200}, Shape{200, 3}, Shape{97, 97}})
    for (const std::int64_t steps : {1, 2, 5}) {
      const Distribution part{shape, 0, 3, 4};
      std::map<Element, int> carried;
      for (int from = 0; from < part.ranks; ++from)
        for (int to = 0; to < part.ranks; ++to)
          for (std::int64_t step = 0; from != to && step < steps; ++step)
            for (const Element& each : elements(tile(part, from, to, step, steps))) {
              ++carried[each];
              const Slice rows = part.rows_of_a(from), columns = part.rows_of_b(to);
              EXPECT_TRUE(each.first >= rows.first && each.first < rows.first + rows.count);
              EXPECT_TRUE(each.second >= columns.first &&
                          each.second < columns.first + columns.count);
            }
      std::int64_t own = 0;
      for (int rank = 0; rank < part.ranks; ++rank)
        own += part.rows_of_a(rank).count * part.rows_of_b(rank).count;
      EXPECT_EQ(static_cast<std::int64_t>(carried.size()), shape.rows * shape.columns - own);
      for (const auto& [element, times] : carried) EXPECT_EQ(times, 1);
    }
}

TEST(Tiles, TravelInMoreStepsWhereTheyAreLarger) {
  constexpr std::int64_t unit = 1 << 24;
  const auto steps = [](std::int64_t n, int ranks) {
    return exchange_steps({{n, n}, 0, ranks, 4}, unit);
  };
  EXPECT_EQ(steps(100, 2), 1);
  EXPECT_EQ(steps(32768, 2), 8);
  EXPECT_EQ(steps(65536, 2), 16);
  EXPECT_EQ(steps(32768, 1), 1);
  EXPECT_EQ(exchange_steps({{32768, 32768}, 0, 2, 4}, 0), 1);
}

TEST(Tiles, TakeTheRoomOfTwoStepsEachWayOrOfTheOnlyOne) {
  const Distribution part{{32768, 32768}, 0, 2, 4};
  const double tile = 16384.0 * 16384 * 4;
  EXPECT_NEAR(Tiles::bytes(part, 8), 2 * 2 * tile / 8, 1e6);
  EXPECT_NEAR(Tiles::bytes(part, 1), 2 * tile, 1e6);
  EXPECT_EQ(Tiles::bytes(part, 0), 0);
}

}  // namespace
}  // namespace memstencil::transpose
