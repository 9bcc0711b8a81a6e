// Chains go through their whole footprint in one cycle, and curves are cut into levels.
#include "app/membench/hierarchy/chain.hpp"

#include "app/membench/hierarchy/latency_curve.hpp"
#include "kernels/probes/latency.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace memstencil::membench {
namespace {

TEST(RandomCycle, GoesThroughEverySlotBeforeItReturns) {
  for (const std::uint32_t slots : {1U, 2U, 3U, 64U, 10007U}) {
    const std::vector<std::uint32_t> next = random_cycle(slots, 7);
    std::vector<bool> seen(slots, false);
    std::uint32_t slot = 0;
    for (std::uint32_t n = 0; n < slots; ++n) {
      ASSERT_FALSE(seen[slot]) << "slot " << slot << " of " << slots << " comes twice";
      seen[slot] = true;
      slot = next[slot];
    }
    EXPECT_EQ(slot, 0U);
  }
}

TEST(RandomCycle, SeldomGoesToTheNeighbour) {
  const std::vector<std::uint32_t> next = random_cycle(10000, 7);
  std::uint32_t neighbours = 0;
  for (std::uint32_t s = 0; s < 10000; ++s) neighbours += next[s] == s + 1 || next[s] + 1 == s ? 1 : 0;
  EXPECT_LT(neighbours, 20U);  // 2 are expected
}

TEST(RandomCycle, IsAnotherForAnotherSeed) { EXPECT_NE(random_cycle(100, 1), random_cycle(100, 2)); }

TEST(Follow, EndsWhereSingleStepsEnd) {
  const std::vector<std::uint32_t> next = random_cycle(100, 5);
  std::uint32_t slot = 42;
  for (int n = 0; n < 777; ++n) slot = next[slot];
  EXPECT_EQ(follow(next, 42, 777), slot);
  EXPECT_EQ(follow(next, 42, 0), 42U);
}

TEST(ChasePlace, IsTheFirstLineOfASlotThatHasOne) {
  EXPECT_EQ(probes::chase_place(0, probes::chase_line), 0U);
  EXPECT_EQ(probes::chase_place(12345, probes::chase_line), 12345 * probes::chase_line);
}

TEST(ChasePlace, SpreadsTheLinksOverTheLinesOfTheirPages) {
  constexpr std::uint64_t page = std::uint64_t{2} << 20;
  std::set<std::uint64_t> lines;
  for (std::uint64_t slot = 0; slot < 512; ++slot) {
    const std::uint64_t place = probes::chase_place(slot, page);
    EXPECT_EQ(place / page, slot);
    EXPECT_EQ(place % probes::chase_line, 0U);
    lines.insert(place % page);
  }
  EXPECT_GT(lines.size(), 480U);
}

TEST(Footprints, GrowByTheStepsOfAnOctaveUpToTheLast) {
  EXPECT_EQ(footprints(1024, 8192, 1, 128), (std::vector<std::size_t>{1024, 2048, 4096, 8192}));
  EXPECT_EQ(footprints(1024, 2047, 4, 128), (std::vector<std::size_t>{1024, 1152, 1408, 1664}));
}

TEST(Footprints, AreWholeSlotsAndNeverTwiceTheSame) {
  EXPECT_EQ(footprints(128, 512, 4, 128), (std::vector<std::size_t>{128, 256, 384, 512}));
  EXPECT_TRUE(footprints(1024, 1000, 1, 128).empty());
}

TEST(PlateauOf, TakesThePointsOfItsStretchAndNoOthers) {
  const std::vector<LatencyPoint> curve{{1, 100, 50}, {2, 30, 15}, {4, 40, 20}, {8, 35, 18}, {16, 200, 99}};
  const Plateau p = plateau(curve, 2, 8);
  EXPECT_EQ(p.points, 3);
  EXPECT_DOUBLE_EQ(p.cycles, 35);
  EXPECT_DOUBLE_EQ(p.lowest, 30);
  EXPECT_DOUBLE_EQ(p.highest, 40);
  EXPECT_DOUBLE_EQ(p.nanoseconds, 18);
  EXPECT_EQ(plateau(curve, 5, 7).points, 0);
}

}  // namespace
}  // namespace memstencil::membench
