// Pins what is concluded from a series whose first repeats move pages.
#include "app/membench/placement/series.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memstencil::membench {
namespace {

TEST(Settling, FindsTheRepeatFromWhichASeriesIsSteady) {
  std::vector<double> climb;
  for (int n = 0; n < 10; ++n) climb.push_back(300.0 + 200.0 * n);
  climb.resize(40, 3000.0);
  const Settling s = settling(climb);
  EXPECT_EQ(s.first, 300.0);
  EXPECT_EQ(s.steady, 3000.0);
  EXPECT_EQ(s.repeat, 11U);
}

TEST(Settling, IsAtTheFirstRepeatWhereNothingMoves) {
  EXPECT_EQ(settling(std::vector<double>(20, 5.0)).repeat, 1U);
}

TEST(Settling, OverlooksSingleDrops) {
  std::vector<double> series(20, 100.0);
  series[0] = 10.0;
  series[12] = 40.0;
  EXPECT_EQ(settling(series).repeat, 2U);
}

TEST(Settling, IsNotToldOfASeriesThatStillClimbs) {
  std::vector<double> series;
  for (int n = 1; n <= 20; ++n) series.push_back(n * n);
  EXPECT_FALSE(settling(series).repeat.has_value());
}

TEST(Settling, IsNotToldOfThreeRepeats) {
  EXPECT_FALSE(settling(std::vector<double>(3, 1.0)).repeat.has_value());
}

TEST(Settling, GivesNoRateWhereTheFirstRepeatWasNotSlower) {
  EXPECT_FALSE(moving_rate({.first = 2.0, .steady = 2.0, .repeat = {}}, 1.0).has_value());
}

TEST(Settling, RecordsTheMiddleOfTheExperimentsAndTheLatestSettling) {
  Measurement m{.name = "", .parameters = {}, .unit = "GB/s", .samples = {}, .experiments = 3};
  for (const double first : {1.0, 2.0, 3.0}) {
    std::vector<double> series(8, 10.0);
    for (int n = 0; n < static_cast<int>(first); ++n) series[static_cast<std::size_t>(n)] = first;
    m.samples.values.insert(m.samples.values.end(), series.begin(), series.end());
  }
  EXPECT_EQ(settling_record(m),
            (Record{{"first_gbs", 2.0}, {"steady_gbs", 10.0}, {"steady_repeat", 4}}));
  m.samples.values[22] = 1.0;
  EXPECT_TRUE(settling_record(m)["steady_repeat"].is_null());
}

}  // namespace
}  // namespace memstencil::membench
