// Phase timers: order, accumulation, work that throws. The slowest of several ranks and the median
// of several repeats stand for a run.
#include "app/bench/phases.hpp"
#include "app/bench/repeats.hpp"

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

TEST(PhasesOfRanks, AreThoseOfTheSlowest) {
  const Communicator communicator;
  Phases phases({"work", "wait"});
  phases.add("work", 1.0 + communicator.rank());
  phases.add("wait", communicator.size() - 1.0 - communicator.rank());
  EXPECT_EQ(phases.take_slowest(phases.seconds("work"), communicator), communicator.size() - 1);
  EXPECT_EQ(phases.seconds("work"), communicator.size());
  EXPECT_EQ(phases.seconds("wait"), 0.0) << "the others waited for it";
}

TEST(MedianRun, IsTheSlowerOneOfTwoInTheMiddle) {
  const auto seconds = [](double run) { return run; };
  EXPECT_EQ(median_run(std::vector{5.0}, seconds), 5.0);
  EXPECT_EQ(median_run(std::vector{3.0, 1.0, 2.0}, seconds), 2.0);
  EXPECT_EQ(median_run(std::vector{4.0, 1.0, 3.0, 2.0}, seconds), 3.0);
}

}  // namespace
}  // namespace memstencil
