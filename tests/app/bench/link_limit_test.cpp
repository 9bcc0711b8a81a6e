// Pins the bytes that the limit of a link counts: those of one way.
#include "app/bench/limit.hpp"
#include "tests/app/base/given_clock.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

TEST(LinkLimit, IsOfTheBytesThatPassItOnce) {
  const GivenClock clock(0);
  const std::vector<char> source(4096, 7);
  const Limit link = measure_link(
      source.data(), source.size(), [] { GivenClock::pass(20e-3); }, Communicator());
  EXPECT_EQ(link.kind, "link");
  EXPECT_DOUBLE_EQ(link.gbs, 1e-9 * 4096 / 20e-3);
}

}  // namespace
}  // namespace memstencil
