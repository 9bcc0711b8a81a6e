// Pins what becomes of probes that cannot run, or whose data are wrong, and what is refused beforehand.
#include "app/membench/core/run.hpp"

#include "app/common/failure.hpp"
#include "app/membench/core/memory_check.hpp"
#include "memory_spaces/memory_space.hpp"
#include "tests/app/common/refusal.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {
namespace {

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
  const Probe full = probe_that("full", that_throws(std::make_exception_ptr(OutOfMemory("no room"))));
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
  const Probe full = probe_that("full", that_throws(std::make_exception_ptr(OutOfMemory("no room"))));
  EXPECT_EQ(refusal(ExitCode::Machine, [&] { run_probes({&full}, {}, no_progress); }), "full: no room");
}

TEST(RunProbes, WrongDataEndTheWholeRunAndNameTheProbe) {
  const Probe good = probe_that("good", one_note);
  const Probe wrong = probe_that(
      "wrong", that_throws(std::make_exception_ptr(Failure(ExitCode::Verification, "3 elements differ"))));
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
  EXPECT_EQ(told, (std::vector<std::string>{"probe 1 of 2, talking", "probe 1 of 2, talking: half way",
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
    EXPECT_STREQ(failure.what(), "--size: 4096 bytes are less than a page, which has 65536 bytes here");
  }
}

}  // namespace
}  // namespace memstencil::membench
