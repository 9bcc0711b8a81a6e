// Pins how rows are shared out among ranks, and the room that their tiles take.
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

TEST(Tiles, TakeRoomForARanksTilesEachWay) {
  const double tile = 16384.0 * 16384 * 4;
  EXPECT_NEAR(Tiles::bytes({{32768, 32768}, 0, 2, 4}), 2 * tile, 1e3);
  EXPECT_NEAR(Tiles::bytes({{32768, 32768}, 0, 4, 4}), 2 * 3 * tile / 4, 1e3);
}

}  // namespace
}  // namespace memstencil::transpose
