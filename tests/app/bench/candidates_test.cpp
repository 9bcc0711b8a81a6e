// Pins what becomes of a plan that cannot run, and that ranks do not choose apart.
#include "app/bench/candidates.hpp"
#include "tests/app/base/refusal.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

constexpr int plan = 42;

Candidate<int> tried(ExitCode making, ExitCode memory) {
  const auto fail_with = [](ExitCode code, const char* line) {
    if (code != ExitCode::Good) throw CollectiveFailure(code, line);
  };
  return try_candidate(
      "managed", [&] { return fail_with(making, "no plan"), plan; },
      [&](int) { fail_with(memory, "no memory"); });
}

TEST(Candidates, HaveTheirPlanOrTheReasonWhyThereIsNone) {
  const auto good = tried(ExitCode::Good, ExitCode::Good);
  EXPECT_EQ(good.name, "managed");
  EXPECT_EQ(good.plan, plan);
  EXPECT_TRUE(good.can_run());
  const auto refused = tried(ExitCode::Machine, ExitCode::Good);
  EXPECT_FALSE(refused.plan);
  EXPECT_EQ(refused.refused, "no plan");
}

TEST(Candidates, KeepThePlanThatMemoryAloneIsLackingFor) {
  const auto large = tried(ExitCode::Good, ExitCode::Machine);
  EXPECT_EQ(large.plan, plan);
  EXPECT_EQ(large.refused, "no memory");
  EXPECT_FALSE(large.can_run());
}

TEST(Candidates, EndTheProgramWhereNoOtherWouldMendIt) {
  EXPECT_EQ(refusal(ExitCode::Usage, [] { tried(ExitCode::Usage, ExitCode::Good); }), "no plan");
}

TEST(Candidates, AreRefusedTogetherWithTheReasonOfTheFirst) {
  using Both = std::vector<Candidate<int>>;
  Both both{{"device", {}, "no GPU"}, {"managed", plan, ""}};
  EXPECT_NO_THROW(require_one("--memspace auto: ", both));
  both[1].refused = "too large";
  EXPECT_EQ(refusal(ExitCode::Machine, [&] { require_one("--memspace auto: ", both); }),
            "--memspace auto: no GPU");
}

struct Offered {
  std::string refused;
};

TEST(WhatOneRankRefuses, IsRefusedOnAll) {
  const Communicator communicator;
  std::vector<Offered> offered{{""}, {communicator.root() ? "too narrow" : ""}, {"needs a GPU"}};
  refuse_on_all(offered, communicator);
  EXPECT_EQ(offered[0].refused, "");
  EXPECT_EQ(offered[1].refused, communicator.root() ? "too narrow" : "another rank cannot run it");
  EXPECT_EQ(offered[2].refused, "needs a GPU");
}

}  // namespace
}  // namespace memstencil
