// Pins a host-only build: all four spaces are host memory and say so; what needs a GPU is refused.
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace memstencil {
namespace {

/// The line with which the request is refused.
std::string refusal(const std::function<void()>& request) {
  try {
    request();
  } catch (const UnsupportedSpace& refused) {
    return refused.what();
  }
  return "nothing was refused";
}

class HostOnly : public testing::TestWithParam<MemorySpace> {};

TEST_P(HostOnly, ServesTheHostWithHostMemoryAndSaysSo) {
  const Support s = support(GetParam(), Executor::Host);
  EXPECT_TRUE(s.served);
  EXPECT_EQ(s.effective, "host");
  EXPECT_TRUE(Buffer(GetParam(), 1).host_accessible());
  EXPECT_FALSE(reached_over_link(GetParam(), Executor::Host));
}

TEST_P(HostOnly, RefusesTheDeviceAndNamesTheWayOut) {
  const Support s = support(GetParam(), Executor::Device);
  EXPECT_FALSE(s.served);
  EXPECT_TRUE(contains(s.reason, "no GPU backend"));
  EXPECT_TRUE(contains(s.reason, "--exec host"));
}

TEST_P(HostOnly, RefusesToPrefetchAndAdviceButNotItsAbsence) {
  const Buffer buffer(GetParam(), 4096);
  EXPECT_TRUE(contains(why_not_prefetch(GetParam()), "no GPU backend"));
  EXPECT_EQ(refusal([&] { prefetch(buffer, Executor::Host); }), why_not_prefetch(GetParam()));
  for (const Advice advice : {Advice::Preferred, Advice::ReadMostly, Advice::AccessedBy}) {
    EXPECT_NE(why_not_advice(GetParam(), advice), "");
    EXPECT_EQ(refusal([&] { advise(buffer, advice, Executor::Host); }),
              why_not_advice(GetParam(), advice));
  }
  EXPECT_EQ(why_not_advice(GetParam(), Advice::None), "");
  EXPECT_NO_THROW(advise(buffer, Advice::None, Executor::Host));
}

INSTANTIATE_TEST_SUITE_P(Spaces, HostOnly, testing::ValuesIn(all_memory_spaces),
                         [](const testing::TestParamInfo<MemorySpace>& test) {
                           return "space" + std::to_string(test.index);
                         });

}  // namespace
}  // namespace memstencil
