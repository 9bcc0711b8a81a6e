// Pins how multiprocessors are sorted by what accesses took them, and when the answer is "unclear".
#include "kernels/l2_halves.hpp"

#include <gtest/gtest.h>

#include <random>

namespace memstencil {
namespace {

/// Cycles of so many multiprocessors: 220, `far` more to lines of the other half, and noise.
std::vector<std::vector<double>> cycles(int processors, double far, double noise) {
  std::mt19937 engine(3);
  std::normal_distribution<double> random(0.0, noise);
  std::vector<std::vector<double>> out;
  for (int n = 0; n < processors; ++n) {
    std::vector<double> row;
    for (int line = 0; line < 96; ++line) {
      const bool crossing = (n / 2 % 2 == 0) != (line * 7 % 5 < 2);
      row.push_back(220.0 + n % 9 * 4 + line % 11 * 3 + (crossing ? far : 0.0) + random(engine));
    }
    out.push_back(row);
  }
  return out;
}

TEST(L2Halves, AreFoundUnderNoise) {
  const L2Halves halves = sort_by_half(cycles(132, 100.0, 20.0));
  ASSERT_TRUE(halves.clear);
  EXPECT_EQ(halves.count(0), 66);
  EXPECT_EQ(halves.count(1), 66);
  for (std::size_t n = 0; n < 132; ++n) EXPECT_EQ(halves.half_of[n], n / 2 % 2 == 0 ? 0 : 1);
}

TEST(L2Halves, AreUnclearWhereAllAreAlikeOrNoiseDrownsThem) {
  EXPECT_FALSE(sort_by_half({}).clear);
  EXPECT_FALSE(sort_by_half(cycles(132, 20.0, 60.0)).clear);
  const L2Halves halves = sort_by_half(cycles(132, 0.0, 20.0));
  EXPECT_FALSE(halves.clear);
  EXPECT_EQ(halves.count(0), 132);
}

TEST(L2Halves, LeaveOutIdentifiersThatNobodyMet) {
  auto with_gaps = cycles(40, 100.0, 5.0);
  with_gaps[3].assign(96, 0.0);
  with_gaps.emplace_back(96, 0.0);
  const L2Halves halves = sort_by_half(with_gaps);
  EXPECT_TRUE(halves.clear);
  EXPECT_EQ(halves.half_of[3], -1);
  EXPECT_EQ(halves.half_of[40], -1);
  EXPECT_EQ(halves.count(0) + halves.count(1), 39);
}

TEST(L2Halves, TellTheHalfOfEachLineAndWhatNearAndFarTake) {
  auto with_gap = cycles(40, 100.0, 5.0);
  with_gap[3].assign(96, 0.0);
  const L2Halves halves = sort_by_half(with_gap);
  const std::vector<int> half_of_line = halves_of_lines(halves, with_gap);
  ASSERT_EQ(half_of_line.size(), 96U);
  for (std::size_t line = 0; line < 96; ++line)
    EXPECT_EQ(half_of_line[line], line * 7 % 5 < 2 ? 0 : 1) << line;
  const NearAndFar taken = near_and_far(halves, with_gap, half_of_line);
  EXPECT_NEAR(taken.near, 220 + 16 + 15, 6);
  EXPECT_NEAR(taken.far - taken.near, 100, 6);
}

}  // namespace
}  // namespace memstencil
