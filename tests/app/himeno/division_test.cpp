// Pins how the grid is divided into ranks without --ranks: planes where they are cheap, and never
// rows of k where another direction is left.
#include "app/himeno/division.hpp"

#include <gtest/gtest.h>

#include <array>

namespace memstencil::himeno {
namespace {

using Ranks = std::array<int, 3>;
constexpr Triple xl{512, 512, 1024};

Ranks best(const Triple& extents, int ranks) { return divisions(extents, ranks, 1).front(); }

TEST(Division, TakesPlanesForAFewRanks) {
  for (const int ranks : {2, 3, 4, 8}) EXPECT_EQ(best(xl, ranks), (Ranks{ranks, 1, 1}));
  EXPECT_EQ(best({256, 256, 512}, 2), (Ranks{2, 1, 1}));
}

TEST(Division, NeverCutsRowsOfKWhereAnotherDirectionIsLeft) {
  for (const int ranks : {2, 3, 4, 8, 16, 256}) EXPECT_EQ(best(xl, ranks)[2], 1) << ranks;
  EXPECT_EQ(best({3, 3, 100}, 4), (Ranks{1, 1, 4}));
}

TEST(Division, TakesTwoDirectionsWherePlanesBecomeFew) { EXPECT_GT(best(xl, 256)[1], 1); }

TEST(Division, IsWhatTheGridAllows) {
  EXPECT_EQ(best({4, 100, 100}, 4)[0], 1) << "two planes do not make four ranks";
  EXPECT_TRUE(divisions({4, 4, 4}, 64, 2).empty());
  for (const Ranks& each : divisions({20, 20, 20}, 6, 3)) {
    EXPECT_EQ(each[0] * each[1] * each[2], 6);
    EXPECT_LE(each[0], 6);
  }
}

TEST(Division, NamesTheNext) {
  EXPECT_EQ(choice_text({{2, 1, 1}, {1, 2, 1}}), "chosen by the cost of its halos, next 1x2x1");
}

}  // namespace
}  // namespace memstencil::himeno
