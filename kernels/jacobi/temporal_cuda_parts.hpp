// The shapes of a fused sweep's tiles, the parts of a pass (tiles of j and k, cut along i), and the
// order in which blocks take them.
#pragma once

#include "kernels/portable.hpp"

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
  int planes[2];  ///< [from, to), counted from the first owned one
  int number;     ///< of all parts: where its sums go
  int wave;       ///< parts of a wave are worked on at the same time
  bool edge;      ///< it has points nearer to another rank's than the sweeps of a pass
};

/// Parts that are alike: tiles that follow each other in each list, cut along i.
struct TemporalGroup {
  int first[2], tiles[2];  ///< in each list
  int planes[2];           ///< [from, to), counted from the first owned one
  int chunks, chunk_planes;
  int edge_chunks;  ///< at other ranks' planes; they come first
  int first_chunk;

  MEMSTENCIL_FUNCTION int parts(int list) const { return tiles[list] * chunks; }
};

/// A pass is made group by group. The tiles stand in two lists, row by row: those to the left (low
/// k) in list 0, for the multiprocessors near one half of the L2, and those to the right in list 1,
/// for the others. So what neighbouring tiles both read crosses from one half of the L2 to the
/// other once. Numbers of 32 bits, because every block divides them as it starts;
/// refuse_temporal_cuda() keeps larger grids out.
///
/// Where other ranks have the points beyond (in i or j), the rows of tiles at them are the first of
/// each list, and in a group the parts at them come before others: so messages can leave early.
struct TemporalPlan {
  int tile_j0, tile_k0;    ///< local indices of the first tile's first row and point
  int stride_j, stride_k;  ///< from one tile to the next
  int margin;              ///< rows that sweeps lose at a tile's edge
  int tiles_j, tiles_k;
  int planes;
  int processors[2];  ///< that take from each list
  int edge_rows;      ///< rows of tiles at other ranks' points; they come first
  int first_row;
  TemporalGroup groups[5];
  int group_count;

  std::int64_t tiles() const { return std::int64_t{tiles_j} * tiles_k; }
  std::int64_t blocks() const {
    std::int64_t sum = 0;
    for (int n = 0; n < group_count; ++n)
      sum += std::int64_t{groups[n].tiles[0] + groups[n].tiles[1]} * groups[n].chunks;
    return sum;
  }

  /// First row and point of a tile.
  MEMSTENCIL_FUNCTION int start_j(int tile) const { return tile_j0 + tile * stride_j; }
  MEMSTENCIL_FUNCTION int start_k(int tile) const { return tile_k0 + tile * stride_k; }
  /// First row and point of tile `tile` > 0 that it answers for, and not the one before. In k that
  /// is in the middle of their overlap, so that both have what sweeps lose at the edges, a point
  /// each.
  MEMSTENCIL_FUNCTION int border_j(int tile) const { return start_j(tile) + margin; }
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
  MEMSTENCIL_FUNCTION int parts(int list) const {
    int sum = 0;
    for (int n = 0; n < group_count; ++n) sum += groups[n].parts(list);
    return sum;
  }
  /// Waves of so many parts of the two lists.
  MEMSTENCIL_FUNCTION int waves_of(int list0, int list1) const {
    const int w0 = (list0 + processors[0] - 1) / processors[0];
    const int w1 = processors[1] > 0 ? (list1 + processors[1] - 1) / processors[1] : 0;
    return w0 > w1 ? w0 : w1;
  }
  /// Each group begins with a wave of its own: blocks of a wave keep the same pace.
  MEMSTENCIL_FUNCTION int waves_of(const TemporalGroup& group) const {
    return waves_of(group.parts(0), group.parts(1));
  }
  int waves() const {
    int sum = 0;
    for (int n = 0; n < group_count; ++n) sum += waves_of(groups[n]);
    return sum;
  }
  /// Parts in wave `wave`.
  MEMSTENCIL_FUNCTION int members(int wave) const {
    int n = 0;
    for (; wave >= waves_of(groups[n]); ++n) wave -= waves_of(groups[n]);
    int sum = 0;
    for (int list = 0; list < 2; ++list) {
      const int left = groups[n].parts(list) - wave * processors[list];
      sum += left < 0 ? 0 : left < processors[list] ? left : processors[list];
    }
    return sum;
  }
  /// Tiles of a group's list that are in rows at other ranks' points. They are its first.
  MEMSTENCIL_FUNCTION int edge_tiles(const TemporalGroup& group, int list) const {
    const int count = listed(list, edge_rows) - group.first[list];
    return count < 0 ? 0 : count < group.tiles[list] ? count : group.tiles[list];
  }

  /// Parts of a group's list at other ranks' points: its first, too.
  MEMSTENCIL_FUNCTION int edge_parts(const TemporalGroup& group, int list) const {
    const int rows = edge_tiles(group, list);
    return rows * group.chunks + (group.tiles[list] - rows) * group.edge_chunks;
  }

  /// Part `turn` of a list. In a group come all chunks of the tiles in rows at other ranks' points,
  /// then a chunk of all other tiles before the next chunk.
  MEMSTENCIL_FUNCTION TemporalPart part(int list, int turn) const {
    TemporalPart out{};
    out.number = list == 0 ? turn : parts(0) + turn;
    int n = 0;
    for (; turn >= groups[n].parts(list); ++n) {
      turn -= groups[n].parts(list);
      out.wave += waves_of(groups[n]);
    }
    const TemporalGroup& group = groups[n];
    out.wave += turn / processors[list];
    int begin = 0, count = edge_tiles(group, list);
    if (turn >= count * group.chunks) {
      turn -= count * group.chunks;
      begin = count;
      count = group.tiles[list] - count;
    }
    const int turned = turn / count;
    const int chunk = (turned + group.first_chunk) % group.chunks;
    out.planes[0] = group.planes[0] + chunk * group.chunk_planes;
    out.planes[1] =
        chunk == group.chunks - 1 ? group.planes[1] : out.planes[0] + group.chunk_planes;
    const int place = group.first[list] + begin + turn - turned * count;
    // The row whose tiles of this list begin at or before `place`: near where
    // it is if all rows are alike.
    int row = place / (listed(list, tiles_j) / tiles_j + 1);
    while (listed(list, row + 1) <= place) ++row;
    out.edge = row < edge_rows || turned < group.edge_chunks;
    out.tile_j = (row + first_row) % tiles_j;
    out.tile_k = place - listed(list, row) + (list == 0 ? 0 : left_of(row + 1) - left_of(row));
    return out;
  }
  /// Parts at other ranks' points.
  int edges() const {
    int sum = 0;
    for (int n = 0; n < group_count; ++n)
      for (int list = 0; list < 2; ++list) sum += edge_parts(groups[n], list);
    return sum;
  }
};

}  // namespace memstencil::jacobi
