// Pins how many sweeps --seconds makes, for machines whose sweeps last a given time.
#include "app/grid/rehearsal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace memstencil {
namespace {

using SecondsOf = std::function<double(std::int64_t sweep)>;

struct Rehearsed {
  std::int64_t made, sweeps;
  double rehearsal, run;  ///< seconds
};

/// On a machine whose sweep number n, from 0, lasts so long.
Rehearsed rehearsed(double wanted, int fused, const SecondsOf& seconds_of,
                    std::int64_t most = 10'000'000) {
  Rehearsal rehearsal(wanted, fused, most);
  Rehearsed out{0, 0, 0, 0};
  const auto lasts = [&](std::int64_t from, std::int64_t count) {
    double seconds = 0;
    for (std::int64_t n = from; n < from + count; ++n) seconds += seconds_of(n);
    return seconds;
  };
  while (const std::int64_t next = rehearsal.next()) {
    EXPECT_EQ(next % fused, 0);
    const double all = lasts(out.made, next);
    rehearsal.add(next, lasts(out.made, fused), all);
    out.rehearsal += all;
    out.made += next;
  }
  out.sweeps = rehearsal.sweeps();
  out.run = lasts(out.made, out.sweeps);
  return out;
}

TEST(Rehearsal, FillsTheTimeOfAQuietMachineWithinATenth) {
  for (const double wanted : {0.05, 2.0, 60.0})
    for (const double seconds : {1e-4, 3e-3, 0.011})
      for (const int fused : {1, 4, 96}) {
        const Rehearsed run = rehearsed(wanted, fused, [&](auto) { return seconds; });
        EXPECT_GE(run.made, 3);
        EXPECT_NEAR(run.run, wanted, std::max(0.1 * wanted, fused * seconds))
            << wanted << " " << seconds << " " << fused;
        EXPECT_GE(run.rehearsal, 0.1 * wanted);
        EXPECT_LE(run.rehearsal, 0.12 * wanted + (2 * fused + 3) * seconds);
      }
}

TEST(Rehearsal, MakesOnePassWhereThatLastsLonger) {
  const Rehearsed run = rehearsed(1.0, 16, [](auto) { return 0.5; });
  EXPECT_EQ(run.made, 16);
  EXPECT_EQ(run.sweeps, 16);
  EXPECT_EQ(rehearsed(1.0, 1, [](auto) { return 5.0; }).sweeps, 1);
}

TEST(Rehearsal, EndsAtTheMostSweepsAndMakesATenthOfThem) {
  const Rehearsed run = rehearsed(
      1e7, 1, [](auto) { return 1e-6; }, 1000);
  EXPECT_EQ(run.sweeps, 1000);
  EXPECT_NEAR(static_cast<double>(run.made), 100, 2);
}

// The shortest of three sweeps made 41 s of 20 where other programs take every second moment.
TEST(Rehearsal, TakesTheMeanOfABusyMachine) {
  const auto busy = [](std::int64_t n) { return n % 4 == 0 ? 7e-3 : 1e-3; };
  EXPECT_NEAR(rehearsed(20.0, 1, busy).run, 20.0, 0.5);
}

TEST(Rehearsal, LeavesOutTheFirstPassWhichMayMovePages) {
  for (const int fused : {1, 2, 3, 8}) {
    const auto moves = [&](std::int64_t n) { return n < fused ? 0.3 : 1e-3; };
    EXPECT_NEAR(rehearsed(10.0, fused, moves).run, 10.0, 0.5) << fused;
  }
}

}  // namespace
}  // namespace memstencil
