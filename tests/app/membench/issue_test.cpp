// Pins the values that the threads of probe issue have to end with, and what its curves are said to tell.
#include "app/membench/compute/issue_curve.hpp"
#include "app/membench/compute/issue_expected.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace memstencil::membench {
namespace {

using probes::Instruction;

/// Steps the chains of a lane one instruction at a time, as the kernel does.
template <class T, class Step>
double stepped(int ilp, int lane, int instructions, Step step) {
  double sum = 0;
  for (int chain = 0; chain < ilp; ++chain) {
    T x = static_cast<T>(chain + lane);
    for (int n = 0; n < instructions / ilp; ++n) x = step(x, n);
    sum += static_cast<double>(x);
  }
  return sum;
}

TEST(IssueExpected, FollowsTheFloatingPointChainsStepByStep) {
  for (const int ilp : {1, 3, 8}) {
    const double single = stepped<float>(ilp, 5, 240, [](float x, int) { return std::fma(x, 1.0F, 1.0F); });
    EXPECT_EQ(expected_result(Instruction::Fp32Fma, ilp, 5, 240), single);
    EXPECT_EQ(expected_result(Instruction::Fp64Fma, ilp, 5, 240), single);
  }
}

TEST(IssueExpected, PairsHaveHalfAsManyStepsInHalfAsManyChains) {
  // 4 independent: 2 chains of an FP32 and an FP64 FMA each; 240 instructions are 60 steps of each chain.
  EXPECT_EQ(expected_result(Instruction::Fp32AndFp64, 4, 0, 240), 2 * ((0 + 60) + (1 + 60)));
}

TEST(IssueExpected, IntegersWrapAround) {
  std::uint32_t last = 1;
  const double sums = stepped<std::uint32_t>(1, 31, 2400, [&](std::uint32_t x, int) {
    const std::uint32_t next = x + last + 1;
    last = x;
    return next;
  });
  EXPECT_EQ(expected_result(Instruction::Int32Add, 1, 31, 2400), sums);
  EXPECT_LT(sums, 4294967296.0);
}

TEST(IssueExpected, HalvesStopWhereOneMoreIsRoundedAway) {
  EXPECT_EQ(expected_result(Instruction::Fp16x2Fma, 1, 0, 240), 2 * 240);
  EXPECT_EQ(expected_result(Instruction::Fp16x2Fma, 1, 9, 15360), 2 * 2048);
}

TEST(IssueExpected, ApproximationsGoToTheirFixedPoints) {
  const double exp2 = stepped<double>(2, 3, 240, [](double x, int) { return std::exp2(-x); });
  EXPECT_NEAR(expected_result(Instruction::Exp2, 2, 3, 240), exp2, 1e-12);
  EXPECT_EQ(expected_result(Instruction::Rsqrt, 4, 3, 240), 4);
  EXPECT_GT(allowed_error(Instruction::Exp2, 1), 0);
  EXPECT_EQ(allowed_error(Instruction::Fp32Fma, 8), 0);
}

TEST(IssueExpected, LoadsEndInTheRowThatTheyHaveWalkedTo) {
  EXPECT_EQ(expected_result(Instruction::SharedLoad, 1, 17, 240), 240 % 16);
  EXPECT_EQ(expected_result(Instruction::L1Load, 3, 17, 240), (0 + 80) % 16 + (1 + 80) % 16 + (2 + 80) % 16);
}

const std::vector<IssuePoint> curve{{1, 1, 0.25, 400}, {8, 1, 2.0, 400},  {16, 1, 3.9, 410},
                                    {1, 4, 0.9, 440},  {4, 4, 3.85, 415}, {8, 4, 4.0, 800}};

TEST(IssueCurve, FewestWarpsAreThoseThatComeCloseToThePeakOfAllPoints) {
  EXPECT_EQ(warps_to_hide(curve, 1), 16);
  EXPECT_EQ(warps_to_hide(curve, 4), 4);
}

TEST(IssueCurve, SaysWhereNoNumberOfWarpsIsEnough) {
  std::vector<IssuePoint> points = curve;
  points.push_back({1, 8, 9.0, 1});
  EXPECT_EQ(warps_to_hide(points, 1), std::nullopt);
  EXPECT_TRUE(issue_summary(points)["warps_to_hide"]["ilp 1"].is_null());
  EXPECT_EQ(issue_summary(points)["peak_lanes_per_clock"], 288.0);
}

TEST(IssueCurve, TableHasARowAPoint) {
  const Record table = issue_table(curve);
  EXPECT_EQ(table["warps"], Record({1, 8, 16, 1, 4, 8}));
  EXPECT_EQ(table["per_clock"][4], 3.85);
  EXPECT_EQ(table["cycles"].size(), curve.size());
}

}  // namespace
}  // namespace memstencil::membench
