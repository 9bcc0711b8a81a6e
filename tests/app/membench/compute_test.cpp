// Pins what the threads of probes issue, warp and registers have to end with, and what their clocks
// and curves tell.
#include "app/membench/compute/expected.hpp"
#include "app/membench/compute/issue.hpp"
#include "app/membench/core/gpu.hpp"
#include "app/membench/core/measuring.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace issue_probe;
using probes::Instruction;
using probes::WarpTimes;

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
    const double single =
        stepped<float>(ilp, 5, 240, [](float x, int) { return std::fma(x, 1.0F, 1.0F); });
    EXPECT_EQ(expected_result(Instruction::Fp32Fma, ilp, 5, 240), single);
    EXPECT_EQ(expected_result(Instruction::Fp64Fma, ilp, 5, 240), single);
  }
}

TEST(IssueExpected, PairsHaveHalfAsManyStepsInHalfAsManyChains) {
  // 4 independent: 2 chains of an FP32 and an FP64 FMA each; 240 instructions
  // are 60 steps of each chain.
  EXPECT_EQ(expected_result(Instruction::Fp32AndFp64, 4, 0, 240), 2 * ((0 + 60) + (1 + 60)));
}

/// Steps a mix as the kernel does, with a factor that the other instruction makes.
double mixed(int singles, int chains, int lane, int steps, double factor) {
  double sum = 0;
  for (int x = 0; x < singles * chains; ++x) {
    double value = x + lane;
    for (int n = 0; n < steps; ++n) value = value * factor + 1;
    sum += value;
  }
  return sum;
}

TEST(IssueExpected, MixesHaveTheirOwnNumberOfChains) {
  EXPECT_EQ(expected_result(Instruction::Fp32AndSharedLoad, 8, 5, 240), mixed(3, 2, 5, 30, 1));
  EXPECT_EQ(expected_result(Instruction::Fp32AndRsqrt, 8, 31, 240), mixed(7, 1, 31, 30, 1));
}

TEST(IssueExpected, RootsOfOneMayBeAsFarOffAsTheyAreDocumentedButNoStepMayBeMissing) {
  const int steps = 65 * 240 / 8;  // those of the probe
  const double right = expected_result(Instruction::Fp32AndRsqrt, 8, 31, 8 * steps);
  const double allowed = allowed_error(Instruction::Fp32AndRsqrt, 8);
  const double off = std::exp2(-22.9) * 2;  // as much again from the roots before
  EXPECT_LT(std::abs(mixed(7, 1, 31, steps, 1 + off) - right), allowed);
  EXPECT_GT(std::abs(mixed(7, 1, 31, steps - 1, 1) - right), allowed);
}

TEST(IssueExpected, ShufflesTurnTheWarpRoundOrEndAtItsEdge) {
  std::vector<int> turned(32), up(32), down(32);
  for (std::size_t lane = 0; lane < 32; ++lane)
    turned[lane] = up[lane] = down[lane] = static_cast<int>(lane);
  for (int n = 0; n < 20; ++n) {
    std::rotate(turned.begin(), turned.begin() + 1, turned.end());
    up.insert(up.begin(), up.front());
    up.pop_back();
    down.erase(down.begin());
    down.push_back(down.back());
  }
  for (int lane = 0; lane < 32; ++lane) {
    const auto n = static_cast<std::size_t>(lane);
    EXPECT_EQ(expected_result(Instruction::ShuffleIdx, 1, lane, 20), turned[n]);
    EXPECT_EQ(expected_result(Instruction::ShuffleXor, 1, lane, 20), turned[n]);
    EXPECT_EQ(expected_result(Instruction::ShuffleUp, 1, lane, 20), up[n]);
    EXPECT_EQ(expected_result(Instruction::ShuffleDown, 1, lane, 20), down[n]);
  }
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
  EXPECT_EQ(expected_result(Instruction::L1Load, 3, 17, 240),
            (0 + 80) % 16 + (1 + 80) % 16 + (2 + 80) % 16);
}

const std::vector<IssuePoint> issue_points{{1, 1, 0.25, 400}, {8, 1, 2.0, 400},  {16, 1, 3.9, 410},
                                           {1, 4, 0.9, 440},  {4, 4, 3.85, 415}, {8, 4, 4.0, 800}};

TEST(IssueCurve, FewestWarpsAreThoseThatComeCloseToThePeakOfAllPoints) {
  EXPECT_EQ(warps_to_hide(issue_points, 1), 16);
  EXPECT_EQ(warps_to_hide(issue_points, 4), 4);
}

TEST(IssueCurve, SaysWhereNoNumberOfWarpsIsEnough) {
  std::vector<IssuePoint> points = issue_points;
  points.push_back({1, 8, 9.0, 1});
  EXPECT_EQ(warps_to_hide(points, 1), std::nullopt);
  const Record summary = issue_summary(points, std::vector<IssuePoint>{{8, 8, 2.25, 1}});
  EXPECT_TRUE(summary["warps_to_hide"]["ilp 1"].is_null());
  EXPECT_EQ(summary["peak_lanes_per_clock"], 288.0);
  EXPECT_EQ(summary["one_quarter"]["of_peak"], 0.25);
}

TEST(IssueCurve, TableHasARowAPoint) {
  const Record table = issue_table(issue_points);
  EXPECT_EQ(table["warps"], Record({1, 8, 16, 1, 4, 8}));
  EXPECT_EQ(table["per_clock"][4], 3.85);
  EXPECT_EQ(table["cycles"].size(), issue_points.size());
}

