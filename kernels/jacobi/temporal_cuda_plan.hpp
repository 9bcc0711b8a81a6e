// Cutting a pass into the parts of a fused sweep: how many, and which come first.
#pragma once

#include "kernels/grid/grid.hpp"
#include "kernels/jacobi/temporal_cuda_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace memstencil::jacobi {

/// Steps that the busiest multiprocessor takes, one block after the other: a block's are the planes
/// it marches through, and those that fill and drain its stages.
struct TemporalSteps {
  std::int64_t all,
      edges;  ///< of the pass, and till the last part at other ranks' points has ended

  TemporalSteps(const TemporalPlan& plan, int sweeps) {
    const std::int64_t extra = 2 * sweeps + 2, processors = plan.processors[0] + plan.processors[1];
    const auto waves = [&](std::int64_t parts) { return (parts + processors - 1) / processors; };
    const std::int64_t whole = plan.whole_tiles, cut = plan.tiles() - whole;
    const std::int64_t of_whole = plan.planes - plan.slabs[0] - plan.slabs[1] + extra;
    const std::int64_t of_chunk = plan.chunk_planes + extra;
    const std::int64_t slabs = waves(whole * plan.slabs_of_tile()) * (sweeps + extra);
    all = waves(whole) * of_whole + slabs + waves(cut * plan.chunks) * of_chunk;
    const std::int64_t at_edges = std::int64_t{plan.edge_rows} * plan.tiles_k;
    const std::int64_t leading = plan.cut_first ? cut : whole;
    const std::int64_t first = std::min(at_edges, leading), second = at_edges - first;
    const auto of_cut = [&](std::int64_t tiles) {  // so many of them at edges
      return waves(tiles * plan.chunks + (cut - tiles) * plan.edge_chunks) * of_chunk;
    };
    edges = plan.cut_first ? (second > 0 || slabs > 0 ? of_cut(cut) : of_cut(first)) + slabs +
                                 waves(second) * of_whole
                           : waves(second > 0 ? whole : first) * of_whole + of_cut(second);
    const bool whole_edges = plan.edge_chunks > 0 && whole > 0 && plan.slabs_of_tile() == 0;
    if (whole_edges) edges = all;
  }
  /// What a plan is chosen by. Messages can leave earlier from one of a few steps more: worth it
  /// where that is much.
  std::int64_t cost() const { return 16 * all + edges; }
};

/// Cuts along i so that the last wave of blocks is full too: each chunk costs the planes that fill
/// and drain its stages once more.
/// @param ends are there other ranks' planes at the low and at the high end?
/// @param apart may whole tiles have slabs there?
inline void cut_into_chunks(TemporalPlan& plan, int sweeps, const bool (&ends)[2], bool apart) {
  const std::int64_t planes = plan.planes, processors = plan.processors[0] + plan.processors[1];
  std::int64_t best = -1;
  const auto keep = [&](const TemporalPlan& each) {
    const std::int64_t cost = TemporalSteps(each, sweeps).cost();
    if (best >= 0 && cost >= best) return;
    best = cost;
    plan = each;
  };
  const bool at_ranks = plan.edge_rows > 0 || ends[0] || ends[1];
  TemporalPlan each = plan;
  for (const std::int64_t whole : {plan.tiles() / processors * processors, std::int64_t{0}}) {
    for (std::int64_t chunks = 1; chunks <= std::max<std::int64_t>(1, planes / 4); ++chunks) {
      const std::int64_t chunk_planes = std::max<std::int64_t>(1, (planes + chunks - 1) / chunks);
      each = plan;
      each.cut_first = false;
      each.slabs[0] = each.slabs[1] = 0;
      each.whole_tiles = static_cast<int>(whole);
      each.chunk_planes = static_cast<int>(chunk_planes);
      each.chunks = static_cast<int>((planes + chunk_planes - 1) / chunk_planes);
      const auto chunks_of = [&](std::int64_t end) {  // that hold the `sweeps` planes at it
        return static_cast<int>(
            std::min<std::int64_t>(each.chunks, (sweeps + end + chunk_planes - 1) / chunk_planes));
      };
      const int high = ends[1] ? chunks_of(each.chunks * chunk_planes - planes) : 0;
      each.first_chunk = (each.chunks - high) % each.chunks;
      each.edge_chunks = std::min(each.chunks, high + (ends[0] ? chunks_of(0) : 0));
      keep(each);
      if (!at_ranks) continue;
      each.cut_first = true;
      keep(each);
      if (!apart || whole == 0 || planes <= 2 * sweeps) continue;
      for (int end = 0; end < 2; ++end) each.slabs[end] = ends[end] ? sweeps : 0;
      keep(each);
    }
  }
}

