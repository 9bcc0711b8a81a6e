// The shapes of a fused sweep's tiles, the division of a pass into tiles (j, k) and chunks (i), and
// the order in which blocks take them.
#pragma once

#include "kernels/grid/grid.hpp"
#include "kernels/portable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace memstencil::jacobi {

/// One compiled shape of the fused sweep. A block of `warps` warps, and one more that fetches,
/// marches along i with a tile of `rows` (j) by 64 points (k); a thread has two points of rows /
/// warps rows. The name is rows by points, then the warps.
struct TemporalTile {
  const char* name;
  int sweeps;
  int rows;
  int warps;
};

/// Every compiled shape; of one number of sweeps the first is the fastest on large grids.
inline constexpr std::array<TemporalTile, 3> temporal_tiles{{
    {"20x64/10", 2, 20, 10},
    {"16x64/8", 3, 16, 8},
    {"12x64/6", 4, 12, 6},
}};

inline constexpr int temporal_width = 64;
/// From one tile to the next in k: 224 bytes, so that a tile's rows start at whole sectors of 32
/// bytes. That is worth more than tiles that overlap less.
inline constexpr int temporal_stride = 56;

/// One block's share of a pass.
struct TemporalPart {
  int tile_j, tile_k;
  int chunk;   ///< along i; -1 is all planes
  int number;  ///< of all parts: where its sums go
  int wave;    ///< parts of a wave are worked on at the same time
};

/// Most tiles march through all planes; the rest, which would not fill the GPU, are cut into
/// `chunks` along i. The tiles stand in two lists, row by row: those to the left (low k) in list
/// 0, for the multiprocessors near one half of the L2, and those to the right in list 1, for the
/// others. So what neighbouring tiles both read crosses from one half of the L2 to the other
/// once. Numbers of 32 bits, because every block divides them as it starts;
/// refuse_temporal_cuda() keeps larger grids out.
struct TemporalPlan {
  int tile_j0, tile_k0;    ///< local indices of the first tile's first row and point
  int stride_j, stride_k;  ///< from one tile to the next
  int tiles_j, tiles_k;
  int processors[2];  ///< that take from each list
  int whole_tiles;
  int chunks;
  int chunk_planes;

  std::int64_t tiles() const { return std::int64_t{tiles_j} * tiles_k; }
  std::int64_t blocks() const { return whole_tiles + (tiles() - whole_tiles) * chunks; }
  /// Steps that the busiest multiprocessor takes, one block after the other: a block's are the
  /// planes it marches through, and those that fill and drain its stages.
  std::int64_t steps(std::int64_t planes, int sweeps, std::int64_t of_processors) const {
    const std::int64_t extra = 2 * sweeps + 2;
    return whole_tiles / of_processors * (planes + extra) +
           (blocks() - whole_tiles + of_processors - 1) / of_processors * (chunk_planes + extra);
  }

  /// First row and point of a tile.
  MEMSTENCIL_FUNCTION int start_j(int tile) const { return tile_j0 + tile * stride_j; }
  MEMSTENCIL_FUNCTION int start_k(int tile) const { return tile_k0 + tile * stride_k; }
  /// First point of tile `tile` > 0 that it answers for, and not the one before: in the middle of
  /// their overlap, so that both have what sweeps lose at the edges, a point each.
  MEMSTENCIL_FUNCTION int border_k(int tile) const {
    return start_k(tile) + (temporal_width - stride_k) / 2;
  }

  /// Tiles of the first `rows` rows that are in list 0: as large a part as it
  /// has of the multiprocessors.
  MEMSTENCIL_FUNCTION int left_of(int rows) const {
    return rows * tiles_k * processors[0] / (processors[0] + processors[1]);
  }
  /// The same of list `list`.
  MEMSTENCIL_FUNCTION int listed(int list, int rows) const {
    return list == 0 ? left_of(rows) : rows * tiles_k - left_of(rows);
  }
  /// Tiles of a list that are marched through whole.
  MEMSTENCIL_FUNCTION int whole(int list) const {
    return whole_tiles / (processors[0] + processors[1]) * processors[list];
  }
  MEMSTENCIL_FUNCTION int parts(int list) const {
    return whole(list) + (listed(list, tiles_j) - whole(list)) * chunks;
  }
  /// Parts in wave `wave`.
  MEMSTENCIL_FUNCTION int members(int wave) const {
    int sum = 0;
    for (int list = 0; list < 2; ++list) {
      const int left = parts(list) - wave * processors[list];
      sum += left < 0 ? 0 : left < processors[list] ? left : processors[list];
    }
    return sum;
  }
  int waves() const {
    int most = 1;
    for (int list = 0; list < 2; ++list)
      if (processors[list] > 0)
        most = std::max(most, (parts(list) + processors[list] - 1) / processors[list]);
    return most;
  }

  /// Part `turn` of a list: first its whole tiles, then all its other tiles of a
  /// chunk before the next chunk.
  MEMSTENCIL_FUNCTION TemporalPart part(int list, int turn) const {
    TemporalPart out{};
    out.number = list == 0 ? turn : parts(0) + turn;
    out.wave = turn / processors[list];
    const int first = whole(list);
    const int rest = listed(list, tiles_j) - first;
    out.chunk = turn < first ? -1 : (turn - first) / rest;
    const int place = turn < first ? turn : turn - out.chunk * rest;
    // The row whose tiles of this list begin at or before `place`: near where
    // it is if all rows are alike.
    int row = place / (listed(list, tiles_j) / tiles_j + 1);
    while (listed(list, row + 1) <= place) ++row;
    out.tile_j = row;
    out.tile_k = place - listed(list, row) + (list == 0 ? 0 : left_of(row + 1) - left_of(row));
    return out;
  }
};

/// Cuts along i so that the last wave of blocks is full too: each chunk costs the planes that fill
/// and drain its stages once more.
inline void cut_into_chunks(TemporalPlan& plan, std::int64_t planes, int sweeps,
                            std::int64_t processors) {
  std::int64_t best = -1;
  TemporalPlan each = plan;
  for (const std::int64_t whole : {plan.tiles() / processors * processors, std::int64_t{0}}) {
    for (std::int64_t chunks = 1; chunks <= std::max<std::int64_t>(1, planes / 4); ++chunks) {
      const std::int64_t chunk_planes = std::max<std::int64_t>(1, (planes + chunks - 1) / chunks);
      each.whole_tiles = static_cast<int>(whole);
      each.chunk_planes = static_cast<int>(chunk_planes);
      each.chunks = static_cast<int>((planes + chunk_planes - 1) / chunk_planes);
      const std::int64_t steps = each.steps(planes, sweeps, processors);
      if (best >= 0 && steps >= best) continue;
      best = steps;
      plan = each;
    }
  }
}

/// Fused tiles of `rows` rows for a GPU of so many multiprocessors.
inline TemporalPlan plan_temporal(const Grid& grid, int sweeps, int rows, std::int64_t processors) {
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
  plan.stride_j = rows - 2 * (sweeps - 1);
  plan.stride_k = temporal_stride;
  plan.tiles_j = count(first.hi[1] - plan.tile_j0, rows, plan.stride_j);
  plan.tiles_k = count(end_k - plan.tile_k0, temporal_width, plan.stride_k);
  plan.processors[0] = static_cast<int>((processors + 1) / 2);
  plan.processors[1] = static_cast<int>(processors / 2);
  cut_into_chunks(plan, grid.owned.hi[0] - grid.owned.lo[0], sweeps, processors);
  return plan;
}

}  // namespace memstencil::jacobi
