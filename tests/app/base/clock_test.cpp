// A clock that goes backwards ends the run; one that stands still, as a coarse one does, does not.
#include "kernels/elapsed.hpp"

#include "tests/app/base/text_checks.hpp"

#include <chrono>
#include <stdexcept>

namespace memstencil {
namespace {

/// In the steady clock's place: each look is so many seconds after the one before.
template <int step>
struct SteppingClock {
  using duration = std::chrono::seconds;
  using time_point = std::chrono::time_point<SteppingClock, duration>;
  static time_point now() { return time_point(duration(at += step)); }
  static inline int at = 0;
};

TEST(Clock, TellsTheSecondsOfTheWork) {
  int done = 0;
  EXPECT_EQ(host_seconds<SteppingClock<3>>([&] { ++done; }), 3.0);
  EXPECT_EQ(host_seconds<SteppingClock<0>>([&] { ++done; }), 0.0);
  EXPECT_EQ(done, 2);
}

TEST(Clock, ThatGoesBackwardsIsRefused) {
  try {
    host_seconds<SteppingClock<-2>>([] {});
    ADD_FAILURE() << "a negative time was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(starts_with(error.what(), "the clock went backwards by 2.0"));
  }
}

}  // namespace
}  // namespace memstencil
