// Pins that no run of heat over spoiled messages is verified, and which check finds them.
#include "app/heat/problem.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/grid/spoiled_receives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace memstencil::heat {
namespace {

using Kind = MessageFault::Kind;

/// 7 sweeps on the host, the ranks in a row along a direction.
void run_over(const MessageFault& fault, std::size_t along) {
  const Communicator communicator;
  GridOptions options;
  options.extents = {19, 23, 37};
  options.iterations = 7;
  options.executor = Executor::Host;
  options.memspace = MemorySpace::SystemAllocated;
  options.ranks = {1, 1, 1};
  options.ranks->at(along) = communicator.size();
  const Plan plan = make_plan(options, {}, communicator);
  const SpoiledMessages spoiling(fault);
  run_repeats(plan, communicator);
}

TEST(HeatOverSpoiledMessages, IsNeverVerifiedAndNamesTheTimedPartOrTheCheckOfThePath) {
  const int size = Communicator().size(), last = std::min(size - 1, 2) * (1 + 7);  // of rank 1
  for (const std::size_t along : {0U, 1U, 2U}) {
    EXPECT_NO_THROW(run_over({.kind = Kind::Held}, along));
    const auto line_of = [&](const MessageFault& fault) {
      return refusal(ExitCode::Verification, [&] { run_over(fault, along); });
    };
    for (const Kind kind : {Kind::Stale, Kind::Late, Kind::OneBit, Kind::Shifted, Kind::Short}) {
      EXPECT_TRUE(contains(line_of({.kind = kind}), "verification failed: "));
      EXPECT_GT(Communicator().sum(changed_messages()), 0.0) << static_cast<int>(kind);
    }
    for (const Kind kind : {Kind::Stale, Kind::Shifted, Kind::Short}) {
      EXPECT_TRUE(contains(line_of({.kind = kind, .first = 3, .last = last, .rank = 1}),
                           "verification failed: after sweep 7 rank 1 has a wrong halo "));
      const std::string line = line_of({.kind = kind, .first = last + 1, .rank = 1});
      EXPECT_TRUE(contains(line, "verification failed: in an exchange before the loop of random"));
      EXPECT_TRUE(contains(line, "of rank 1 is not what was sent there"));
    }
  }
}

}  // namespace
}  // namespace memstencil::heat
