// Rankings: the fastest memory, runs of fewer steps, spreads, and sides against each other.
#include "app/compare/judge/ranking.hpp"
#include "app/compare/show/answer.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

TEST(Ranking, FastestMemoryComesFirstWithTheRatioOfTheOthers) {
  const Compared a({{"a", {steady("managed", 0.2), steady("device", 0.1)}}});
  ASSERT_EQ(a.problems.size(), 1U);
  EXPECT_EQ(a.ranked()[0].memory, "device, filled by host");
  EXPECT_DOUBLE_EQ(a.ranked()[1].to_best, 2.5 / 1.5);
}

TEST(Ranking, ASteadyRunOfFewerStepsIsBroughtToTheCommonNumber) {
  const Compared a(
      {{"a", {steady("managed", 0.2), steady("device", 0.1), steady("host-pinned", 1.0, 6)}}});
  const Ranked& slow = a.ranked().back();
  EXPECT_DOUBLE_EQ(slow.seconds, 10.5);
  EXPECT_DOUBLE_EQ(slow.once, 0.5) << "of ten sweeps, as it ran six";
  const Record rows = a.screen()["blocks"][0]["rows"];
  EXPECT_EQ(rows.front()["sides"]["a"]["scaled"], false);
  EXPECT_EQ(rows.back()["sides"]["a"]["scaled"], true) << "it is marked in its cell";
  EXPECT_EQ(rows.back()["sides"]["a"]["seconds"], 10.5);
}

TEST(Ranking, ARunOfFewerStepsWithoutASteadyPaceIsLeftOut) {
  const Compared a({{"a",
                     {steady("managed", 0.2), steady("device", 0.1),
                      sweeps("system", 0.5, {1, 1, 1, 1, 2, 2, 2})}}});
  EXPECT_EQ(a.problems[0].rows(), 2U);
  EXPECT_EQ(a.problems[0].left_out.size(), 1U);
}

TEST(Ranking, PagesThatMoveInTheFirstSweepStandBeyondThePace) {
  const Compared a({{"a", {sweeps("managed", 0.5, {2.1, 0.1, 0.1, 0.1, 0.1})}}});
  const Sample& sample = a.sides[0].groups[0].middle();
  EXPECT_DOUBLE_EQ(sample.at(5)[Part::Pace], 0.5);
  EXPECT_DOUBLE_EQ(sample.at(5)[Part::Beyond], 2.0);
  EXPECT_DOUBLE_EQ(sample.at(5).total(), sample.seconds());
}

TEST(Ranking, ASecondPerStepAndASecondPaidOnceAreTwoFigures) {
  const Record device = steady("device", 0.1),
               more_once = sweeps("managed", 0.612, std::vector<double>(10, 0.1));
  const Compared a({{"a", {device, more_once}}});
  const Ranked& managed = a.ranked()[1];
  EXPECT_NEAR(managed.step, 0.1, 1e-12);
  EXPECT_NEAR(managed.once, 0.612, 1e-12);
  EXPECT_DOUBLE_EQ(managed.seconds, managed.once + 10 * managed.step);
}

TEST(Ranking, OfRunsOfOneKindTheOneOfTheNearestNumberOfStepsStands) {
  Record fused = steady("device", 0.1, 102), longer = steady("device", 0.101, 150);
  for (Record* each : {&fused, &longer}) (*each)["sweep"] = "temporal:3";
  const Compared a(
      {{"a", {steady("device", 0.3, 100), steady("managed", 0.3, 100), longer, fused}}});
  for (const Problem& problem : a.problems)
    if (problem.kind == "temporal:3") {
      EXPECT_EQ(problem.sides[0].at(0).sample().steps, 102);
    }
}

}  // namespace
}  // namespace memstencil::compare
