// Pins how the grid is divided into ranks without --ranks: planes where they are
// cheap, neighbours on a node.
#include "app/grid/subdomain.hpp"
#include "kernels/jacobi/temporal_cuda_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace memstencil {
namespace {

using Ranks = std::array<int, 3>;
constexpr Triple xl{512, 512, 1024};

Ranks best(const Triple& extents, int ranks, const MessageCosts& costs) {
  return decompositions(extents, ranks, costs).front().ranks;
}

TEST(Decomposition, FollowsTheCostsOfMessages) {
  struct Case {
    int ranks;
    MessageCosts costs;
    Ranks best;
  };
  for (const auto& [ranks, costs, want] :
       {// Planes for a few GPUs of a node.
        Case{2, {1, 2, false}, {2, 1, 1}}, Case{2, {3, 2, false}, {2, 1, 1}},
        Case{4, {1, 4, false}, {4, 1, 1}}, Case{8, {1, 8, false}, {8, 1, 1}},
        // Small faces where messages are staged or leave the node.
        Case{2, {3, 2, true}, {1, 1, 2}}, Case{2, {3, 1, false}, {1, 1, 2}},
        Case{8, {1, 8, true}, {2, 2, 2}},
        // Planes for two ranks of single sweeps, which hide their messages.
        Case{2, {1, 2, true}, {2, 1, 1}}, Case{2, {1, 1, false}, {2, 1, 1}},
        // Rows of j beside fused sweeps.
        Case{2, {3, 1, false, true}, {1, 2, 1}}, Case{2, {3, 2, false, true}, {1, 2, 1}},
        Case{2, {3, 1, true, true}, {1, 2, 1}}, Case{2, {3, 2, true, true}, {1, 2, 1}}})
    EXPECT_EQ(best(xl, ranks, costs), want)
        << ranks << ", halo of " << costs.halo << ", " << costs.ranks_of_node << " of a node";
  EXPECT_EQ(best({256, 256, 512}, 2, {3, 2, false}), (Ranks{2, 1, 1}));
  EXPECT_EQ(best(xl, 16, {3, 1, false, true})[2], 1) << "faces of k would take turns with sweeps";
  const Ranks many = best(xl, 256, {1, 4, false});
  EXPECT_GT(many[0], 1) << "planes become few";
  EXPECT_GT(many[1] * many[2], 1);
}

TEST(Decomposition, IsWhatTheGridAllows) {
  EXPECT_EQ(best({4, 100, 100}, 4, {1, 4, false})[0], 1) << "two planes do not make four ranks";
  EXPECT_TRUE(decompositions({4, 4, 4}, 64, {2, 4, false}).empty());
  const auto all = decompositions({20, 20, 20}, 6, {3, 6, false});
  EXPECT_EQ(all.size(), 9U);
  for (const Decomposition& each : all) EXPECT_EQ(each.ranks[0] * each.ranks[1] * each.ranks[2], 6);
}

TEST(Decomposition, NamesTheChoiceAndTheNext) {
  EXPECT_EQ(choice_text({{{2, 1, 1}, 1.0}, {{1, 2, 1}, 2.0}}),
            "chosen for its messages: 2x1x1, next 1x2x1");
}

/// The largest of a pass on four GPUs of 132 multiprocessors, by this tile.
struct FusedPass {
  double cost = 0;
  bool early = true;

  struct Tile {
    int sweeps, rows;
  };

  FusedPass(const Triple& extents, const Ranks& ranks, const Tile& tile) {
    for (int rank = 0; rank < 4; ++rank) {
      const Grid grid = subdomain_of(extents, ranks, rank, 4, tile.sweeps).grid;
      const jacobi::TemporalSteps steps(
          jacobi::plan_temporal(grid, tile.sweeps, tile.rows, 132, EdgesFirst::No), tile.sweeps);
      cost = std::max(cost, jacobi::cost_of_pass(steps, tile.rows));
      early = early && jacobi::edges_early(steps);
    }
  }
};

TEST(Decomposition, OfFusedSweepsCostsLeastWhereFourGpusWereFastest) {  // docs/lab/many-gpus.md
  constexpr Triple l{256, 256, 512};
  constexpr Ranks planes{4, 1, 1}, rows{1, 4, 1}, both{2, 2, 1};
  constexpr FusedPass::Tile three{3, 16}, four{4, 12};  // as they were measured
  EXPECT_LT(FusedPass(l, planes, three).cost, FusedPass(l, both, three).cost);
  EXPECT_LT(FusedPass(l, planes, three).cost, FusedPass(l, rows, three).cost);
  EXPECT_LT(FusedPass(l, both, four).cost, FusedPass(l, rows, four).cost);
  EXPECT_LT(FusedPass(l, both, four).cost, FusedPass(l, planes, four).cost);
  EXPECT_LT(FusedPass(xl, both, four).cost, FusedPass(xl, rows, four).cost);
  EXPECT_LT(FusedPass(xl, both, four).cost, FusedPass(xl, planes, four).cost);
}

TEST(Decomposition, OfFusedSweepsInRowsMakesItsEdgesEarly) {
  EXPECT_TRUE(FusedPass(xl, {1, 4, 1}, {4, 16}).early);
  EXPECT_FALSE(FusedPass(xl, {4, 1, 1}, {4, 16}).early);
}

}  // namespace
}  // namespace memstencil
