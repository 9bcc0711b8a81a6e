// Pins which memory --memspace auto takes and what it says of those that it passed over, and that
// ranks do not choose apart.
#include "app/bench/placement.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace memstencil {
namespace {

struct Plan {
  MemorySpace space;
  std::string why;
};

/// The plan of a machine on which the run fits these spaces alone.
Plan chosen(const PlacementOptions& options, const std::set<MemorySpace>& fitting) {
  return plan_for_memspace(options, Communicator(), [&](const PlacementOptions& each) {
    if (!fitting.contains(each.memspace))
      throw CollectiveFailure(ExitCode::Machine,
                              "too large for " + std::string(name(each.memspace)));
    return Plan{each.memspace, each.why_memspace};
  });
}

/// Of a host, which needs no address translation.
PlacementOptions automatic() {
  PlacementOptions options;
  options.memspace_auto = true;
  options.executor = Executor::Host;
  return options;
}

TEST(MemspaceAuto, TakesTheFirstMemoryInWhichTheRunFits) {
  using enum MemorySpace;
  EXPECT_EQ(chosen(automatic(), {Device, SystemAllocated, HostPinned}).space, Device);
  EXPECT_EQ(chosen(automatic(), {HostPinned, SystemAllocated}).space, SystemAllocated);
  EXPECT_EQ(chosen(automatic(), {HostPinned, Managed}).space, HostPinned);
}

TEST(MemspaceAuto, SaysTheRuleAndWhyNotOthers) {
  EXPECT_EQ(chosen(automatic(), {MemorySpace::HostPinned}).why,
            "the first of device, system (with ATS) and host-pinned in which the run fits; not "
            "device: too large for device; not system: too large for system");
}

TEST(MemspaceAuto, GivesAllReasonsWhereNoMemoryServes) {
  const std::string line = refusal(ExitCode::Machine, [] { chosen(automatic(), {}); });
  EXPECT_TRUE(contains(line, "--memspace auto: "));
  for (const char* space : {"device", "system", "host-pinned"})
    EXPECT_TRUE(contains(line, "too large for " + std::string(space)));
}

TEST(MemspaceAuto, DoesNotHideAWrongCommandLine) {
  const auto wrong = [](const PlacementOptions&) -> Plan {
    throw CollectiveFailure(ExitCode::Usage, "no such thing");
  };
  EXPECT_EQ(
      refusal(ExitCode::Usage, [&] { plan_for_memspace(automatic(), Communicator(), wrong); }),
      "no such thing");
}

TEST(ANamedMemory, IsTakenWithoutARule) {
  PlacementOptions options;
  options.memspace = MemorySpace::Managed;
  EXPECT_EQ(chosen(options, {MemorySpace::Managed}).why, "");
  EXPECT_EQ(refusal(ExitCode::Machine, [&] { chosen(options, {}); }), "too large for managed");
}

struct Offered {
  std::string why_not;
};

TEST(WhatOneRankCannotRun, NoneCan) {
  const Communicator communicator;
  std::vector<Offered> offered{{""}, {communicator.root() ? "too narrow" : ""}, {"needs a GPU"}};
  share_why_not(offered, communicator);
  EXPECT_EQ(offered[0].why_not, "");
  EXPECT_EQ(offered[1].why_not, communicator.root() ? "too narrow" : "another rank cannot run it");
  EXPECT_EQ(offered[2].why_not, "needs a GPU");
}

}  // namespace
}  // namespace memstencil
