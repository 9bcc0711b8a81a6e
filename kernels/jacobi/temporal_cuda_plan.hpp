// Cutting a pass into the parts of a fused sweep: how many, and which come first.
#pragma once

#include "kernels/grid/grid.hpp"
#include "kernels/grid/sweep.hpp"
#include "kernels/jacobi/temporal_cuda_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace memstencil::jacobi {

/// Steps that the busiest multiprocessor takes, one wave after the other: a block's are the planes
/// it marches through, and those that fill and drain its stages.
struct TemporalSteps {
  std::int64_t all = 0,
               edges = 0;  ///< of the pass, and till the last part at other ranks' points has ended
  double shared = 0;       ///< if every multiprocessor took equally many

  TemporalSteps(const TemporalPlan& plan, int sweeps) {
    const int processors = plan.processors[0] + plan.processors[1];
    for (const TemporalGroup& group : plan.groups) {
      const std::int64_t before = all, steps = group.chunk_planes + 2 * sweeps + 2;
      shared += static_cast<double>(steps * (group.parts(0) + group.parts(1))) / processors;
      // In the end multiprocessors whose list is empty take from the other.
      all += steps * (&group != &plan.groups.back()
                          ? plan.waves_of(group)
                          : (group.parts(0) + group.parts(1) + processors - 1) / processors);
      const int at_edges[] = {plan.edge_parts(group, 0), plan.edge_parts(group, 1)};
      if (at_edges[0] + at_edges[1] > 0)
        edges = std::min(all, before + steps * plan.waves_of(at_edges[0], at_edges[1]));
    }
  }
};

/// Does a pass make the points that other ranks get clearly before its end?
inline bool edges_early(const TemporalSteps& steps) {
  return steps.edges > 0 && 10 * steps.edges < 9 * steps.all;
}

/// What a pass of `rows` rows a tile takes between GPUs of a node, in steps of a row (0.12 us on an
/// H100): its steps, and signals that wait for its end, or edges that come first
/// (docs/lab/many-gpus.md).
inline double cost_of_pass(const TemporalSteps& steps, int rows) {
  constexpr double beside = 1.03, in_turns = 75;
  const double sweeps = rows * (static_cast<double>(steps.all) + steps.shared) / 2;
  return edges_early(steps) ? beside * sweeps : sweeps + in_turns;
}

/// Are there other ranks' points at the low and at the high end of a direction?
using TemporalEnds = std::array<bool, 2>;

/// Cuts the group's planes into about `chunks` chunks, and adds it to the plan unless it is empty.
inline void add_group(TemporalPlan& plan, TemporalGroup group, int chunks, int sweeps,
                      const TemporalEnds& ends) {
  if (group.tiles[0] + group.tiles[1] == 0) return;
  const int planes = group.planes[1] - group.planes[0];
  group.chunk_planes = std::max(1, (planes + chunks - 1) / chunks);
  group.chunks = (planes + group.chunk_planes - 1) / group.chunk_planes;
  const auto chunks_of = [&](int end) {  // that hold the `sweeps` planes at it
    return std::min(group.chunks, (sweeps + end + group.chunk_planes - 1) / group.chunk_planes);
  };
  const int high = ends[1] ? chunks_of(group.chunks * group.chunk_planes - planes) : 0;
  group.first_chunk = (group.chunks - high) % group.chunks;
  group.edge_chunks = std::min(group.chunks, high + (ends[0] ? chunks_of(0) : 0));
  plan.groups.push_back(group);
}

