// Phase timers: order, accumulation, and what happens when the work throws.
#include "app/bench/phases.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace memstencil {
namespace {

void sleep_ms(int n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); }

TEST(Phases, AccumulateInTheirFixedOrder) {
  Phases phases({"allocate", "sweeps", "free"});
  phases.add("sweeps", 1.0);
  const auto start = std::chrono::steady_clock::now();
  phases.time("sweeps", [] { sleep_ms(20); });
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  phases.add("allocate", 0.5);
  EXPECT_GE(phases.seconds("sweeps"), 1.02);
  EXPECT_LE(phases.seconds("sweeps"), 1.0 + passed.count() + 1e-9);
  EXPECT_DOUBLE_EQ(phases.total(), 0.5 + phases.seconds("sweeps"));
  const Named<double> seconds = phases.by_name();
  ASSERT_EQ(seconds.size(), 3U);
  EXPECT_EQ(seconds.front().first, "allocate");
  EXPECT_EQ(seconds.at("free"), 0.0);
}

TEST(Phases, PassTheResultOn) {
  Phases phases({"work"});
  int value = 3;
  phases.time("work", [&]() -> int& { return value; }) = 4;
  EXPECT_EQ(value, 4);
}

TEST(Phases, CountTheTimeOfWorkThatThrows) {
  Phases phases({"work"});
  const auto work = [] {
    sleep_ms(5);
    throw std::runtime_error("no");
  };
  EXPECT_THROW(phases.time("work", work), std::runtime_error);
  EXPECT_GE(phases.seconds("work"), 0.005);
}

TEST(Phases, RefuseANameThatTheyWereNotGiven) {
  Phases phases({"work"});
  EXPECT_THROW(phases.time("wrok", [] {}), std::logic_error);
  EXPECT_THROW(phases.seconds("wrok"), std::logic_error);
}

}  // namespace
}  // namespace memstencil