/// Finds the rows of tiles at other ranks' points. The last tile may have few rows of its own, and
/// those at the end lie in two rows of tiles then: all tiles start a little lower where that helps.
inline void choose_rows(TemporalPlan& plan, const Grid& grid, int sweeps, int rows,
                        const std::array<bool, 2>& ends) {
  const auto at_ends = [&](const TemporalPlan& each) {
    std::array<int, 2> out{};
    for (int tile = 0; tile < each.tiles_j; ++tile) {
      const bool first = tile == 0, last = tile == each.tiles_j - 1;
      if (first || each.border_j(tile) < grid.owned.lo[1] + sweeps) out[0] += ends[0] ? 1 : 0;
      if (last || each.border_j(tile + 1) > grid.owned.hi[1] - sweeps) out[1] += ends[1] ? 1 : 0;
    }
    return out;
  };
  const std::int64_t end = grown(grid.owned, plan.margin, grid.interior).hi[1];
  const std::int64_t spare = plan.start_j(plan.tiles_j - 1) + rows - end;
  std::array<int, 2> best = at_ends(plan);
  TemporalPlan lower = plan;
  for (int n = 1; n < sweeps && n <= spare; ++n) {
    --lower.tile_j0;
    const std::array<int, 2> its = at_ends(lower);
    if (its[0] + its[1] >= best[0] + best[1]) continue;
    best = its;
    plan.tile_j0 = lower.tile_j0;
  }
  plan.first_row = (plan.tiles_j - best[1]) % plan.tiles_j;
  plan.edge_rows = std::min(best[0] + best[1], plan.tiles_j);
}

/// Fused tiles of `rows` rows for a GPU of so many multiprocessors.
/// @param apart may whole tiles be cut at other ranks' planes, so that messages leave early?
inline TemporalPlan plan_temporal(const Grid& grid, int sweeps, int rows, std::int64_t processors,
                                  bool apart = false) {
  const Box first = grown(grid.owned, sweeps - 1, grid.interior);
  TemporalPlan plan{};
  // Rows of the boundary above and below a tile have a place of their own beside it; points of the
  // boundary left and right of it do not, nor has what the first sweep reads there.
  const std::int64_t begin_k = std::max(grid.owned.lo[2] - sweeps, grid.interior.lo[2] - 1);
  const std::int64_t end_k = std::min(grid.owned.hi[2] + sweeps, grid.interior.hi[2] + 1);
  const auto count = [](std::int64_t points, int size, int stride) {
    return points <= size ? 1 : 1 + static_cast<int>((points - size + stride - 1) / stride);
  };
  plan.tile_j0 = static_cast<int>(first.lo[1]);
  plan.tile_k0 = static_cast<int>(begin_k / 8 * 8);
  plan.margin = sweeps - 1;
  plan.stride_j = rows - 2 * plan.margin;
  plan.stride_k = temporal_stride;
  plan.tiles_j = count(first.hi[1] - plan.tile_j0, rows, plan.stride_j);
  plan.tiles_k = count(end_k - plan.tile_k0, temporal_width, plan.stride_k);
  plan.planes = static_cast<int>(grid.owned.hi[0] - grid.owned.lo[0]);
  plan.processors[0] = static_cast<int>((processors + 1) / 2);
  plan.processors[1] = static_cast<int>(processors / 2);
  const auto other = [&](int d, int end) {  // are there other ranks' points?
    return end == 0 ? grid.owned.lo[d] > grid.interior.lo[d]
                    : grid.owned.hi[d] < grid.interior.hi[d];
  };
  // Points at other ranks' in k are in all rows and planes: then nothing comes first.
  const bool along_k = other(2, 0) || other(2, 1);
  if (!along_k) choose_rows(plan, grid, sweeps, rows, {other(1, 0), other(1, 1)});
  const bool ends[] = {!along_k && other(0, 0), !along_k && other(0, 1)};
  cut_into_chunks(plan, sweeps, ends, apart);
  return plan;
}

}  // namespace memstencil::jacobi