/// Adds groups for the tiles and planes of `left` in each way that may be the best: as many tiles
/// in a few chunks as fill whole waves, and the others in chunks that make the last wave full too.
/// Each chunk costs the planes that fill and drain its stages once more.
/// @param many may the first have more than one chunk, and come second?
template <class Keep>
void cut_tiles(const TemporalPlan& plan, const TemporalGroup& left, int sweeps,
               const TemporalEnds& ends, bool many, const Keep& keep) {
  const int planes = left.planes[1] - left.planes[0];
  const int most = std::max(1, std::min(planes / 4, 4 * (plan.processors[0] + plan.processors[1])));
  for (const int few : {1, 0, 2, 3, 4}) {
    if (few > 1 && !many) continue;
    TemporalGroup in_waves = left, others = left;
    int waves = std::numeric_limits<int>::max();
    for (int list = 0; list < 2; ++list)
      if (plan.processors[list] > 0)
        waves = std::min(waves, left.tiles[list] * few / plan.processors[list]);
    for (int list = 0; list < 2; ++list) {
      in_waves.tiles[list] = few > 0 ? waves * plan.processors[list] / few : 0;
      others.tiles[list] -= in_waves.tiles[list];
    }
    for (int chunks = 1; chunks <= most; ++chunks) {
      const auto try_order = [&](const TemporalGroup& first, int its_chunks, TemporalGroup second,
                                 int chunks_of_second) {
        TemporalPlan each = plan;
        for (int list = 0; list < 2; ++list) second.first[list] += first.tiles[list];
        add_group(each, first, its_chunks, sweeps, ends);
        add_group(each, second, chunks_of_second, sweeps, ends);
        keep(each);
      };
      try_order(in_waves, few, others, chunks);
      if (many) try_order(others, chunks, in_waves, few);
    }
  }
}

/// Gives the points at other ranks' groups of their own: the rows of j in as many chunks as make
/// one wave, and slabs of i of all other tiles. `left` gets what remains.
inline void set_edges_apart(TemporalPlan& plan, TemporalGroup& left, int sweeps,
                            const TemporalEnds& ends) {
  if (plan.edge_rows > 0) {
    TemporalGroup rows = left;
    int chunks = std::max(1, plan.planes / 4);
    for (int list = 0; list < 2; ++list) {
      rows.tiles[list] = left.first[list] = plan.listed(list, plan.edge_rows);
      left.tiles[list] -= rows.tiles[list];
      if (rows.tiles[list] > 0) chunks = std::min(chunks, plan.processors[list] / rows.tiles[list]);
    }
    add_group(plan, rows, std::max(1, chunks), sweeps, {});
  }
  for (const std::size_t end : {0U, 1U})
    if (ends[end]) {
      TemporalGroup slab = left;
      left.planes[end] += end == 0 ? sweeps : -sweeps;
      slab.planes[1 - end] = left.planes[end];
      add_group(plan, slab, 1, sweeps, ends);
    }
}

/// Finds the groups of a pass.
/// @param slow_steps time of slow messages, in steps; plans are judged by it and a quarter of it
inline void choose_groups(TemporalPlan& plan, int sweeps, const TemporalEnds& ends,
                          EdgesFirst edges_first, std::int64_t slow_steps) {
  std::int64_t best = -1;
  const TemporalPlan none = plan;
  const auto keep = [&](const TemporalPlan& each) {
    const TemporalSteps steps(each, sweeps);
    const auto period = [&](std::int64_t of_messages) {
      return std::max(steps.all, steps.edges + of_messages);
    };
    // Messages can leave earlier from a plan of a few steps more: worth it if that is much.
    const std::int64_t weight = edges_first == EdgesFirst::No ? 4096 : 8;
    const std::int64_t cost = weight * (period(slow_steps) + period(slow_steps / 4)) + steps.edges;
    if (best >= 0 && cost >= best) return;
    best = cost;
    plan = each;
  };
  TemporalGroup all{};
  for (int list = 0; list < 2; ++list) all.tiles[list] = plan.listed(list, plan.tiling.tiles_j);
  all.planes[1] = plan.planes;
  const bool along_i = ends[0] || ends[1], at_ranks = plan.edge_rows > 0 || along_i;
  cut_tiles(none, all, sweeps, ends, at_ranks, keep);
  if (!at_ranks || edges_first == EdgesFirst::No || (along_i && plan.planes <= 2 * sweeps)) return;
  TemporalPlan apart = none;
  set_edges_apart(apart, all, sweeps, ends);
  cut_tiles(apart, all, sweeps, {}, true, keep);
}

