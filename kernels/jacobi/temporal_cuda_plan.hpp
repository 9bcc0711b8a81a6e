// How a fused pass is cut into tiles (j, k) and chunks (i), and which block works on which.
#pragma once

#include "kernels/jacobi/grid.hpp"

#include <algorithm>
#include <cstdint>

namespace memstencil::jacobi {

inline constexpr int temporal_width = 64;

/// Blocks 0..whole_tiles-1 march one tile each through all planes; the other tiles, which would not
/// fill the GPU, are cut into `chunks` along i, all tiles of a chunk before the next chunk.
struct TemporalPlan {
  std::int64_t tile_j0, tile_k0;    ///< local indices of the first tile's first row and point
  std::int64_t stride_j, stride_k;  ///< from one tile to the next
  std::int64_t tiles_j, tiles_k;
  std::int64_t whole_tiles;
  std::int64_t chunks;
  std::int64_t chunk_planes;

  std::int64_t tiles() const { return tiles_j * tiles_k; }
  std::int64_t blocks() const { return whole_tiles + (tiles() - whole_tiles) * chunks; }
  /// Steps that the busiest multiprocessor takes, one block after the other: a block's are the planes it
  /// marches through, and those that fill and drain its stages.
  std::int64_t steps(std::int64_t planes, int sweeps, std::int64_t processors) const {
    const std::int64_t extra = 2 * sweeps + 2;
    return whole_tiles / processors * (planes + extra) +
           (blocks() - whole_tiles + processors - 1) / processors * (chunk_planes + extra);
  }
};

/// The points a tile must hold: all that the first sweep updates, and the fixed boundary beside them,
/// which later sweeps read from the tile as well.
inline Box temporal_cover(const Grid& grid, int sweeps) {
  Box cover = grown(grid.owned, sweeps - 1, grid.interior);
  for (int d = 0; d < 3; ++d) {
    if (cover.lo[d] == grid.interior.lo[d]) --cover.lo[d];
    if (cover.hi[d] == grid.interior.hi[d]) ++cover.hi[d];
  }
  return cover;
}

/// Cuts along i so that the last wave of blocks is full too: each chunk costs the planes that fill
/// and drain its stages once more.
inline void cut_into_chunks(TemporalPlan& plan, std::int64_t planes, int sweeps, std::int64_t processors) {
  std::int64_t best = -1;
  TemporalPlan each = plan;
  for (const std::int64_t whole : {plan.tiles() / processors * processors, std::int64_t{0}}) {
    for (std::int64_t chunks = 1; chunks <= std::max<std::int64_t>(1, planes / 4); ++chunks) {
      each.whole_tiles = whole;
      each.chunk_planes = std::max<std::int64_t>(1, (planes + chunks - 1) / chunks);
      each.chunks = (planes + each.chunk_planes - 1) / each.chunk_planes;
      const std::int64_t steps = each.steps(planes, sweeps, processors);
      if (best >= 0 && steps >= best) continue;
      best = steps;
      plan = each;
    }
  }
}

inline TemporalPlan plan_temporal(const Grid& grid, int sweeps, int rows, std::int64_t processors) {
  const Box cover = temporal_cover(grid, sweeps);
  const Box first = grown(grid.owned, sweeps - 1, grid.interior);
  TemporalPlan plan{};
  // Rows of the boundary above and below a tile have a place of their own beside it; points of the
  // boundary left and right of it do not, and 16-byte copies want k in steps of four.
  plan.tile_j0 = first.lo[1];
  plan.tile_k0 = cover.lo[2] / 4 * 4;
  plan.stride_j = rows - 2 * (sweeps - 1);
  plan.stride_k = (temporal_width - 2 * (sweeps - 1)) / 4 * 4;
  const auto count = [](std::int64_t points, std::int64_t size, std::int64_t stride) {
    return points <= size ? 1 : 1 + (points - size + stride - 1) / stride;
  };
  plan.tiles_j = count(first.hi[1] - plan.tile_j0, rows, plan.stride_j);
  plan.tiles_k = count(cover.hi[2] - plan.tile_k0, temporal_width, plan.stride_k);
  cut_into_chunks(plan, grid.owned.hi[0] - grid.owned.lo[0], sweeps, processors);
  return plan;
}

}  // namespace memstencil::jacobi
