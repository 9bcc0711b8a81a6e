// Pins the sums and results that probes warp and registers hold their kernels against.
#include "app/membench/compute/registers_expected.hpp"
#include "app/membench/compute/warp_expected.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace memstencil::membench {
namespace {

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

}  // namespace
}  // namespace memstencil::membench
