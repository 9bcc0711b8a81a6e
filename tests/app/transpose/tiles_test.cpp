// Pins how rows are shared out among ranks, in how many steps their tiles travel, and what room
// they take.
#include "app/transpose/tiles.hpp"

#include <gtest/gtest.h>

namespace memstencil::transpose {
namespace {

TEST(Rows, AreSharedOutOnceAndEvenly) {
  for (const std::int64_t total : {1, 2, 3, 4, 5, 7, 100, 8191})
    for (int ranks = 1; ranks <= 5; ++ranks) {
      const Distribution part{{total, 3}, 0, ranks, 4};
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Slice slice = part.rows_of_a(rank);
        EXPECT_EQ(slice.first, next);
        EXPECT_GE(slice.count, total / ranks);
        EXPECT_LE(slice.count, (total + ranks - 1) / ranks);
        next += slice.count;
      }
      EXPECT_EQ(next, total);
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

TEST(Tiles, TakeRoomForTwoStepsAtMost) {
  const Distribution part{{32768, 32768}, 0, 2, 4};
  const double tile = 16384.0 * 16384 * 4;
  EXPECT_NEAR(Tiles::bytes(part, 8), 2 * 2 * tile / 8, 1e6);
  EXPECT_NEAR(Tiles::bytes(part, 1), 2 * tile, 1e6);
  EXPECT_EQ(Tiles::bytes(part, 0), 0);
}

}  // namespace
}  // namespace memstencil::transpose
