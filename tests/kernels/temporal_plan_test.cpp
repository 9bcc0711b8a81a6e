// Pins how a fused pass is cut: every point is answered for once, by a tile that can,
// and every part is taken once.
#include "kernels/jacobi/temporal_cuda_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace memstencil::jacobi {
namespace {

struct Cut {
  Grid grid;
  int sweeps, rows;
  std::int64_t processors;
  EdgesFirst edges_first = EdgesFirst::No;
  TemporalPlan plan() const { return plan_temporal(grid, sweeps, rows, processors, edges_first); }
  TemporalSteps steps() const { return {plan(), sweeps}; }
};

Grid whole_grid(std::int64_t i, std::int64_t j, std::int64_t k) {
  Grid grid{{i, j, k}, row_pitch(k), {{1, 1, 1}, {i - 1, j - 1, k - 1}}, {}};
  grid.owned = grid.interior;
  return grid;
}

/// Whole grids and boxes of ranks of random extents.
std::vector<Cut> cuts() {
  std::mt19937 engine(7);
  const auto random = [&](int lo, int hi) {
    return std::uniform_int_distribution<int>(lo, hi)(engine);
  };
  std::vector<Cut> out;
  for (int n = 0; n < 400; ++n) {
    const int sweeps = random(2, 4);
    Cut cut{whole_grid(random(3, 70), random(3, 300), random(3, 1500)), sweeps,
            24 - 4 * (sweeps - 1),
            std::vector<int>{1, 2, 3, 78, 132}[static_cast<std::size_t>(random(0, 4))]};
    for (int d = 0; d < 3; ++d) {
      Box& owned = cut.grid.owned;
      if (random(0, 2) == 0)
        owned.lo[d] = std::min<std::int64_t>(owned.lo[d] + random(0, 20), owned.hi[d] - 1);
      if (random(0, 2) == 0)
        owned.hi[d] = std::max<std::int64_t>(owned.hi[d] - random(0, 20), owned.lo[d] + 1);
    }
    cut.edges_first = std::array{EdgesFirst::No, EdgesFirst::Yes, EdgesFirst::Soonest}[n % 3];
    out.push_back(cut);
  }
  return out;
}

TEST(TemporalPlan, GivesEveryPartOnce) {
  for (const Cut& cut : cuts()) {
    const TemporalPlan plan = cut.plan();
    const TemporalParts parts = parts_of(plan);
    std::map<std::pair<int, int>, std::set<std::pair<int, int>>> planes;  // of each tile
    std::vector<int> members(parts.members.size(), 0);
    for (const auto& list : parts.lists)
      for (const TemporalPart& part : list) {
        ASSERT_TRUE(part.tile_j >= 0 && part.tile_j < plan.tiling.tiles_j && part.tile_k >= 0 &&
                    part.tile_k < plan.tiling.tiles_k);
        ASSERT_LT(part.wave, static_cast<int>(members.size()));
        ASSERT_EQ(part.members, parts.members[static_cast<std::size_t>(part.wave)]);
        ++members[static_cast<std::size_t>(part.wave)];
        planes[{part.tile_j, part.tile_k}].insert({part.planes[0], part.planes[1]});
      }
    const std::size_t blocks = parts.lists[0].size() + parts.lists[1].size();
    ASSERT_EQ(static_cast<std::int64_t>(blocks), plan.blocks());
    ASSERT_EQ(members, parts.members);
    ASSERT_EQ(static_cast<int>(planes.size()), plan.tiling.tiles_j * plan.tiling.tiles_k);
    std::size_t pieces = 0;
    for (const auto& [tile, its] : planes) {
      pieces += its.size();
      int next = 0;
      for (const auto& [from, to] : its) {
        ASSERT_EQ(from, next);
        ASSERT_LT(from, to);
        next = to;
      }
      ASSERT_EQ(next, plan.planes);
    }
    ASSERT_EQ(pieces, blocks);
  }
}

TEST(TemporalPlan, KeepsWhatSweepsLoseOffTheOwnPoints) {
  for (const Cut& cut : cuts()) {
    const TemporalPlan plan = cut.plan();
    const Grid& grid = cut.grid;
    std::int64_t next = grid.owned.lo[2];
    for (int tile = 0; tile < plan.tiling.tiles_k; ++tile) {
      const std::int64_t start = plan.tiling.start_k(tile);
      const std::int64_t end =
          tile == plan.tiling.tiles_k - 1
              ? grid.owned.hi[2]
              : std::min<std::int64_t>(grid.owned.hi[2], plan.tiling.border_k(tile + 1));
      // From what the first sweep reads, or the fixed boundary, to the same on the right.
      ASSERT_LE(start, std::max(next - cut.sweeps, grid.interior.lo[2] - 1));
      ASSERT_GE(start + temporal_width, std::min(end + cut.sweeps, grid.interior.hi[2] + 1));
      ASSERT_EQ(start % 8, 0);
      if (tile > 0) {
        ASSERT_EQ(plan.tiling.border_k(tile), next);
      }
      next = end;
    }
    ASSERT_EQ(next, grid.owned.hi[2]);
    const Box first = grown(grid.owned, cut.sweeps - 1, grid.interior);
    ASSERT_LE(plan.tiling.start_j(0), first.lo[1]);
    ASSERT_GT(plan.tiling.border_j(1), grid.owned.lo[1]);
    ASSERT_GE(plan.tiling.start_j(plan.tiling.tiles_j - 1) + cut.rows, first.hi[1]);
  }
}

TEST(TemporalPlan, PutsTheTwoListsSideBySide) {
  const TemporalPlan plan = plan_temporal(whole_grid(512, 512, 1024), 3, 16, 132);
  const TemporalParts parts = parts_of(plan);
  for (const TemporalPart& part : parts.lists[0]) EXPECT_LE(part.tile_k, 9);
  for (const TemporalPart& part : parts.lists[1]) EXPECT_GE(part.tile_k, 8);
}

/// Are there other ranks' points beyond this end of direction d?
bool other_rank(const Grid& grid, int d, int end) {
  return end == 0 ? grid.owned.lo[d] > grid.interior.lo[d] : grid.owned.hi[d] < grid.interior.hi[d];
}

/// Points that a part answers for, without k.
Box own_points(const Cut& cut, const TemporalPlan& plan, const TemporalPart& part) {
  Box out = cut.grid.owned;
  if (part.tile_j > 0) out.lo[1] = plan.tiling.border_j(part.tile_j);
  if (part.tile_j < plan.tiling.tiles_j - 1)
    out.hi[1] = std::min<std::int64_t>(out.hi[1], plan.tiling.border_j(part.tile_j + 1));
  out.hi[0] = out.lo[0] + part.planes[1];
  out.lo[0] += part.planes[0];
  return out;
}

/// Does a pass read the halo in i or j for these points? The same points are sent.
bool at_other_ranks(const Cut& cut, const Box& points) {
  for (int d = 0; d < 2; ++d) {
    if (other_rank(cut.grid, d, 0) && points.lo[d] < cut.grid.owned.lo[d] + cut.sweeps) return true;
    if (other_rank(cut.grid, d, 1) && points.hi[d] > cut.grid.owned.hi[d] - cut.sweeps) return true;
  }
  return false;
}

TEST(TemporalPlan, CountsEveryPartAtOtherRanksPoints) {
  int with_edges = 0;
  for (const Cut& cut : cuts()) {
    const TemporalPlan plan = cut.plan();
    const bool along_k = other_rank(cut.grid, 2, 0) || other_rank(cut.grid, 2, 1);
    const TemporalParts parts = parts_of(plan);
    int edges = 0, counted = 0;
    for (const auto& list : parts.lists)
      for (const TemporalPart& part : list) {
        edges += part.edge ? 1 : 0;
        const Box own = own_points(cut, plan, part);
        ASSERT_FALSE(own.empty());
        if (!along_k && at_other_ranks(cut, own)) {
          ASSERT_TRUE(part.edge);
        }
      }
    ASSERT_EQ(edges, parts.edges);
    for (const TemporalGroup& group : plan.groups)
      counted += plan.edge_parts(group, 0) + plan.edge_parts(group, 1);
    ASSERT_EQ(edges, counted) << "the steps till then are counted by these";
    ASSERT_EQ(edges > 0, !along_k && at_other_ranks(cut, cut.grid.owned));
    with_edges += edges > 0 ? 1 : 0;
  }
  EXPECT_GT(with_edges, 100);
}

/// Blocks take parts and end in a random order; has each part at other ranks' points stored its
/// result when as many have been counted?
bool stored_when_counted(const Cut& cut, bool counted_before, unsigned seed) {
  const TemporalPlan plan = cut.plan();
  std::mt19937 engine(seed);
  std::vector<TemporalPart> running;
  std::size_t turns[2] = {0, 0};
  int counted = 0, stored = 0;
  const TemporalParts parts = parts_of(plan);
  const int wanted = parts.edges;
  while (counted < wanted) {
    for (int list = 0; list < 2; ++list)
      for (; static_cast<std::int64_t>(running.size()) < cut.processors &&
             turns[list] < parts.lists[list].size();
           ++turns[list]) {
        running.push_back(parts.lists[list][turns[list]]);
        if (counted_before) counted += running.back().edge ? 1 : 0;
      }
    const auto ended = running.begin() + static_cast<std::ptrdiff_t>(engine() % running.size());
    stored += at_other_ranks(cut, own_points(cut, plan, *ended)) ? 1 : 0;
    if (!counted_before) counted += ended->edge ? 1 : 0;
    running.erase(ended);
  }
  int all = 0;
  for (int list = 0; list < 2; ++list)
    for (const TemporalPart& part : parts.lists[list])
      all += at_other_ranks(cut, own_points(cut, plan, part)) ? 1 : 0;
  return stored == all;
}

TEST(TemporalPlan, HasStoredWhatIsSentWhenAllEdgesAreCounted) {
  unsigned seed = 0;
  bool early_is_found = false;
  for (const Cut& cut : cuts()) {
    if (parts_of(cut.plan()).edges == 0) continue;
    ASSERT_TRUE(stored_when_counted(cut, false, ++seed));
    early_is_found = early_is_found || !stored_when_counted(cut, true, seed);
  }
  EXPECT_TRUE(early_is_found);
}

/// One of two ranks with the halves of a direction.
Cut half(const std::array<std::int64_t, 3>& extents, int d, int which, int sweeps,
         EdgesFirst edges_first) {
  Cut cut{whole_grid(extents[0], extents[1], extents[2]), sweeps, 24 - 4 * (sweeps - 1), 132,
          edges_first};
  Box& owned = cut.grid.owned;
  const std::int64_t middle = (owned.lo[d] + owned.hi[d]) / 2;
  (which == 0 ? owned.hi[d] : owned.lo[d]) = middle;
  return cut;
}
constexpr std::array<std::int64_t, 3> size_m{128, 128, 256}, size_l{256, 256, 512},
    size_xl{512, 512, 1024};

TEST(TemporalPlan, PutsEdgesFirstWithoutMoreSteps) {
  for (const int which : {0, 1})
    for (const EdgesFirst each : {EdgesFirst::Yes, EdgesFirst::Soonest}) {
      const Cut cut = half(size_xl, 1, which, 3, each);
      EXPECT_EQ(cut.steps().all, 3 * (510 + 8) + 85 + 8);  // as one rank's half of the rows takes
      EXPECT_EQ(cut.steps().edges, 85 + 8);
      for (const auto& list : parts_of(cut.plan()).lists)
        for (const TemporalPart& part : list) {
          EXPECT_TRUE(!part.edge || part.wave == 0);
        }
    }
}

TEST(TemporalPlan, FillsWavesWithTilesCutInHalves) {
  for (const int which : {0, 1}) {
    const TemporalSteps steps = half(size_l, 1, which, 3, EdgesFirst::Yes).steps();
    EXPECT_EQ(steps.all, 127 + 8 + 64 + 8);  // 66 tiles in two chunks, 33 in four
    EXPECT_EQ(steps.edges, 127 + 8);
    EXPECT_EQ(half(size_l, 1, which, 3, EdgesFirst::No).steps().all, steps.all);
    EXPECT_EQ(half(size_l, 1, which, 4, EdgesFirst::Yes).steps().all, 254 + 10 + 127 + 10);
    EXPECT_EQ(half(size_m, 1, which, 4, EdgesFirst::Yes).steps().all, 42 + 10 + 6 + 10);
  }
}

TEST(TemporalPlan, HasEdgesSoonWhereTheNextPassWaitsForSlowMessages) {
  for (const auto& extents : {size_m, size_l})
    for (const int sweeps : {2, 3}) {
      const TemporalSteps soon = half(extents, 1, 0, sweeps, EdgesFirst::Soonest).steps();
      const TemporalSteps early = half(extents, 1, 0, sweeps, EdgesFirst::Yes).steps();
      EXPECT_LT(2 * soon.edges, early.edges);
      EXPECT_GT(soon.all, early.all);
    }
  // Here messages are done before the pass in either case.
  EXPECT_EQ(half(size_xl, 1, 0, 4, EdgesFirst::Soonest).steps().all,
            half(size_xl, 1, 0, 4, EdgesFirst::Yes).steps().all);
}

TEST(TemporalPlan, CutsSlabsAtOtherRanksPlanesWhereTheyPay) {
  for (const int sweeps : {2, 3, 4})
    for (const int which : {0, 1}) {
      const TemporalSteps early = half(size_xl, 0, which, sweeps, EdgesFirst::Yes).steps();
      EXPECT_LT(early.edges, early.all / 10);
      EXPECT_LT(half(size_xl, 0, which, sweeps, EdgesFirst::No).steps().all, early.all);
      // Short passes have more steps by them than messages could hide.
      const TemporalSteps short_pass = half(size_m, 0, which, sweeps, EdgesFirst::Yes).steps();
      EXPECT_EQ(short_pass.edges, short_pass.all);
    }
}

TEST(TemporalPlan, LeavesOneRanksOrderAlone) {
  for (Cut cut : cuts()) {
    cut.grid.owned = cut.grid.interior;
    const TemporalPlan plan = cut.plan();
    EXPECT_LE(plan.groups.size(), 2U);
    EXPECT_TRUE(plan.groups.size() == 1 || plan.groups[0].chunks == 1) << "whole tiles first";
    EXPECT_EQ(parts_of(plan).edges, 0);
    EXPECT_EQ(plan.tiling.start_j(0), 1);
  }
}

}  // namespace
}  // namespace memstencil::jacobi
