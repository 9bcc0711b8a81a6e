// Pins that a probe of several ranks ends with the rank that fails: one that went on without it
// would leave the others waiting.
#include "app/common/ranks/collectively.hpp"
#include "app/membench/core/program.hpp"
#include "memory_spaces/memory_space.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace memstencil::membench {
namespace {

/// Runs a probe of several ranks alone.
std::vector<ProbeRun> run_of(const Communicator& ranks, std::function<ProbeResult()> work) {
  Probe probe;
  probe.name = "any";
  probe.refused = [] { return std::string(); };
  probe.run = [work = std::move(work)](const Settings&) { return work(); };
  probe.several_ranks = true;
  Settings settings;
  settings.ranks = &ranks;
  return run_probes({&probe}, settings, [](const std::string&) {});
}

TEST(ProbeOfSeveralRanks, IsNotSkippedByOneOfThemAlone) {
  const Communicator ranks;
  if (ranks.root()) {
    EXPECT_EQ(run_of(ranks, [] { return ProbeResult(); }).size(), 1U);
    return;
  }
  try {
    run_of(ranks, []() -> ProbeResult { throw OutOfMemory("no room"); });
    FAIL() << "the others are left alone";
  } catch (const CollectiveFailure& failure) {
    FAIL() << "the others know nothing of: " << failure.what();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Machine);
    EXPECT_STREQ(failure.what(), "any: no room");
  }
}

TEST(ProbeOfSeveralRanks, IsSkippedByAllOfThemTogether) {
  const auto fail = []() -> ProbeResult { throw CollectiveFailure(ExitCode::Machine, "no room"); };
  EXPECT_THROW(run_of(Communicator(), fail), CollectiveFailure);
}

}  // namespace
}  // namespace memstencil::membench
