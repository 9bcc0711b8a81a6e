// Pins the analysis of samples and curves: fits, settling, orders and levels of chases.
#include "app/membench/core/analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace memstencil::membench {
namespace {

TEST(LeastSquares, FindsThePlaneThatPointsLieOn) {
  std::vector<double> x, y, one, z;
  for (int n = 0; n < 20; ++n) {
    x.push_back(n);
    y.push_back(n * n % 7);
    one.push_back(1);
    z.push_back(3 * x.back() - 2 * y.back() + 5);
  }
  const Fit fit = least_squares({x, y, one}, z);
  EXPECT_NEAR(fit.coefficients[0], 3, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], -2, 1e-12);
  EXPECT_NEAR(fit.coefficients[2], 5, 1e-11);
  EXPECT_NEAR(fit.r_squared, 1, 1e-12);
  const Fit mean = least_squares({{1, 1, 1, 1}}, {0, 0, 0, 4});
  EXPECT_DOUBLE_EQ(mean.rms_residual, std::sqrt(3.0));
  EXPECT_EQ(mean.largest_residual, 3);
  EXPECT_THROW(least_squares({x, x}, z), std::invalid_argument);
  EXPECT_THROW(least_squares({{1.0}, {2.0}}, {1.0}), std::invalid_argument);
}

TEST(Settling, FindsTheRepeatFromWhichASeriesIsSteady) {
  std::vector<double> climb;
  for (int n = 0; n < 10; ++n) climb.push_back(300.0 + 200.0 * n);
  climb.resize(40, 3000.0);
  EXPECT_EQ(settling(climb).repeat, 11U);
  EXPECT_EQ(settling(climb).steady, 3000.0);
  climb.back() = 3300;  // nor is the fastest one steady
  EXPECT_EQ(settling(climb).steady, 3000.0);
  climb[20] = 40;  // single repeats do drop
  EXPECT_EQ(settling(climb).repeat, 11U);
  EXPECT_FALSE(settling(std::vector<double>(3, 1.0)).repeat.has_value());
  EXPECT_EQ(settling(std::vector<double>{10, 10, 10, 10, 10, 10, 20, 20}).steady, 20);
}

TEST(Settling, TakesTheTimeOfMovingFromTheWholeSeries) {
  // Repeats of 2 s and 1 s instead of 0.5: 1.5 + 0.5 more.
  EXPECT_NEAR(seconds_of_moving(std::vector<double>{5, 10, 20, 20, 20, 20}, 10), 2.0, 1e-12);
  EXPECT_EQ(seconds_of_moving(std::vector<double>(8, 3.0), 10), 0.0);
}

TEST(RandomCycle, GoesThroughAllSlotsOnce) {
  for (const std::uint32_t slots : {1U, 2U, 7U, 1000U}) {
    const auto next = random_cycle(slots, 3);
    std::set<std::uint32_t> met;
    std::uint32_t slot = 0;
    for (std::uint32_t n = 0; n < slots; ++n) met.insert(slot = next[slot]);
    EXPECT_EQ(met.size(), slots);
    EXPECT_EQ(slot, 0U);
    EXPECT_EQ(follow(next, 0, slots + 1), next[0]);
  }
}

TEST(Levels, AreThePlateausOfACurveWhateverTheirNumber) {
  const std::map<std::size_t, double> curve{{1, 30},    {2, 30},    {4, 31},    {8, 50},
                                            {16, 200},  {32, 205},  {64, 210},  {128, 500},
                                            {256, 600}, {512, 610}, {1024, 605}};
  const std::vector<Level> levels = levels_of(curve);
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].latency, 30);
  EXPECT_EQ(levels[0].holds, 8U);
  EXPECT_EQ(levels[1].first, 16U);
  EXPECT_EQ(levels[1].holds, 64U);
  EXPECT_EQ(levels[2].last, 1024U);
}

}  // namespace
}  // namespace memstencil::membench
