// A clock that goes backwards ends the run; one that stands still, as a coarse one does, does not.
#include "kernels/elapsed.hpp"

#include "tests/app/base/given_clock.hpp"
#include "tests/app/base/text_checks.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace memstencil {
namespace {

TEST(Clock, OfTheHostTellsSecondsUnlessATestGivesAnother) {
  double least = 1;  // another program may take the processor
  for (int n = 0; n < 50 && least > 0.022; ++n)
    least = std::min(
        least, host_seconds([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }));
  EXPECT_GE(least, 0.02);
  EXPECT_LT(least, 0.025);
  {
    const GivenClock clock(3);
    EXPECT_EQ(host_seconds([] { GivenClock::pass(0.5); }), 3.5);
  }
  const GivenClock coarse(0);
  EXPECT_EQ(host_seconds([] {}), 0.0);
}

TEST(Clock, ThatGoesBackwardsIsRefused) {
  const GivenClock clock(-2);
  try {
    host_seconds([] {});
    ADD_FAILURE() << "a negative time was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(starts_with(error.what(), "the clock went backwards by 2.0"));
  }
}

}  // namespace
}  // namespace memstencil
