// Pins how a fused pass is cut: every point is answered for once, by a tile that can,
// and every part is taken once.
#include "kernels/jacobi/temporal_cuda_plan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace memstencil::jacobi {
namespace {

struct Cut {
  Grid grid;
  int sweeps, rows;
  std::int64_t processors;
  TemporalPlan plan() const { return plan_temporal(grid, sweeps, rows, processors); }
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
    out.push_back(cut);
  }
  return out;
}

TEST(TemporalPlan, GivesEveryPartOnce) {
  for (const Cut& cut : cuts()) {
    const TemporalPlan plan = cut.plan();
    std::set<int> numbers;
    std::set<std::tuple<int, int, int>> parts;
    std::vector<int> members(static_cast<std::size_t>(plan.waves()), 0);
    for (int list = 0; list < 2; ++list)
      for (int turn = 0; turn < plan.parts(list); ++turn) {
        const TemporalPart part = plan.part(list, turn);
        ASSERT_TRUE(part.tile_j >= 0 && part.tile_j < plan.tiles_j && part.tile_k >= 0 &&
                    part.tile_k < plan.tiles_k);
        ASSERT_LT(part.wave, plan.waves());
        ++members[static_cast<std::size_t>(part.wave)];
        numbers.insert(part.number);
        parts.insert({part.tile_j, part.tile_k, part.chunk});
      }
    const auto blocks = static_cast<std::size_t>(plan.blocks());
    ASSERT_EQ(numbers.size(), blocks);
    ASSERT_EQ(*numbers.rbegin(), plan.blocks() - 1);
    ASSERT_EQ(parts.size(), blocks);
    for (std::size_t wave = 0; wave < members.size(); ++wave)
      ASSERT_EQ(members[wave], plan.members(static_cast<int>(wave)));
    // A tile is either whole or in all its chunks.
    std::set<std::pair<int, int>> whole;
    for (const auto& [j, k, chunk] : parts)
      if (chunk < 0) whole.insert({j, k});
    ASSERT_EQ(static_cast<int>(whole.size()), plan.whole_tiles);
    for (const auto& [j, k, chunk] : parts)
      if (chunk >= 0) {
        ASSERT_EQ(whole.count({j, k}), 0U);
      }
  }
}

TEST(TemporalPlan, KeepsWhatSweepsLoseOffTheOwnPoints) {
  for (const Cut& cut : cuts()) {
    const TemporalPlan plan = cut.plan();
    const Grid& grid = cut.grid;
    std::int64_t next = grid.owned.lo[2];
    for (int tile = 0; tile < plan.tiles_k; ++tile) {
      const std::int64_t start = plan.start_k(tile);
      const std::int64_t end =
          tile == plan.tiles_k - 1
              ? grid.owned.hi[2]
              : std::min<std::int64_t>(grid.owned.hi[2], plan.border_k(tile + 1));
      // From what the first sweep reads, or the fixed boundary, to the same on the right.
      ASSERT_LE(start, std::max(next - cut.sweeps, grid.interior.lo[2] - 1));
      ASSERT_GE(start + temporal_width, std::min(end + cut.sweeps, grid.interior.hi[2] + 1));
      ASSERT_EQ(start % 8, 0);
      if (tile > 0) {
        ASSERT_EQ(plan.border_k(tile), next);
      }
      next = end;
    }
    ASSERT_EQ(next, grid.owned.hi[2]);
    const Box first = grown(grid.owned, cut.sweeps - 1, grid.interior);
    ASSERT_EQ(plan.start_j(0), first.lo[1]);
    ASSERT_GE(plan.start_j(plan.tiles_j - 1) + cut.rows, first.hi[1]);
  }
}

TEST(TemporalPlan, PutsTheTwoListsSideBySide) {
  const TemporalPlan plan = plan_temporal(whole_grid(512, 512, 1024), 3, 16, 132);
  for (int turn = 0; turn < plan.parts(0); ++turn) EXPECT_LE(plan.part(0, turn).tile_k, 9);
  for (int turn = 0; turn < plan.parts(1); ++turn) EXPECT_GE(plan.part(1, turn).tile_k, 8);
}

}  // namespace
}  // namespace memstencil::jacobi
