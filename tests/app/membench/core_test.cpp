// Pins how probes sample and collect, what becomes of those that cannot run or whose data are
// wrong, and what is refused.
#include "app/membench/core/measuring.hpp"
#include "app/membench/core/program.hpp"
#include "memory_spaces/memory_space.hpp"
#include "tests/app/common/refusal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {
namespace {

/// Gives the values one after the other, the last for ever.
std::function<double()> playing(std::vector<double> values) {
  return
      [values, n = std::size_t{0}]() mutable { return values[std::min(n++, values.size() - 1)]; };
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
  const Samples s =
      sample({.warmups = 0, .repeats = 7, .limit = 100, .half_width = 0.05}, playing({10}));
  EXPECT_EQ(s.values.size(), 7U);
}

TEST(Sampling, OneSampleNeverClaimsToBePrecise) {
  const Samples s =
      sample({.warmups = 0, .repeats = 1, .limit = 1, .half_width = 0.05}, playing({10}));
  EXPECT_EQ(s.stopped, "limit of 1 reached");
  const Samples two =
      sample({.warmups = 0, .repeats = 1, .limit = 5, .half_width = 0.05}, playing({10}));
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

TEST(ProbeResult, JoinsExperimentsOfTheSameNameAndParameters) {
  ProbeResult result;
  const Samples one{{}, {1}, "limit of 1 reached"}, two{{}, {2}, "limit of 1 reached"};
  result.add("HtoD", {{"bytes", 1}}, "GB/s", one);
  result.add("HtoD", {{"bytes", 2}}, "GB/s", one);
  EXPECT_EQ(result.add("HtoD", {{"bytes", 1}}, "GB/s", two).experiments, 2);
  ASSERT_EQ(result.measurements.size(), 2U);
  EXPECT_EQ(result.measurements[0].samples.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(result.measurements[1].experiments, 1);
}

TEST(Collector, SamplesAsTheSettingsAskAndTellsTheTerminalWhat) {
  Settings settings;
  settings.repeats = 3;
  std::string told;
  settings.progress = [&](const std::string& line) { told = line; };
  Collector collector(settings, {.warmups = 1, .repeats = 20, .limit = 40});
  const Samples samples = collector.measure("HtoD", {{"bytes", 1}}, "GB/s", playing({5, 2, 4, 3}));
  EXPECT_EQ(told, "HtoD");
  EXPECT_EQ(samples.values, (std::vector<double>{2, 4, 3}));
  EXPECT_EQ(median(samples), 3);
  EXPECT_EQ(collector.result.measurements[0].samples.values, samples.values);
}

/// The line that verify_all() refuses the values with where all of them
/// should be `right`; empty: none.
template <class T>
std::string found_wrong(const std::vector<T>& values, T right, double allowed = 0) {
  try {
    verify_all(
        "sums", values, [right](std::size_t) { return right; }, allowed);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification);
    return failure.what();
  }
  return "";
}

TEST(VerifyAll, NamesTheFirstWrongValue) {
  EXPECT_EQ(found_wrong<int>({7, 7, 7}, 7), "");
  EXPECT_EQ(found_wrong<int>({7, 8, 9}, 7), "sums: number 1 is 8, and 7 is right");
}

TEST(VerifyAll, IsExactUnlessAnErrorIsAllowed) {
  constexpr std::uint64_t large = (std::uint64_t{1} << 60) + 1;
  EXPECT_NE(found_wrong<std::uint64_t>({large - 1}, large), "") << "as doubles they are the same";
  EXPECT_EQ(found_wrong<double>({1.0 + 1e-7}, 1.0, 1e-6), "");
  EXPECT_NE(found_wrong<double>({1.0 + 2e-6}, 1.0, 1e-6), "");
}

TEST(VerifyAll, TakesNoNumberForRight) {
  EXPECT_NE(found_wrong<double>({std::nan("")}, 1.0, 1e-6), "");
  EXPECT_NE(found_wrong<float>({std::nanf("")}, 1.0F), "");
}

Probe probe_that(const std::string& name, Run run, const std::string& refusal = "") {
  return {.name = name,
          .summary = "a test",
          .source = "none",
          .counted = "nothing",
          .refused = [refusal] { return refusal; },
          .run = std::move(run)};
}

ProbeResult one_note(const Settings&) {
  return {.measurements = {}, .tables = {}, .derived = {}, .notes = {"it ran"}};
}

Run that_throws(const std::exception_ptr& error) {
  return [error](const Settings&) -> ProbeResult { std::rethrow_exception(error); };
}

void no_progress(const std::string&) {}

TEST(RunProbes, SkipsWithTheReasonWhatTheMachineCannotRunAmongOthers) {
  const Probe good = probe_that("good", one_note);
  const Probe refused = probe_that("refused", one_note, "no such thing here");
  const Probe full =
      probe_that("full", that_throws(std::make_exception_ptr(OutOfMemory("no room"))));
  const Probe absent =
      probe_that("absent", that_throws(std::make_exception_ptr(UnsupportedSpace("not served"))));
  const auto runs = run_probes({&refused, &full, &absent, &good}, {}, no_progress);
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0].skipped, "no such thing here");
  EXPECT_TRUE(runs[0].result.notes.empty()) << "a refused probe must not run";
  EXPECT_EQ(runs[1].skipped, "no room");
  EXPECT_EQ(runs[2].skipped, "not served");
  EXPECT_EQ(runs[3].skipped, "");
  EXPECT_EQ(runs[3].result.notes, std::vector<std::string>{"it ran"});
}

