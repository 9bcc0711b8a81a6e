// Pins how the grid is divided into ranks without --ranks: planes where they are
// cheap, neighbours on a node.
#include "app/grid/subdomain.hpp"

#include <gtest/gtest.h>

#include <array>

namespace memstencil {
namespace {

using Ranks = std::array<int, 3>;
constexpr Triple xl{512, 512, 1024};

Ranks best(const Triple& extents, int ranks, const MessageCosts& costs) {
  return divisions(extents, ranks, costs).front().ranks;
}

TEST(Division, TakesPlanesForAFewGpusOfANode) {
  for (const int halo : {1, 3}) {
    EXPECT_EQ(best(xl, 2, {halo, 2, false}), (Ranks{2, 1, 1}));
    EXPECT_EQ(best({256, 256, 512}, 2, {halo, 2, false}), (Ranks{2, 1, 1}));
  }
  EXPECT_EQ(best(xl, 4, {1, 4, false}), (Ranks{4, 1, 1}));
  EXPECT_EQ(best(xl, 8, {1, 8, false}), (Ranks{8, 1, 1}));
}

TEST(Division, TakesSmallFacesWhereMessagesAreStagedOrLeaveTheNode) {
  EXPECT_EQ(best(xl, 2, {3, 2, true}), (Ranks{1, 1, 2})) << "its face is half of the others";
  EXPECT_EQ(best(xl, 2, {3, 1, false}), (Ranks{1, 1, 2}));
  EXPECT_EQ(best(xl, 8, {1, 8, true}), (Ranks{2, 2, 2}));
}

TEST(Division, TakesPlanesForTwoRanksOfSingleSweepsWhichHideTheirMessages) {
  EXPECT_EQ(best(xl, 2, {1, 2, true}), (Ranks{2, 1, 1}));
  EXPECT_EQ(best(xl, 2, {1, 1, false}), (Ranks{2, 1, 1}));
}

TEST(Division, TakesRowsOfJFirstBesideFusedSweeps) {
  for (const bool staged : {false, true})
    for (const int ranks_of_node : {1, 2})
      EXPECT_EQ(best(xl, 2, {3, ranks_of_node, staged, true}), (Ranks{1, 2, 1}));
  EXPECT_EQ(best(xl, 16, {3, 1, false, true})[2], 1) << "faces of k would take turns with sweeps";
}

TEST(Division, TakesTwoDirectionsWherePlanesBecomeFew) {
  const Ranks many = best(xl, 256, {1, 4, false});
  EXPECT_GT(many[0], 1);
  EXPECT_GT(many[1] * many[2], 1);
}

TEST(Division, IsWhatTheGridAllows) {
  EXPECT_EQ(best({4, 100, 100}, 4, {1, 4, false})[0], 1) << "two planes do not make four ranks";
  EXPECT_TRUE(divisions({4, 4, 4}, 64, {2, 4, false}).empty());
  const auto all = divisions({20, 20, 20}, 6, {3, 6, false});
  EXPECT_EQ(all.size(), 9U);
  for (const Division& each : all) EXPECT_EQ(each.ranks[0] * each.ranks[1] * each.ranks[2], 6);
}

TEST(Division, CostsMoreBetweenNodesThanInOne) {
  const auto cost = [](int ranks_of_node) {
    return divisions(xl, 4, {1, ranks_of_node, false}).front().cost;
  };
  EXPECT_GT(cost(1), cost(4));
}

TEST(Division, NamesTheChoiceAndTheNext) {
  EXPECT_EQ(choice_text({{{2, 1, 1}, 1.0}, {{1, 2, 1}, 2.0}}),
            "chosen for its messages: 2x1x1, next 1x2x1");
}

}  // namespace
}  // namespace memstencil
