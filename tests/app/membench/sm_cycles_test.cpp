// Pins how the clocks that warps read become the cycles that an SM was busy.
#include "app/membench/core/sm_cycles.hpp"

#include "tests/app/common/refusal.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memstencil::membench {
namespace {

using probes::WarpTimes;

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
