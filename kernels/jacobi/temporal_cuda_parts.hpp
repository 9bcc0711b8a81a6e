// The shapes of a fused sweep's tiles, the parts of a pass (tiles of j and k, cut along i), and the
// order in which blocks take them.
#pragma once

#include "kernels/portable.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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
    {"16x64/8", 4, 16, 8},
}};

inline constexpr int temporal_width = 64;
/// From one tile to the next in k: 224 bytes, so that a tile's rows start at whole sectors of 32
/// bytes. That is worth more than tiles that overlap less.
inline constexpr int temporal_stride = 56;

/// Tiles of j and k over a rank's points.
struct TemporalTiling {
  int tile_j0, tile_k0;    ///< local indices of the first tile's first row and point
  int stride_j, stride_k;  ///< from one tile to the next
  int margin;              ///< rows that sweeps lose at a tile's edge
  int tiles_j, tiles_k;

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
};

/// One block's share of a pass.
struct TemporalPart {
  int tile_j, tile_k;
  int planes[2];      ///< [from, to), counted from the first owned one
  int wave, members;  ///< parts of a wave, so many, are worked on at the same time
  bool edge;          ///< it has points nearer to another rank's than the sweeps of a pass
};

/// Parts that are alike: tiles that follow each other in each list, cut along i.
struct TemporalGroup {
  int first[2], tiles[2];  ///< in each list
  int planes[2];           ///< [from, to), counted from the first owned one
  int chunks, chunk_planes;
  int edge_chunks;  ///< at other ranks' planes; they come first
  int first_chunk;

  int parts(int list) const { return tiles[list] * chunks; }
};

/// A pass is made group by group. The tiles stand in two lists, row by row: those to the left (low
/// k) in list 0, for the multiprocessors near one half of the L2, and those to the right in list 1,
/// for the others. So what neighbouring tiles both read crosses from one half of the L2 to the
/// other once.
///
/// If other ranks have the points beyond (in i or j), the rows of tiles at them are the first of
/// each list, and in a group the parts at them come before others: so messages can leave early.
struct TemporalPlan {
  TemporalTiling tiling;
  int planes;
  int processors[2];  ///< that take from each list
  int edge_rows;      ///< rows of tiles at other ranks' points; they come first
  int first_row;
  std::vector<TemporalGroup> groups;

  /// Tiles of the first `rows` rows that are in list 0: as large a part as it has of the
  /// multiprocessors.
  int left_of(int rows) const {
    return rows * tiling.tiles_k * processors[0] / (processors[0] + processors[1]);
  }
  /// The same of list `list`.
  int listed(int list, int rows) const {
    return list == 0 ? left_of(rows) : rows * tiling.tiles_k - left_of(rows);
  }
  std::int64_t blocks() const {
    std::int64_t sum = 0;
    for (const TemporalGroup& each : groups)
      sum += std::int64_t{each.tiles[0] + each.tiles[1]} * each.chunks;
    return sum;
  }
  /// Waves of so many parts of the two lists.
  int waves_of(int list0, int list1) const {
    const int w0 = (list0 + processors[0] - 1) / processors[0];
    const int w1 = processors[1] > 0 ? (list1 + processors[1] - 1) / processors[1] : 0;
    return std::max(w0, w1);
  }
  /// Each group begins with a wave of its own: blocks of a wave keep the same pace.
  int waves_of(const TemporalGroup& group) const {
    return waves_of(group.parts(0), group.parts(1));
  }
  /// Tiles of a group's list in rows at other ranks' points: its first.
  int edge_tiles(const TemporalGroup& group, int list) const {
    return std::clamp(listed(list, edge_rows) - group.first[list], 0, group.tiles[list]);
  }
  /// Parts of a group's list at other ranks' points: its first, too.
  int edge_parts(const TemporalGroup& group, int list) const {
    const int in_rows = edge_tiles(group, list);
    return in_rows * group.chunks + (group.tiles[list] - in_rows) * group.edge_chunks;
  }
};

/// The parts of each list, in the order in which blocks take them.
struct TemporalParts {
  std::array<std::vector<TemporalPart>, 2> lists;
  std::vector<int> members;  ///< of each wave
  int edges;
};

inline TemporalParts parts_of(const TemporalPlan& plan) {
  TemporalParts out{};
  const auto add = [&](const TemporalGroup& group, int list, int from, int to, int first_wave) {
    for (int turned = 0; turned < group.chunks; ++turned)
      for (int tile = from, row = 0; tile < to; ++tile) {
        const int place = group.first[list] + tile;
        while (plan.listed(list, row + 1) <= place) ++row;
        const int chunk = (turned + group.first_chunk) % group.chunks;
        // All tiles before `from` have all their chunks before.
        const int turn = from * group.chunks + turned * (to - from) + tile - from;
        TemporalPart part{};
        part.tile_j = (row + plan.first_row) % plan.tiling.tiles_j;
        part.tile_k = place - plan.listed(list, row) +
                      (list == 0 ? 0 : plan.left_of(row + 1) - plan.left_of(row));
        part.planes[0] = group.planes[0] + chunk * group.chunk_planes;
        part.planes[1] =
            chunk == group.chunks - 1 ? group.planes[1] : part.planes[0] + group.chunk_planes;
        part.wave = first_wave + turn / plan.processors[list];
        part.edge = row < plan.edge_rows || turned < group.edge_chunks;
        ++out.members[part.wave];
        out.edges += part.edge ? 1 : 0;
        out.lists[list].push_back(part);
      }
  };
  for (const TemporalGroup& group : plan.groups) {
    const std::size_t waves = out.members.size();
    out.members.resize(waves + plan.waves_of(group));
    for (int list = 0; list < 2; ++list) {
      // All chunks of the tiles in rows at other ranks' points, then a chunk of all other tiles
      // before the next chunk.
      const int at_edges = plan.edge_tiles(group, list);
      add(group, list, 0, at_edges, static_cast<int>(waves));
      add(group, list, at_edges, group.tiles[list], static_cast<int>(waves));
    }
  }
  for (auto& list : out.lists)
    for (TemporalPart& part : list) part.members = out.members[part.wave];
  return out;
}

}  // namespace memstencil::jacobi
