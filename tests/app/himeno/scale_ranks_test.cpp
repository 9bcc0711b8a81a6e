// Pins runs on several ranks: the scale of their figures by clocks that are given, each rank's its
// own, over the time of the slowest; their division, and the field that they keep.
#include "app/himeno/result.hpp"
#include "tests/app/base/given_clock.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace memstencil::himeno {
namespace {

constexpr int clocked_sweeps = 6;

Plan scale_plan() { return plan_of(host_options({34, 40, 50}, clocked_sweeps)); }

/// With each look this rank's clock goes on by these steps in turn.
RunResult clocked(const Plan& plan, const std::vector<double>& steps) {
  const GivenClock clock(steps);
  return run_once(plan, Communicator());
}
/// By a second, and by three on the last rank.
RunResult slow_on_the_last_rank(const Plan& plan) {
  const Communicator ranks;
  return clocked(plan, {ranks.rank() + 1 == ranks.size() ? 3. : 1.});
}

TEST(HimenoScale, TheSlowestRanksTimeCounts) {
  const Plan plan = scale_plan();
  const RunResult even = clocked(plan, {1}), slow = slow_on_the_last_rank(plan);
  EXPECT_GE(even.solve_seconds, clocked_sweeps);
  EXPECT_DOUBLE_EQ(slow.solve_seconds, 3 * even.solve_seconds);
  EXPECT_DOUBLE_EQ(slow.sweep_seconds.spread.median, 3 * even.sweep_seconds.spread.median);
  EXPECT_DOUBLE_EQ(slow.phases.at("sweeps"), 3 * even.phases.at("sweeps"));
  if (slow.scaling) {
    EXPECT_DOUBLE_EQ(slow.scaling->exchange_seconds, 3 * even.scaling->exchange_seconds);
    EXPECT_EQ(even.scaling->exchange_seconds, 1) << "between two looks at the clock";
    const RunResult fused = clocked(plan_of(host_options({34, 40, 50}, 9, {}, 2)), {1});
    EXPECT_EQ(fused.scaling->exchanges, 5) << "four passes of two sweeps, and one";
  }
}

TEST(HimenoScale, RatesAreOfTheWholeGrid) {
  const RunResult run = slow_on_the_last_rank(scale_plan());
  const double flops = 34. * 31 * 37 * 47 * clocked_sweeps;
  EXPECT_NEAR(1e6 * run.mflops * run.solve_seconds / flops, 1, 1e-12);
  EXPECT_NEAR(1e6 * run.mflops_end_to_end * run.total_seconds / flops, 1, 1e-12);
  EXPECT_NEAR(1e9 * run.bandwidth_gbs * run.solve_seconds / (56. * 32 * 38 * 48 * clocked_sweeps),
              1, 1e-12);
}

TEST(HimenoScale, TheLimitReads13ArraysOfAllRanks) {
  const Communicator ranks;
  const Plan plan = scale_plan();
  const RunResult run = slow_on_the_last_rank(plan);
  const double elements = ranks.sum(static_cast<double>(plan.subdomain.grid.elements()));
  EXPECT_EQ(run.limit.kind, "read stream");
  // A pass is between two looks at the clock.
  EXPECT_NEAR(1e9 * run.limit.gbs * 3 / (13 * 4 * elements), 1, 1e-12);
  EXPECT_DOUBLE_EQ(run.limit.fraction, run.bandwidth_gbs / run.limit.gbs);
}

TEST(HimenoScale, ATrialsSweepsShareTheTimeOfTheirPassAndOfItsHalo) {
  const Communicator ranks;
  Options options = host_options({34, 40, 50}, 12);
  options.sweep = {.name = "auto"};
  const GivenClock clock(1);
  const Plan plan = plan_of(options);
  const auto rows = try_sweeps(plan, {}, ranks);
  // A lap of the sweeps; with several ranks one of the halo, and of most of these few passes the
  // last one's wait as well.
  const double of_pass = ranks.size() > 1 ? 3 : 1;
  int tried = 0, fused = 0;
  for (const TrialRow& row : rows) {
    if (!row.sweep_seconds) continue;
    ++tried;
    fused += row.kind.sweeps > 1 ? 1 : 0;
    EXPECT_DOUBLE_EQ(row.sweep_seconds->median, of_pass / row.kind.sweeps) << row.sweep;
    // The limit reads 13 arrays of all ranks between two looks at the clock.
    const double elements =
        ranks.sum(static_cast<double>(fastest(rows).plan->subdomain.grid.elements()));
    EXPECT_NEAR(
        row.fraction.value() * row.sweep_seconds->median * 13 * 4 * elements / (56. * 32 * 38 * 48),
        1, 1e-12);
  }
  EXPECT_GT(tried, fused);
  EXPECT_GT(fused, 0);
}

TEST(HimenoScale, SecondsAskedForAreFilledByTheSweepsOfARehearsal) {
  const Communicator ranks;
  for (const int fused : {1, 2}) {
    Options options = host_options({34, 40, 50}, 1, {}, fused);
    options.seconds = 400;
    const GivenClock clock(1);
    EXPECT_NEAR(run_repeats(plan_of(options), ranks).at(0).solve_seconds, 400, 0.1 * 400) << fused;
  }
}

// On the machine's clock: each rehearsal would find another number.
TEST(HimenoScale, RepeatsOfSecondsMakeTheSweepsOfOneRunWithIterations) {
  const Communicator ranks;
  for (const int fused : {1, 2}) {
    Options options = host_options({34, 40, 50}, 1, {}, fused);
    options.seconds = 0.01;
    options.repeat = 3;
    const std::vector<RunResult> repeats = run_repeats(plan_of(options), ranks);
    const std::int64_t sweeps = repeats.front().iterations;
    const RunResult once = run_once(plan_of(host_options({34, 40, 50}, sweeps, {}, fused)), ranks);
    for (const RunResult& each : repeats) {
      EXPECT_EQ(each.iterations, sweeps);
      ASSERT_EQ(each.sums.size(), once.sums.size());
      for (std::size_t n = 0; n < once.sums.size(); ++n)
        EXPECT_NEAR(each.sums[n], once.sums[n], 1e-12 * once.sums[n]) << "sweep " << n + 1;
    }
  }
}

TEST(HimenoScale, AllPhasesTakeTheTotalAndTheMedianSweepStandsForTheRank) {
  const RunResult run = clocked(scale_plan(), {1, 2, 1, 7, 1});
  EXPECT_EQ(run.seconds_of_rank.at("sweep"), statistics(run.sweeps.seconds).median);
  EXPECT_LT(run.sweep_seconds.spread.median, run.sweep_seconds.spread.maximum);
  double around = 0;
  for (const char* each : {"allocate", "initialise", "upload", "download", "free"})
    around += run.phases.at(each);
  EXPECT_GT(around, 0);
  if (Communicator().size() > 1) return;  // the slowest of each counts
  EXPECT_DOUBLE_EQ(run.total_seconds, run.solve_seconds + around);
  EXPECT_DOUBLE_EQ(run.phases.at("sweeps"),
                   std::accumulate(run.sweeps.seconds.begin(), run.sweeps.seconds.end(), 0.0));
}

TEST(HimenoRanksAlone, AreDividedWithoutTheOption) {
  const Communicator communicator;
  const Plan plan = plan_of(host_options({64, 64, 128}, 3));
  EXPECT_EQ(plan.decomposition.empty(), communicator.size() == 1);
  EXPECT_EQ(plan.subdomain.ranks[0] * plan.subdomain.ranks[1] * plan.subdomain.ranks[2],
            communicator.size());
  const RunResult result = run_once(plan, communicator);
  EXPECT_NEAR(result.sums.back(), 3.296793923e-03, 1e-9 * 3.3e-03);
  EXPECT_TRUE(result.p.empty()) << "kept without --save-field";
}

TEST(HimenoRanksAlone, KeepOnePOfAllRepeats) {
  const Communicator communicator;
  Options options = host_options({19, 23, 37}, 7);
  options.save_field = true;
  const RunResult once = run_once(plan_of(options), communicator);
  options.repeat = 3;
  const auto repeats = run_repeats(plan_of(options), communicator);
  ASSERT_EQ(repeats.size(), 3U);
  EXPECT_TRUE(repeats[0].p.empty());
  EXPECT_TRUE(repeats[1].p.empty());
  EXPECT_EQ(repeats[2].p, once.p);
}

}  // namespace
}  // namespace memstencil::himeno
