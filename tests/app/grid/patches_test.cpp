// Pins which points the time loop is compared at.
#include "app/grid/cone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace memstencil {
namespace {

constexpr Triple large{256, 256, 512};

bool holds(const Box& box, const std::array<std::int64_t, 3>& point) {
  bool inside = true;
  for (std::size_t d = 0; d < 3; ++d)
    inside = inside && box.lo[d] <= point[d] && point[d] < box.hi[d];
  return inside;
}

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
      std::array<std::int64_t, 3> point{};
      for (std::size_t d = 0; d < 3; ++d)
        point[d] = (corner >> d & 1) != 0 ? owned.hi[d] - 1 : owned.lo[d];
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Box& box) {
        return holds(box, point);
      })) << corner;
    }
    for (const Box& box : all) {
      EXPECT_FALSE(box.empty());
      EXPECT_EQ(grown(box, 0, owned).points(), box.points());
    }
  }
}

TEST(Patches, TakeFewUpdatesButHaveOneOfEachKind) {
  const Subdomain subdomain = subdomain_of(large, {1, 1, 1}, 0, 1, 16);
  const auto cost = [&](int sweeps) {
    std::int64_t sum = 0;
    for (Box box : patches(subdomain, sweeps)) sum += updates(large, box, sweeps);
    return sum;
  };
  EXPECT_LE(cost(3), std::int64_t{1} << 24);
  EXPECT_LE(cost(15), std::int64_t{1} << 24);
  EXPECT_GE(patches(subdomain, 63).size(), 4U) << "however many sweeps there are";
  EXPECT_GE(patches(subdomain, 3).size(), 26U);
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

TEST(Patches, UseTheUpdatesThatTheyMayTake) {
  const Subdomain subdomain = subdomain_of(large, {1, 2, 1}, 1, 2, 4);
  std::int64_t sum = 0;
  for (const Box& box : patches(subdomain, 12))
    sum += updates(large, subdomain.global_box(box), 12);
  EXPECT_GE(sum, (std::int64_t{1} << 24) / 10 * 9);
  EXPECT_LE(sum, std::int64_t{1} << 24);
}

}  // namespace
}  // namespace memstencil
