// Pins the scale of the memory limit, and that an interruption does not change it.
#include "app/bench/limit.hpp"
#include "tests/app/base/given_clock.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

struct Measured {
  Limit limit;
  int passes = 0;
};

/// Of passes that count 2 MB; `seconds` tells how long the pass of this number, from 1, takes.
Measured limit_of(const std::function<double(int)>& seconds) {
  const Communicator ranks;
  const GivenClock clock(0);
  Measured out;
  out.limit = measure(
      "copy", 2e6, [&] { GivenClock::pass(seconds(++out.passes)); }, [] {}, ranks);
  return out;
}

TEST(Limit, IsTheBytesOfAllRanksOverTheSecondsOfAPass) {
  const Limit limit = limit_of([](int) { return 2e-3; }).limit;
  EXPECT_EQ(limit.kind, "copy");
  ASSERT_EQ(limit.samples_gbs.size(), 7U);
  for (const double sample : limit.samples_gbs) EXPECT_NEAR(sample, Communicator().size(), 1e-9);
  EXPECT_NEAR(limit.gbs, Communicator().size(), 1e-9);
  EXPECT_FALSE(limit.disturbed);
}

TEST(Limit, TakesAsManyPassesAsTheShortestTrialSays) {
  const auto passes = [](int interrupted) {
    return limit_of([=](int n) { return n == interrupted ? 50e-3 : 100e-6; }).passes;
  };
  const int quiet = passes(0);
  EXPECT_GE(quiet, 7 * 100);  // samples of 10 ms
  for (const int trial : {2, 3, 6}) EXPECT_EQ(passes(trial), quiet) << trial;
}

TEST(Limit, IsTheBestSampleAndDisturbedWhereOneTakesTwiceAsLong) {
  constexpr int before = 1 + 5;  // a pass that may move pages, and the trials: 12 ms are enough
  for (const double slow : {12e-3, 23e-3, 25e-3}) {
    const auto [limit, passes] = limit_of([=](int n) {
      return n == before + 3 ? slow : n == 1 ? 1.0 : 12e-3;
    });
    EXPECT_EQ(passes, before + 7);
    EXPECT_NEAR(limit.gbs, Communicator().size() * 2e-3 / 12e-3, 1e-9);
    EXPECT_EQ(limit.disturbed, slow > 24e-3);
  }
}

}  // namespace
}  // namespace memstencil
