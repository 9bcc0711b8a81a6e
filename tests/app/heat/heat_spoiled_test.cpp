// Pins that no run of heat over spoiled messages is verified, and which check finds them.
#include "app/heat/heat.hpp"
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

class HeatOverSpoiledMessages : public testing::TestWithParam<std::size_t> {
protected:
  /// 7 sweeps on the host, the ranks in a row along a direction.
  HeatOverSpoiledMessages() {
    GridOptions options;
    options.extents = {19, 23, 37};
    options.iterations = 7;
    options.executor = Executor::Host;
    options.memspace = MemorySpace::SystemAllocated;
    options.ranks = {1, 1, 1};
    options.ranks->at(GetParam()) = communicator_.size();
    plan_ = make_plan(options, {}, communicator_);
  }
  void run_over(const MessageFault& fault) const {
    const SpoiledMessages spoiling(fault);
    run_repeats(plan_, communicator_, ProgressLine(false, -1));
  }
  /// The line that the run ends with.
  std::string line_of(const MessageFault& fault) const {
    return refusal(ExitCode::Verification, [&] { run_over(fault); });
  }

  Communicator communicator_;
  Plan plan_;
};

TEST_P(HeatOverSpoiledMessages, IsNeverVerifiedAndOverSoundOnesAlwaysIs) {
  EXPECT_NO_THROW(run_over({.kind = Kind::Held}));
  for (const Kind kind : {Kind::Stale, Kind::Late, Kind::OneBit, Kind::Shifted, Kind::Short}) {
    EXPECT_TRUE(contains(line_of({.kind = kind}), "verification failed: "));
    EXPECT_GT(communicator_.sum(changed_messages()), 0.0) << static_cast<int>(kind);
  }
}

TEST_P(HeatOverSpoiledMessages, NamesTheTimedPartOrTheCheckOfThePath) {
  const int neighbours = std::min(communicator_.size() - 1, 2);  // of rank 1
  const int last = neighbours * (1 + 7);  // of the timed part: one exchange connects
  for (const Kind kind : {Kind::Stale, Kind::Shifted, Kind::Short}) {
    EXPECT_TRUE(contains(line_of({.kind = kind, .first = 3, .last = last, .rank = 1}),
                         "verification failed: after sweep 7 rank 1 has a wrong halo "));
    const std::string line = line_of({.kind = kind, .first = last + 1, .rank = 1});
    EXPECT_TRUE(contains(line, "verification failed: in an exchange before the loop of random"));
    EXPECT_TRUE(contains(line, "of rank 1 is not what was sent there"));
  }
}

INSTANTIATE_TEST_SUITE_P(Along, HeatOverSpoiledMessages, testing::Values(0U, 1U, 2U));

}  // namespace
}  // namespace memstencil::heat
