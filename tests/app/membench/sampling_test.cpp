// When sampling stops, and what it says of why.
#include "app/membench/core/sampling.hpp"

#include "app/membench/core/collector.hpp"
#include "app/membench/core/probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace memstencil::membench {
namespace {

/// Gives the values one after the other, the last for ever.
std::function<double()> playing(std::vector<double> values) {
  return [values, n = std::size_t{0}]() mutable { return values[std::min(n++, values.size() - 1)]; };
}

std::function<double()> alternating(double low, double high) {
  return [=, up = false]() mutable { return (up = !up) ? high : low; };
}

TEST(Sampling, KeepsWarmUpsApartAndTheOrderOfSamples) {
  const Samples s = sample({.warmups = 2, .repeats = 3, .limit = 9, .half_width = 1.0},
                           playing({50, 40, 10.0, 10.2, 10.1}));
  EXPECT_EQ(s.warmup, (std::vector<double>{50, 40}));
  EXPECT_EQ(s.values, (std::vector<double>{10.0, 10.2, 10.1}));
}

TEST(Sampling, StopsAtTheFirstSampleThatMakesTheIntervalNarrow) {
  // Two samples 9 and 11 are far from 5 %; further tens narrow the interval step by step.
  const Samples s =
      sample({.warmups = 0, .repeats = 2, .limit = 100, .half_width = 0.05}, playing({9, 11, 10}));
  // n samples, two of them off by 1: half-width t(n-1) * sqrt(2 / (n-1) / n), under 0.5 from 8 on.
  EXPECT_EQ(s.values.size(), 8U);
  EXPECT_EQ(s.stopped, "half-width under 5 %");
}

TEST(Sampling, StopsAtTheLimitWhereItStaysWide) {
  const Samples s =
      sample({.warmups = 1, .repeats = 2, .limit = 12, .half_width = 0.05}, alternating(1, 100));
  EXPECT_EQ(s.values.size(), 12U);
  EXPECT_EQ(s.stopped, "limit of 12 reached");
}

TEST(Sampling, TakesAllRepeatsEvenWhereFewerWouldDo) {
  const Samples s = sample({.warmups = 0, .repeats = 7, .limit = 100, .half_width = 0.05}, playing({10}));
  EXPECT_EQ(s.values.size(), 7U);
}

TEST(Sampling, OneSampleNeverClaimsToBePrecise) {
  const Samples s = sample({.warmups = 0, .repeats = 1, .limit = 1, .half_width = 0.05}, playing({10}));
  EXPECT_EQ(s.stopped, "limit of 1 reached");
  const Samples two = sample({.warmups = 0, .repeats = 1, .limit = 5, .half_width = 0.05}, playing({10}));
  EXPECT_EQ(two.values.size(), 2U);
}

TEST(Sampling, ExperimentsJoinedTellOfTheLimitThatAnyReached) {
  Samples all{{1}, {2, 3}, "half-width under 5 %"};
  all.append({{4}, {5}, "limit of 1 reached"});
  all.append({{6}, {7}, "half-width under 5 %"});
  EXPECT_EQ(all.warmup, (std::vector<double>{1, 4, 6}));
  EXPECT_EQ(all.values, (std::vector<double>{2, 3, 5, 7}));
  EXPECT_EQ(all.stopped, "limit of 1 reached");
}

TEST(Settings, RepeatsOfTheCommandLineComeBeforeThePapersAndTheUsual) {
  const Sampling usual{.warmups = 3, .repeats = 20, .limit = 40, .half_width = 0.05};
  Settings settings;
  EXPECT_EQ(settings.sampling(usual, 200).limit, 40);
  EXPECT_EQ(settings.experiment_count(1, 10), 1);
  settings.paper = true;
  EXPECT_EQ(settings.sampling(usual, 200).repeats, 200);
  EXPECT_EQ(settings.sampling(usual, 200).limit, 200);
  EXPECT_EQ(settings.experiment_count(1, 10), 10);
  settings.repeats = 7;
  settings.experiments = 2;
  EXPECT_EQ(settings.sampling(usual, 200).repeats, 7);
  EXPECT_EQ(settings.sampling(usual, 200).limit, 7);
  EXPECT_EQ(settings.sampling(usual, 200).warmups, 3);
  EXPECT_EQ(settings.experiment_count(1, 10), 2);
}

TEST(Collector, JoinsExperimentsOfTheSameNameAndParameters) {
  Collector collector;
  const Samples one{{}, {1}, "limit of 1 reached"}, two{{}, {2}, "limit of 1 reached"};
  collector.add("HtoD", {{"bytes", 1}}, "GB/s", one);
  collector.add("HtoD", {{"bytes", 2}}, "GB/s", one);
  collector.add("HtoD", {{"bytes", 1}}, "GB/s", two);
  ASSERT_EQ(collector.measurements().size(), 2U);
  EXPECT_EQ(collector.measurements()[0].samples.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(collector.measurements()[0].experiments, 2);
  EXPECT_EQ(collector.measurements()[1].experiments, 1);
}

}  // namespace
}  // namespace memstencil::membench