TEST(RunProbes, AProbeNamedAloneThatCannotRunIsAnErrorOfTheMachine) {
  const Probe full =
      probe_that("full", that_throws(std::make_exception_ptr(OutOfMemory("no room"))));
  EXPECT_EQ(refusal(ExitCode::Machine, [&] { run_probes({&full}, {}, no_progress); }),
            "full: no room");
}

TEST(RunProbes, WrongDataEndTheWholeRunAndNameTheProbe) {
  const Probe good = probe_that("good", one_note);
  const Probe wrong = probe_that(
      "wrong",
      that_throws(std::make_exception_ptr(Failure(ExitCode::Verification, "3 elements differ"))));
  EXPECT_EQ(refusal(ExitCode::Verification,
                    [&] {
                      run_probes({&good, &wrong, &good}, {}, no_progress);
                    }),
            "wrong: 3 elements differ");
}

TEST(RunProbes, SaysWhichProbeRunsAndWhatItDoes) {
  const Probe talking = probe_that("talking", [](const Settings& settings) -> ProbeResult {
    settings.progress("half way");
    return {};
  });
  std::vector<std::string> told;
  run_probes({&talking, &talking}, {}, [&](const std::string& line) { told.push_back(line); });
  EXPECT_EQ(told,
            (std::vector<std::string>{"probe 1 of 2, talking", "probe 1 of 2, talking: half way",
                                      "probe 2 of 2, talking", "probe 2 of 2, talking: half way"}));
}

TEST(CheckSize, RefusesWhatNoMemoryHereHolds) {
  Settings settings;
  EXPECT_NO_THROW(check_size(settings));
  settings.bytes = 4096;
  EXPECT_NO_THROW(check_size(settings));
  settings.bytes = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_THROW(check_size(settings), Failure);
}

TEST(Pages, ASizeIsCutToWholePagesAndOneOfLessThanAPageIsRefusedWithThePagesSize) {
  EXPECT_EQ(whole_pages(4096, 4096), 4096U);
  EXPECT_EQ(whole_pages(200'000, 65536), 196'608U);
  try {
    whole_pages(4096, 65536);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Machine);
    EXPECT_STREQ(failure.what(),
                 "--size: 4096 bytes are less than a page, which has 65536 bytes here");
  }
}

}  // namespace
}  // namespace memstencil::membench
