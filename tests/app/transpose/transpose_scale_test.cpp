// Pins the scale of a transpose's figures by clocks that are given, each rank's its own.
#include "tests/app/base/given_clock.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace memstencil::transpose {
namespace {

constexpr int iterations = 5;

/// With each look this rank's clock goes on by these steps in turn.
Repeat clocked(const std::vector<double>& steps, ElementType type = ElementType::Float) {
  const Communicator ranks;
  Options options = options_for(Executor::Host);
  options.rows = 60;
  options.columns = 90;
  options.type = type;
  options.iterations = iterations;
  const Plan plan = plan_of(options, ranks);
  const GivenClock clock(steps);
  return run_once(plan, ranks);
}
double factor() {
  const Communicator ranks;
  return ranks.rank() + 1 == ranks.size() ? 3 : 1;
}

TEST(TransposeScale, AnIterationMovesTheWholeMatrixTwiceInTheTimeOfTheSlowestRank) {
  for (const ElementType type : {ElementType::Float, ElementType::Double}) {
    const Repeat even = clocked({1}, type), slow = clocked({factor()}, type);
    ASSERT_EQ(slow.variants.size(), even.variants.size());
    for (std::size_t n = 0; n < slow.variants.size(); ++n) {
      const TimedVariant &v = slow.variants[n], &quick = even.variants[n];
      const double bytes = 2. * 60 * 90 * (type == ElementType::Float ? 4 : 8);
      EXPECT_EQ(v.bytes, bytes);
      ASSERT_EQ(v.seconds.size(), static_cast<std::size_t>(iterations));
      for (std::size_t i = 0; i < v.seconds.size(); ++i)
        EXPECT_DOUBLE_EQ(v.seconds[i], 3 * quick.seconds[i]) << v.name;
      EXPECT_NEAR(1e9 * v.gbs.median * v.seconds[0] / bytes, 1, 1e-12);
      EXPECT_NEAR(1e9 * v.mean.gbs * v.seconds[0] / bytes, 1, 1e-12);
      if (Communicator().size() == 1) {
        EXPECT_EQ(quick.seconds[0], 1) << "between two looks at the clock";
      }
    }
  }
}

TEST(TransposeScale, MediansMeansAndFractionsAreOfTheIterations) {
  std::vector<double> growing(1000);  // so that no two medians are alike
  std::iota(growing.begin(), growing.end(), 1.);
  const Repeat run = clocked(growing);
  const auto copy = std::ranges::find(run.variants, "copy", &TimedVariant::name);
  ASSERT_NE(copy, run.variants.end());
  ASSERT_LT(copy->gbs.minimum, copy->gbs.maximum);
  ASSERT_NE(copy->gbs.median, run.variants.front().gbs.median);
  EXPECT_EQ(run.limit.kind, "copy");
  EXPECT_NEAR(run.limit.gbs, 1e-9 * copy->bytes / std::ranges::min(copy->seconds), 1e-15);
  for (const TimedVariant& v : run.variants) {
    const Statistics seconds = statistics(v.seconds);
    EXPECT_NEAR(v.gbs.median * seconds.median / (1e-9 * v.bytes), 1, 1e-12) << v.name;
    EXPECT_NEAR(v.mean.gbs * seconds.mean / (1e-9 * v.bytes), 1, 1e-12) << v.name;
    EXPECT_EQ(v.iteration_seconds.median, seconds.median);
    EXPECT_EQ(v.mean.relative_half_width, seconds.relative_half_width);
    EXPECT_LE(v.mean.ci95[0], v.mean.seconds);
    EXPECT_GE(v.mean.ci95[1], v.mean.seconds);
    EXPECT_DOUBLE_EQ(v.of_copy, v.gbs.median / copy->gbs.median);
    EXPECT_DOUBLE_EQ(v.fraction, v.gbs.median / run.limit.gbs);
  }
}

TEST(TransposeScale, ARanksTimesAreOfAnIterationOfAVariant) {
  const Repeat run = clocked({1, 2, 4, 8, 16, 32, 64});
  for (const char* part : {"transpose", "pack", "exchange"}) {
    double timed = 0;
    for (const TimedVariant& v : run.variants) {
      if (v.name == "copy") continue;
      if (v.split) timed += v.split->at(part);
      if (!v.split && part == std::string("transpose"))
        timed += std::accumulate(v.seconds.begin(), v.seconds.end(), 0.0);
    }
    EXPECT_DOUBLE_EQ(run.seconds_of_rank.at(part), timed / iterations) << part;
    EXPECT_DOUBLE_EQ(run.phases.at(part), timed) << part;
  }
}

}  // namespace
}  // namespace memstencil::transpose
