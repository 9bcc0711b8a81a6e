// Pins which passes share a clock, and how their time is divided among them.
#include "app/bench/pass_clock.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace memstencil {
namespace {

/// A clock whose time the test sets; laps are known as soon as they end.
class SetClock final : public LapClock {
public:
  explicit SetClock(const double& now) : now_(now) {}
  void start() override { begin_ = now_; }
  void lap() override { laps_.push_back(now_ - begin_), begin_ = now_, ++count; }
  const std::vector<double>& known() override { return laps_; }
  std::vector<double> finish() override { return std::exchange(laps_, {}); }

  int count = 0;

private:
  const double& now_;
  double begin_ = 0;
  std::vector<double> laps_;
};

struct Timed {
  Timed(bool with_halo, std::int64_t most_together) : halo(with_halo) {
    auto made = std::make_unique<SetClock>(now);
    set = made.get();
    clock = std::make_unique<PassClock>(std::move(made), with_halo, most_together);
  }
  void pass(double swept, double waited, bool last = false, int sweeps = 1) {
    clock->begin(sweeps, last);
    now += swept;
    if (halo) clock->swept();
    now += waited;
    clock->end();
  }
  void start() { clock->start(); }
  void finish() { times = clock->finish(); }

  bool halo;
  double now = 0;
  SetClock* set;
  std::unique_ptr<PassClock> clock;
  SweepTimes times;
};

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(PassClock, TimesShortPassesTogetherOnceTheirTimeIsKnown) {
  Timed run(false, 64);
  run.start();
  run.pass(0.5, 0);  // moves pages
  for (int n = 1; n < 84; ++n) run.pass(100e-6, 0, n == 83);
  run.finish();
  ASSERT_EQ(run.clock->sweep_seconds().size(), 84U);
  EXPECT_EQ(run.set->count, 4 + 8) << "four alone, then ten together";
  EXPECT_EQ(run.times.measured, 4U + 8U);
  EXPECT_NEAR(run.clock->sweep_seconds()[0], 0.5, 1e-12);
  for (std::size_t n = 1; n < 84; ++n)
    EXPECT_NEAR(run.clock->sweep_seconds()[n], 100e-6, 1e-12) << n;
  EXPECT_NEAR(run.times.sweeps, run.now, 1e-12);
}

TEST(PassClock, GivesThePassesOfAGroupEqualParts) {
  Timed run(false, 4);
  run.start();
  for (int n = 0; n < 4; ++n) run.pass(1e-6, 0);
  for (int n = 0; n < 4; ++n) run.pass(n * 1e-6, 0, n == 3, 3);
  run.finish();
  ASSERT_EQ(run.clock->sweep_seconds().size(), 4U + 12U);
  for (std::size_t n = 4; n < 16; ++n) EXPECT_NEAR(run.clock->sweep_seconds()[n], 6e-6 / 12, 1e-15);
}

TEST(PassClock, TimesLongPassesAndThoseOfAHostAlone) {
  for (const auto& [seconds, most] : {std::pair(2e-3, 64), std::pair(1e-6, 1)}) {
    Timed run(false, most);
    run.start();
    for (int n = 0; n < 20; ++n) run.pass(seconds, 0, n == 19);
    run.finish();
    EXPECT_EQ(run.set->count, 20);
  }
}

TEST(PassClock, EndsAGroupWhereTheNextPassIsOfAnotherKind) {
  Timed run(false, 64);
  run.start();
  for (int n = 0; n < 10; ++n) run.pass(30e-6, 0, n == 9, 3);
  run.pass(20e-6, 0, true, 1);
  run.finish();
  ASSERT_EQ(run.clock->sweep_seconds().size(), 31U);
  EXPECT_NEAR(run.clock->sweep_seconds()[29], 10e-6, 1e-12);
  EXPECT_NEAR(run.clock->sweep_seconds()[30], 20e-6, 1e-12);
}

TEST(PassClock, DividesAGroupIntoSweepsAndHaloAsItsLastPassIsDivided) {
  Timed run(true, 5);
  run.start();
  for (int n = 0; n < 4; ++n) run.pass(30e-6, 10e-6);
  for (int n = 0; n < 4; ++n) run.pass(50e-6, 0);  // together 200 us
  run.pass(15e-6, 5e-6, true);
  run.now += 7e-6;  // what was submitted elsewhere
  run.finish();
  EXPECT_EQ(run.set->count, 4 * 2 + 3 + 1);
  ASSERT_EQ(run.clock->sweep_seconds().size(), 9U);
  ASSERT_EQ(run.clock->halo_seconds().size(), 9U);
  EXPECT_NEAR(run.clock->sweep_seconds()[5], 0.75 * 50e-6, 1e-12);
  EXPECT_NEAR(run.clock->halo_seconds()[5], 0.25 * 50e-6, 1e-12);
  EXPECT_NEAR(run.clock->sweep_seconds()[8], 15e-6, 1e-12);
  EXPECT_NEAR(run.clock->halo_seconds()[8], 5e-6 + 7e-6, 1e-12);
  EXPECT_NEAR(run.times.sweeps, sum(run.clock->sweep_seconds()), 1e-12);
  EXPECT_NEAR(run.times.halo, sum(run.clock->halo_seconds()), 1e-12);
  EXPECT_NEAR(run.times.sweeps + run.times.halo, run.now, 1e-12);
}

TEST(PassClock, KeepsWhatItKnowsForTheNextRun) {
  Timed run(false, 64);
  for (int again = 0; again < 2; ++again) {
    run.start();
    for (int n = 0; n < 14; ++n) run.pass(100e-6, 0, n == 13);
    run.finish();
  }
  EXPECT_EQ(run.set->count, (4 + 1) + 2);
  EXPECT_EQ(run.clock->sweep_seconds().size(), 28U);
}

}  // namespace
}  // namespace memstencil
