// When two sides are told apart: intervals over synthetic repeats and processes.
#include "app/compare/judge/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace memstencil::compare {
namespace {

/// Processes of three repeats each around `seconds`, whose spread between processes is as large as
/// within them.
Times runs_of(double seconds, int processes, double spread, std::mt19937& random) {
  std::normal_distribution<double> around(0, spread);
  Times times;
  for (int process = 0; process < processes; ++process) {
    const double middle = std::log(seconds) + around(random);
    std::vector<double>& repeats = times.emplace_back();
    for (int repeat = 0; repeat < 3; ++repeat) repeats.push_back(std::exp(middle + around(random)));
  }
  return times;
}

/// How many of 1,000 pairs of sides are told apart.
int told(double ratio, int processes, double spread) {
  std::mt19937 random(7);
  int count = 0;
  for (int pair = 0; pair < 1000; ++pair) {
    const Times here = runs_of(ratio, processes, spread, random);
    const Times there = runs_of(1, processes, spread, random);
    count += ratio_of(here, there, here[0][0] / there[0][0]).told() ? 1 : 0;
  }
  return count;
}

TEST(Intervals, OfEqualSidesAtMost5PercentAreTold) { EXPECT_LE(told(1, 3, 0.03), 50); }

TEST(Intervals, SidesFivePercentApartAreToldAtASpreadOfProcessesOf1Percent) {
  // The medians of three repeats around processes that spread by 0.83 % spread by 1 %.
  EXPECT_GE(told(1.05, 3, 0.0083), 950);
}

TEST(Intervals, OneProcessEachTells20PercentAndNot5) {
  EXPECT_LE(told(1.05, 1, 0.01), 100) << "where the processes themselves spread by 1 %, too";
  EXPECT_GE(told(1.20, 1, 0.01), 950);
  const auto repeats = [](double middle) {
    return Times{{0.999 * middle, middle, 1.001 * middle}};
  };
  EXPECT_FALSE(ratio_of(repeats(1.05), repeats(1), 1.05).told());
  EXPECT_TRUE(ratio_of(repeats(1.20), repeats(1), 1.20).told());
}

TEST(Intervals, AnIntervalIsThatOfWelchOverTheMediansOfProcesses) {
  // Logarithms -0.01, 0, 0.01 and 0.09, 0.1, 0.11: equal variances, so four degrees of freedom.
  const auto times = [](double middle) {
    Times all;
    for (const double off : {-0.01, 0.0, 0.01})
      all.push_back(
          {std::exp(middle + off - 1), std::exp(middle + off), std::exp(middle + off + 1)});
    return all;
  };
  const Ratio ratio = ratio_of(times(0.1), times(0), std::exp(0.1));
  const double half = 2.7764451 * std::sqrt(2 * 1e-4 / 3);
  EXPECT_NEAR(ratio.low, std::exp(0.1 - half), 1e-6);
  EXPECT_NEAR(ratio.high, std::exp(0.1 + half), 1e-6);
  EXPECT_EQ(ratio.lone, 0);
}

TEST(Intervals, WhatIsShownIsNeverOutside) {
  Times uneven;
  for (int n = 0; n < 300; ++n) uneven.push_back({n % 5 < 3 ? 1.0 : 1.5});
  const Ratio ratio = ratio_of(uneven, Times(300, {0.99}), 1.0);
  EXPECT_EQ(ratio.low, 1.0);
  EXPECT_GT(ratio.high, 1.17);
  EXPECT_FALSE(ratio.told());
}

TEST(Intervals, OneRunEachHasNoSpreadAndTellsNothing) {
  const Ratio ratio = ratio_of({{2.0}}, {{1.0}}, 2);
  EXPECT_FALSE(ratio.measured());
  EXPECT_FALSE(ratio.told());
  EXPECT_TRUE(ratio_of({{2.0}}, {{1.0, 1.01, 0.99}}, 2).told()) << "by the spread of the other";
  EXPECT_TRUE(
      ratio_of({{2.0}, {2.1}}, {{1.0}}, 2).in_words().ends_with(", one case has one process"));
  EXPECT_TRUE(ratio_of({{2.0, 2.1}}, {{1.0}}, 2).in_words().ends_with(", one process each"));
}

}  // namespace
}  // namespace memstencil::compare
