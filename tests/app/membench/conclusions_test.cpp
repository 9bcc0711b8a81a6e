// Pins what is concluded from rows: fits, settling, orders and levels of chases.
#include "app/membench/core/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// The rows that follow from these.
std::vector<Row> derived(const std::string& probe, std::vector<Row> rows) {
  std::vector<Row> more;
  std::ranges::find(probes(), probe, &Probe::name)->derive(rows, more);
  return more;
}

TEST(SharedFit, NeedsSeveralNumbersOfWarps) {
  for (const int warps : {1, 2}) {
    std::vector<Row> rows;
    for (int n = 0; n < 128; ++n) {
      const double loads = 1 + n % 32, own = 1 + n / 32 % warps, congestion = 1 + n / 64;
      rows.push_back({{{"word_bits", 32.},
                       {"loads", loads},
                       {"warps", own},
                       {"congestion", congestion},
                       {"cycles", loads * own * congestion + 100}},
                      {}});
    }
    const std::vector<Row> fits = derived("shared", rows);
    ASSERT_EQ(fits.size(), warps == 1 ? 0U : 2U);
    if (warps > 1) {
      EXPECT_NEAR(fits[0].number("C1"), 1, 1e-9);
    }
  }
}

TEST(SharedFit, CountsThePassesOfWordsOf8BytesByHalvesOfAWarp) {
  std::vector<Row> rows;
  for (const double congestion : {1., 8., 16., 24., 32.})
    for (double loads = 1; loads <= 8; ++loads)
      for (const double warps : {2., 4.}) {
        const double passes = congestion > 16 ? congestion : congestion + 1;
        rows.push_back({{{"word_bits", 64.},
                         {"loads", loads},
                         {"warps", warps},
                         {"congestion", congestion},
                         {"cycles", 3 * loads * warps * passes + 5 * warps + 100}},
                        {}});
      }
  const Row fit = derived("shared", rows).at(1);
  EXPECT_NEAR(fit.number("C1"), 3, 1e-9);
  EXPECT_NEAR(fit.number("C2"), 5, 1e-9);
  EXPECT_NEAR(fit.number("C3"), 100, 1e-9);
}

TEST(Overlap, HidesWhatBothTakeLessThanOneAfterTheOtherWhateverTheWork) {
  const auto row = [](const char* work, const char* part, double seconds) {
    return Row{{{"bytes", 8.},
                {"direction", "HtoD"},
                {"work", work},
                {"part", part},
                {"seconds", seconds}},
               {}};
  };
  const std::vector<Row> more =
      derived("overlap", {row("memory", "copy alone", 4), row("memory", "kernel alone", 5),
                          row("memory", "both", 6), row("arithmetic", "both", 6)});
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0].text("work"), "memory");
  EXPECT_EQ(more[0].number("hidden"), 0.75);
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
