// Pins what the threads of probes atomics, issue, warp and registers have to end with, and what
// their clocks and curves tell.
#include "app/membench/compute/atomics.hpp"
#include "app/membench/compute/expected.hpp"
#include "app/membench/compute/issue.hpp"
#include "app/membench/core/gpu.hpp"
#include "app/membench/core/measuring.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace atomics_probe;
using namespace issue_probe;
using probes::AtomicMemory;
using probes::AtomicOperation;
using probes::AtomicType;
using probes::Instruction;
using probes::WarpTimes;

/// One update, as the GPU carries it out.
template <class T>
T updated(AtomicOperation operation, T word, T operand) {
  switch (operation) {
    case AtomicOperation::Add:
      return word + operand;
    case AtomicOperation::Min:
      return std::min(word, operand);
    case AtomicOperation::Max:
      return std::max(word, operand);
    case AtomicOperation::And:
      return word & operand;
    case AtomicOperation::Or:
      return word | operand;
    case AtomicOperation::Xor:
      break;
  }
  return word ^ operand;
}

/// The word of a group of threads after all their updates, one by one.
template <class T>
std::uint64_t carried_out(const AtomicsCase& c, unsigned first, unsigned threads) {
  T word = static_cast<T>(c.initial());
  for (unsigned t = first; t < first + threads; ++t)
    for (unsigned n = 0; n <= static_cast<unsigned>(c.updates()); ++n)
      word = updated(c.operation, word, probes::atomic_operand<T>(c.operation, t, n));
  return word;
}

std::uint64_t carried_out(const AtomicsCase& c, unsigned first, unsigned threads) {
  return c.bits() == 32 ? carried_out<std::uint32_t>(c, first, threads)
                        : carried_out<std::uint64_t>(c, first, threads);
}

TEST(AtomicsCases, AreAllIntegerOperationsAndFloatingPointAdditions) {
  const std::vector<AtomicsCase> cases = atomics_cases();
  std::set<std::string> names;
  for (const AtomicsCase& c : cases)
    names.insert(c.operation_name() + std::to_string(c.bits()) + c.memory_name() +
                 c.addresses_name());
  EXPECT_EQ(cases.size(), (6U * 2U + 2U) * 2U * 3U);
  EXPECT_EQ(names.size(), cases.size());
}

TEST(AtomicsCases, WordsAreWhatAllUpdatesOneByOneMakeOfThem) {
  for (const AtomicsCase& c : atomics_cases()) {
    if (c.floating()) continue;
    const std::vector<std::uint64_t> words = expected_words(c, 2);
    if (c.addresses == Addresses::One && c.memory == AtomicMemory::Global) {
      ASSERT_EQ(words.size(), 1U);
      EXPECT_EQ(words[0], carried_out(c, 0, 2048)) << c.operation_name() << c.bits();
    } else if (c.addresses == Addresses::One) {
      EXPECT_EQ(words[1024], carried_out(c, 1024, 1024)) << c.operation_name() << c.bits();
      EXPECT_EQ(words[1025], c.initial());
    } else {
      const unsigned threads = c.addresses == Addresses::OneAWarp ? 32 : 1;
      const unsigned word = c.memory == AtomicMemory::Shared ? 1024 + 3 : 1024 / threads + 3;
      EXPECT_EQ(words[word * static_cast<std::size_t>(c.pitch())],
                carried_out(c, 1024 + 3 * threads, threads))
          << c.operation_name() << c.bits() << c.memory_name() << c.addresses_name();
    }
  }
}

TEST(AtomicsCases, EveryUpdateChangesTheWordOrTheNextOneDoes) {
  // Otherwise an assembler may leave updates out.
  for (const AtomicOperation operation :
       {AtomicOperation::And, AtomicOperation::Or, AtomicOperation::Min, AtomicOperation::Max})
    for (unsigned n = 0; n < 64; ++n)
      EXPECT_NE(probes::atomic_operand<std::uint32_t>(operation, 31, n),
                probes::atomic_operand<std::uint32_t>(operation, 31, n + 1));
}

TEST(AtomicsCases, SumsOfFloatsStayExactOnTheLargestGpu) {
  constexpr int blocks = 192;
  const AtomicsCase c{AtomicOperation::Add, AtomicType::Float, AtomicMemory::Global,
                      Addresses::One};
  const auto sum = std::bit_cast<float>(static_cast<std::uint32_t>(expected_words(c, blocks)[0]));
  EXPECT_LT(sum, 16777216.0F);
  EXPECT_EQ(sum, static_cast<float>(blocks * 1024 * (c.updates() + 1)));
}

TEST(AtomicsCases, AWarpsWordHasALineOfItsOwnInGlobalMemory) {
  for (const AtomicType type : probes::all_atomic_types) {
    const AtomicsCase c{AtomicOperation::Add, type, AtomicMemory::Global, Addresses::OneAWarp};
    EXPECT_EQ(c.pitch() * c.bits(), 128 * 8);
  }
}

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
  EXPECT_TRUE(issue_summary(points)["warps_to_hide"]["ilp 1"].is_null());
  EXPECT_EQ(issue_summary(points)["peak_lanes_per_clock"], 288.0);
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

TEST(RegistersExpected, FollowsOneThreadThroughItsRounds) {
  // Thread 1 of 2 reads 3 and 7. x = {0.5, 1.5}: {3.25, 3.75}, {8.625, 8.875}.
  const std::vector<float> input{2, 3, 6, 7};
  EXPECT_EQ(expected_registers(2, 1, 2, 0.5F, input), 8.625F + 8.875F);
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
