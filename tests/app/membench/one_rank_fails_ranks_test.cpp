// Pins that a probe of several ranks ends with the rank that fails: one that went on without it
// would leave the others waiting.
#include "app/base/ranks/collectively.hpp"
#include "app/membench/core/program.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/memory_space.hpp"

#include <gtest/gtest.h>

namespace memstencil::membench {
namespace {

/// Runs a probe of several ranks, alone.
ProbeRecord run_of(const Communicator& ranks, Point (*start)()) {
  Probe probe;
  probe.name = "any";
  probe.needs = Needs::Ranks;
  probe.start = start;
  Setup setup;
  setup.ranks = &ranks;
  return run_probe({&probe, {}}, setup, {});
}

Point good() {
  return [](State& state) { state.add("gbs", 1); };
}
Point no_room() {
  return [](State&) { throw OutOfMemory("no room"); };
}
Point no_room_anywhere() {
  return [](State&) { throw CollectiveFailure(ExitCode::Machine, "no room"); };
}

/// Where no probe runs: built for CUDA, and there is no GPU.
bool none_runs() { return built_for_gpu() && gpu_count() == 0; }

TEST(ProbeOfSeveralRanks, IsNotSkippedByOneOfThemAlone) {
  if (none_runs()) GTEST_SKIP() << "no GPU";
  const Communicator ranks;
  if (ranks.root()) {
    EXPECT_EQ(run_of(ranks, good).rows.size(), 1U);
    return;
  }
  try {
    run_of(ranks, no_room);
    FAIL() << "the others are left alone";
  } catch (const Failure& failure) {
    EXPECT_EQ(dynamic_cast<const CollectiveFailure*>(&failure), nullptr) << "others do not know";
    EXPECT_EQ(failure.code(), ExitCode::Machine);
    EXPECT_STREQ(failure.what(), "any: no room");
  }
}

TEST(ProbeOfSeveralRanks, IsSkippedByAllOfThemTogether) {
  if (none_runs()) GTEST_SKIP() << "no GPU";
  EXPECT_EQ(run_of(Communicator(), no_room_anywhere).skipped, "no room");
}

}  // namespace
}  // namespace memstencil::membench
