// Pins the lap clock: a time for each lap, joined up from the start to the last.
#include "kernels/queue.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace memstencil {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

template <class Exec>
class Laps : public testing::Test {};
TYPED_TEST_SUITE(Laps, jacobi::KernelSpaces);

TYPED_TEST(Laps, JoinUpFromTheStartToTheLast) {
  const auto clock = make_lap_clock(TypeParam());
  Kokkos::fence();
  const Clock::time_point start = Clock::now();
  // A busy GPU takes its marks late: each is there before the next wait begins.
  clock->start();
  Kokkos::fence();
  wait(20);
  clock->lap();
  Kokkos::fence();
  wait(60);
  clock->lap();
  const std::vector<double> laps = clock->finish();
  const double wall = seconds_since(start);
  ASSERT_EQ(laps.size(), 2U);
  EXPECT_GE(laps[0], 0.019);
  EXPECT_GE(laps[1], 0.059);
  EXPECT_LE(laps[0] + laps[1], wall + 0.001);
}

TYPED_TEST(Laps, AreOneForEachCallAndStartAgainWithoutTheTimeBetween) {
  const auto clock = make_lap_clock(TypeParam());
  clock->start();
  for (int n = 0; n < 500; ++n) clock->lap();
  const std::vector<double> many = clock->finish();
  EXPECT_EQ(many.size(), 500U);
  for (const double lap : many) EXPECT_GE(lap, 0.0);
  EXPECT_TRUE(clock->finish().empty());
  wait(50);
  const Clock::time_point start = Clock::now();
  clock->start();
  clock->lap();
  const std::vector<double> laps = clock->finish();
  ASSERT_EQ(laps.size(), 1U);
  EXPECT_LE(laps[0], seconds_since(start) + 0.001);
}

}  // namespace
}  // namespace memstencil