/// As the probe itself finds out.
template <class T>
bool right_sum(T sum, T right) {
  try {
    verify_all(
        "sum", std::vector<T>{sum}, [right](std::size_t) { return right; }, allowed_error(right));
    return true;
  } catch (const Failure&) {
    return false;
  }
}

/// The group's values added up again and again, the first thread's with its share of the last sum.
template <class T>
T added_up(int threads, int sums, T carry) {
  T last = 0;
  for (int k = 0; k <= sums; ++k) {
    T sum = carry * last;
    for (int t = 0; t < threads; ++t) sum += static_cast<T>(t % 7);
    last = sum;
  }
  return last;
}

TEST(WarpExpected, IsTheSumOverAndOverWithItsCarry) {
  EXPECT_EQ(static_cast<std::uint32_t>(expected_sum(32, 100, probes::sum_carry<int>)),
            added_up<std::uint32_t>(32, 100, 3));
  EXPECT_TRUE(right_sum(added_up<float>(256, 100, probes::sum_carry<float>),
                        expected_sum(256, 100, probes::sum_carry<float>)));
}

TEST(WarpExpected, OneSumLessIsNoticed) {
  EXPECT_FALSE(right_sum(expected_sum(256, 1023, probes::sum_carry<int>),
                         expected_sum(256, 1024, probes::sum_carry<int>)));
}

TEST(WarpExpected, AThreadLeftOutIsNoticed) {
  const float right = expected_sum(256, 1024, probes::sum_carry<float>);
  EXPECT_FALSE(right_sum(expected_sum(255, 1024, probes::sum_carry<float>), right));
}

/// The kernel's butterflies, in FP32.
std::vector<std::complex<float>> by_butterflies(int transforms) {
  using Number = std::complex<float>;
  std::vector<Number> x;
  for (int lane = 0; lane < 32; ++lane) {
    const probes::Complex start = probes::fft_start(lane);
    x.emplace_back(start.re, start.im);
  }
  for (int t = 0; t < transforms; ++t) {
    for (std::size_t apart = 16; apart > 0; apart /= 2) {
      std::vector<Number> next(32);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        const Number other = x[lane ^ apart];
        const double angle =
            -std::numbers::pi * static_cast<double>(lane % apart) / static_cast<double>(apart);
        next[lane] = (lane & apart) == 0 ? x[lane] + other
                                         : (other - x[lane]) * Number(std::polar(1.0, angle));
      }
      x = next;
    }
    for (Number& number : x) number *= static_cast<float>(1 / std::sqrt(32.0));
  }
  return x;
}

double largest_difference(const std::vector<std::complex<double>>& a,
                          const std::vector<std::complex<float>>& b) {
  double most = 0;
  for (std::size_t n = 0; n < a.size(); ++n)
    most = std::max({most, std::abs(a[n].real() - static_cast<double>(b[n].real())),
                     std::abs(a[n].imag() - static_cast<double>(b[n].imag()))});
  return most;
}

TEST(FftExpected, ButterfliesOfTheKernelMakeTheTransform) {
  EXPECT_LT(largest_difference(expected_fft(1), by_butterflies(1)), 1e-5);
  EXPECT_LT(largest_difference(expected_fft(1032), by_butterflies(1032)), 0.2 * fft_error);
}

TEST(FftExpected, OneTransformLessIsNoticed) {
  EXPECT_GT(largest_difference(expected_fft(1032), by_butterflies(1031)), 100 * fft_error);
}

TEST(RegistersExpected, FollowsOneThreadThroughItsRounds) {
  // Thread 1 of 2 reads 3 and 7. x = {0.5, 1.5}: {3.25, 3.75}, {8.625, 8.875}.
  const std::vector<float> input{2, 3, 6, 7};
  EXPECT_EQ(expected_registers(2, 1, 2, 0.5F, input), 8.625F + 8.875F);
  EXPECT_EQ(expected_registers(2, 1, 2, 0.5, std::vector<double>{2, 3, 6, 7}), 8.625 + 8.875);
}

TEST(SmCycles, GoFromTheFirstBeginToTheLastEndOfAnSmsWarps) {
  // The SMs' clocks have nothing to do with each other; warps come in any order.
  const std::vector<WarpTimes> times{{1000, 1100, 7}, {50, 60, 3}, {990, 1080, 7}, {40, 55, 3}};
  const SmCycles cycles = sm_cycles(times, 2);
  EXPECT_EQ(cycles.longest, 110);
  EXPECT_EQ(cycles.median, (110 + 20) / 2.0);
}

TEST(SmCycles, LeaveOutSmsThatGotAnotherNumberOfWarps) {
  const std::vector<WarpTimes> times{{0, 10, 0}, {0, 500, 1}, {0, 900, 1}};
  EXPECT_EQ(sm_cycles(times, 1).longest, 10);
  EXPECT_EQ(sm_cycles(times, 2).longest, 900);
}

TEST(SmCycles, WithoutAnSmThatGotThemAreRefused) {
  const std::vector<WarpTimes> times{{0, 10, 0}, {0, 10, 1}};
  EXPECT_TRUE(contains(refusal(ExitCode::Machine, [&] { sm_cycles(times, 2); }), "2 warps"));
}

}  // namespace
}  // namespace memstencil::membench
