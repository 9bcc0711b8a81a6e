// Pins that no run of heat over spoiled messages is verified, and which check finds them.
#include "app/heat/heat.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/grid/spoiled_receives.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace memstencil::heat {
namespace {

using Kind = MessageFault::Kind;

/// Of 7 sweeps with the ranks in a row along a direction.
Plan plan_of(std::size_t along) {
  const Communicator communicator;
  GridOptions options;
  options.extents = {19, 23, 37};
  options.iterations = 7;
  options.executor = Executor::Host;
  options.memspace = MemorySpace::SystemAllocated;
  options.ranks = {1, 1, 1};
  options.ranks->at(along) = communicator.size();
  return make_plan(options, {}, communicator);
}

/// Runs over such messages.
void run_over(const Plan& plan, const MessageFault& fault) {
  const SpoiledMessages spoiling(fault);
  run_repeats(plan, Communicator(), ProgressLine(false, -1));
}

/// The line that the run ends with.
std::string line_of(const Plan& plan, const MessageFault& fault) {
  return refusal(ExitCode::Verification, [&] { run_over(plan, fault); });
}

TEST(HeatOverSpoiledMessages, IsNeverVerifiedAndOverSoundOnesAlwaysIs) {
  for (std::size_t along = 0; along < 3; ++along) {
    const Plan plan = plan_of(along);
    EXPECT_NO_THROW(run_over(plan, {.kind = Kind::Held})) << along;
    for (const Kind kind : {Kind::Stale, Kind::Late, Kind::OneBit, Kind::Shifted, Kind::Short}) {
      EXPECT_TRUE(contains(line_of(plan, {.kind = kind}), "verification failed: "))
          << static_cast<int>(kind) << " along " << along;
      EXPECT_GT(Communicator().sum(changed_messages()), 0.0) << static_cast<int>(kind);
    }
  }
}

TEST(HeatOverSpoiledMessages, AreFoundWhereTheyEndAndWhereTheyBegin) {
  for (std::size_t along = 0; along < 3; ++along) {
    const Plan plan = plan_of(along);
    int neighbours = 0;  // of rank 1
    for (const int side : {-1, 1})
      neighbours += plan.part.neighbour(static_cast<int>(along), side) ? 1 : 0;
    neighbours = static_cast<int>(Communicator().maximum(neighbours));
    const int last = neighbours * (1 + 7);  // of the timed part; one exchange connects
    for (const Kind kind : {Kind::Stale, Kind::Shifted, Kind::Short}) {
      EXPECT_TRUE(contains(line_of(plan, {.kind = kind, .first = 3, .last = last, .rank = 1}),
                           "verification failed: after sweep 7 rank 1 has a wrong halo "));
      const std::string line = line_of(plan, {.kind = kind, .first = last + 1, .rank = 1});
      EXPECT_TRUE(contains(line, "verification failed: in an exchange before the loop")) << line;
      EXPECT_TRUE(contains(line, "of rank 1 is not what was sent there")) << line;
    }
  }
}

}  // namespace
}  // namespace memstencil::heat
