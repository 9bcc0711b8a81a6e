// Pins whose phases stand for a run on several ranks: one rank's, the slowest's.
#include "app/bench/phases.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

TEST(PhasesOfRanks, AreThoseOfTheSlowest) {
  const Communicator communicator;
  Phases phases({"work", "wait"});
  phases.add("work", 1.0 + communicator.rank());
  phases.add("wait", communicator.size() - 1.0 - communicator.rank());
  EXPECT_EQ(phases.take_slowest(phases.seconds("work"), communicator), communicator.size() - 1);
  EXPECT_EQ(phases.seconds("work"), communicator.size());
  EXPECT_EQ(phases.seconds("wait"), 0.0) << "the others waited for it";
}

TEST(PhasesOfRanks, OfEquallySlowOnesAreTheFirsts) {
  const Communicator communicator;
  Phases phases({"work", "rank"});
  phases.add("work", 1.0);
  phases.add("rank", communicator.rank());
  phases.take_slowest(phases.seconds("work"), communicator);
  EXPECT_EQ(phases.seconds("work"), 1.0);
  EXPECT_EQ(phases.seconds("rank"), 0.0);
}

}  // namespace
}  // namespace memstencil
