// Pins which points the time loop is compared at.
#include "app/grid/cone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace memstencil {
namespace {

constexpr Triple large{256, 256, 512};

TEST(Patches, AreAllPointsOfASmallGrid) {
  const Subdomain subdomain = subdomain_of({64, 64, 128}, {2, 1, 1}, 1, 2, 3);
  const auto all = patches(subdomain, 9);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().points(), subdomain.grid.owned.points());
}

TEST(Patches, OfALargeGridLieAtEveryCornerAndInTheOwnedPoints) {
  for (const int rank : {0, 1, 2, 3}) {
    const Subdomain subdomain = subdomain_of(large, {2, 1, 2}, rank, 4, 1);
    const auto all = patches(subdomain, 3);
    const Box& owned = subdomain.grid.owned;
    for (int corner = 0; corner < 8; ++corner) {
      Box point = owned;
      for (int d = 0; d < 3; ++d) {
        if ((corner >> d & 1) != 0) point.lo[d] = owned.hi[d] - 1;
        point.hi[d] = point.lo[d] + 1;
      }
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Box& box) {
        return !grown(point, 0, box).empty();
      })) << corner;
    }
    for (const Box& box : all) {
      EXPECT_FALSE(box.empty());
      EXPECT_EQ(grown(box, 0, owned).points(), box.points());
    }
  }
}

TEST(Patches, UseTheUpdatesThatTheyMayTakeAndHaveOneOfEachKind) {
  const auto patches_of = [](const Subdomain& subdomain, int sweeps, double least) {
    const std::vector<Box> all = patches(subdomain, sweeps);
    std::int64_t sum = 0;
    for (const Box& box : all) sum += updates(large, subdomain.global_box(box), sweeps);
    EXPECT_LE(sum, std::int64_t{1} << 24);
    EXPECT_GE(static_cast<double>(sum), least * 0x1p24);
    return all.size();
  };
  const Subdomain alone = subdomain_of(large, {1, 1, 1}, 0, 1, 16);
  EXPECT_GE(patches_of(alone, 3, 0), 26U);
  patches_of(alone, 15, 0);
  patches_of(subdomain_of(large, {1, 2, 1}, 1, 2, 4), 12, 0.9);
  EXPECT_GE(patches(alone, 63).size(), 4U) << "however many sweeps there are";
}

TEST(Patches, AreAboutAThousandWhereTheyAreCheapAndHalfOfThemLieAtNeighbours) {
  const Subdomain subdomain = subdomain_of(large, {2, 1, 1}, 0, 2, 1);
  const auto all = patches(subdomain, 3);
  EXPECT_GE(all.size(), 1000U);
  const auto at_neighbour = std::count_if(all.begin(), all.end(), [&](const Box& box) {
    return box.hi[0] == subdomain.grid.owned.hi[0];
  });
  EXPECT_GE(at_neighbour, 500);
  EXPECT_LE(at_neighbour, 550);
}

}  // namespace
}  // namespace memstencil