/// Finds the rows of tiles at other ranks' points. The last tile may have few rows of its own, and
/// those at the end lie in two rows of tiles then: all tiles start a little lower if that helps.
inline void choose_rows(TemporalPlan& plan, const Grid& grid, int sweeps, int rows,
                        const TemporalEnds& ends) {
  const auto at_ends = [&](const TemporalTiling& each) {
    std::array<int, 2> out{};
    for (int tile = 0; tile < each.tiles_j; ++tile) {
      const bool first = tile == 0, last = tile == each.tiles_j - 1;
      if (first || each.border_j(tile) < grid.owned.lo[1] + sweeps) out[0] += ends[0] ? 1 : 0;
      if (last || each.border_j(tile + 1) > grid.owned.hi[1] - sweeps) out[1] += ends[1] ? 1 : 0;
    }
    return out;
  };
  const std::int64_t end = grown(grid.owned, plan.tiling.margin, grid.interior).hi[1];
  const std::int64_t spare = plan.tiling.start_j(plan.tiling.tiles_j - 1) + rows - end;
  std::array<int, 2> best = at_ends(plan.tiling);
  TemporalTiling lower = plan.tiling;
  for (int n = 1; n < sweeps && n <= spare; ++n) {
    --lower.tile_j0;
    const std::array<int, 2> its = at_ends(lower);
    if (its[0] + its[1] >= best[0] + best[1]) continue;
    best = its;
    plan.tiling.tile_j0 = lower.tile_j0;
  }
  plan.first_row = (plan.tiling.tiles_j - best[1]) % plan.tiling.tiles_j;
  plan.edge_rows = std::min(best[0] + best[1], plan.tiling.tiles_j);
}

/// Fused tiles of `rows` rows for a GPU of `processors` multiprocessors.
inline TemporalPlan plan_temporal(const Grid& grid, int sweeps, int rows, std::int64_t processors,
                                  EdgesFirst edges_first = EdgesFirst::No) {
  const Box first = grown(grid.owned, sweeps - 1, grid.interior);
  TemporalPlan plan{};
  TemporalTiling& tiling = plan.tiling;
  // Rows of the boundary above and below a tile have a place of their own beside it; points of the
  // boundary left and right of it do not, nor has what the first sweep reads there.
  const std::int64_t begin_k = std::max(grid.owned.lo[2] - sweeps, grid.interior.lo[2] - 1);
  const std::int64_t end_k = std::min(grid.owned.hi[2] + sweeps, grid.interior.hi[2] + 1);
  const auto count = [](std::int64_t points, int size, int stride) {
    return points <= size ? 1 : 1 + static_cast<int>((points - size + stride - 1) / stride);
  };
  tiling.tile_j0 = static_cast<int>(first.lo[1]);
  tiling.tile_k0 = static_cast<int>(begin_k / 8 * 8);
  tiling.margin = sweeps - 1;
  tiling.stride_j = rows - 2 * tiling.margin;
  tiling.stride_k = temporal_stride;
  tiling.tiles_j = count(first.hi[1] - tiling.tile_j0, rows, tiling.stride_j);
  tiling.tiles_k = count(end_k - tiling.tile_k0, temporal_width, tiling.stride_k);
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
  const TemporalEnds ends{!along_k && other(0, 0), !along_k && other(0, 1)};
  // Points that staged messages carry while a pass makes a step (docs/lab/many-gpus.md).
  constexpr std::int64_t points_a_step = 2000;
  const std::int64_t lines =
      (ends[0] + ends[1]) * grid.extents[1] + (other(1, 0) + other(1, 1)) * grid.extents[0];
  const std::int64_t slow_steps =
      edges_first == EdgesFirst::Soonest ? sweeps * lines * grid.extents[2] / points_a_step : 0;
  choose_groups(plan, sweeps, ends, edges_first, slow_steps);
  return plan;
}

}  // namespace memstencil::jacobi
