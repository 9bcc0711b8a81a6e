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

/// Most tiles march through all planes; the rest, which would not fill the GPU, are cut into
/// `chunks` along i. The tiles stand in two lists, row by row: those to the left (low k) in list
/// 0, for the multiprocessors near one half of the L2, and those to the right in list 1, for the
/// others. So what neighbouring tiles both read crosses from one half of the L2 to the other
/// once. Numbers of 32 bits, because every block divides them as it starts;
/// refuse_temporal_cuda() keeps larger grids out.
///
/// Where other ranks have the points beyond (in i or j), the rows of tiles at them are the first of
/// each list, and the chunks at them come before others: so messages can leave early. Whole tiles
/// may leave the planes next to other ranks' to slabs, which are parts of their own.
struct TemporalPlan {
  int tile_j0, tile_k0;    ///< local indices of the first tile's first row and point
  int stride_j, stride_k;  ///< from one tile to the next
  int margin;              ///< rows that sweeps lose at a tile's edge
  int tiles_j, tiles_k;
  int planes;
  int processors[2];  ///< that take from each list
  int edge_rows;      ///< rows of tiles at other ranks' points; they come first
  int first_row;
  bool cut_first;  ///< are the tiles that are cut the first in the lists, or the last?
  int whole_tiles;
  int chunks;
  int chunk_planes;
  int edge_chunks;  ///< chunks at other ranks' planes; they come first
  int first_chunk;
  int slabs[2];  ///< planes of the slab at the low and at the high end; 0: there is none

  std::int64_t tiles() const { return std::int64_t{tiles_j} * tiles_k; }
  MEMSTENCIL_FUNCTION int slabs_of_tile() const { return (slabs[0] > 0) + (slabs[1] > 0); }
  std::int64_t blocks() const {
    return whole_tiles * (1 + slabs_of_tile()) + (tiles() - whole_tiles) * chunks;
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
  /// Tiles of a list that are marched through whole, but for their slabs, and parts of the others.
  MEMSTENCIL_FUNCTION int whole(int list) const {
    return whole_tiles / (processors[0] + processors[1]) * processors[list];
  }
  MEMSTENCIL_FUNCTION int pieces(int list) const {
    return (listed(list, tiles_j) - whole(list)) * chunks;
  }
  /// Parts of a list in the first group: the tiles that are cut, or the whole ones.
  MEMSTENCIL_FUNCTION int leading(int list) const { return cut_first ? pieces(list) : whole(list); }
  MEMSTENCIL_FUNCTION int parts(int list) const {
    return whole(list) * (1 + slabs_of_tile()) + pieces(list);
  }
  /// Waves of so many parts of the two lists.
  MEMSTENCIL_FUNCTION int waves_of(int list0, int list1) const {
    const int w0 = (list0 + processors[0] - 1) / processors[0];
    const int w1 = processors[1] > 0 ? (list1 + processors[1] - 1) / processors[1] : 0;
    return w0 > w1 ? w0 : w1;
  }
  /// Each group begins with a wave of its own: blocks of a wave keep the same pace.
  MEMSTENCIL_FUNCTION int leading_waves() const { return waves_of(leading(0), leading(1)); }
  int waves() const {
    return leading_waves() + waves_of(parts(0) - leading(0), parts(1) - leading(1));
  }
  /// Parts in wave `wave`.
  MEMSTENCIL_FUNCTION int members(int wave) const {
    const int before = leading_waves();
    int sum = 0;
    for (int list = 0; list < 2; ++list) {
      const int first = leading(list);
      const int left = wave < before ? first - wave * processors[list]
                                     : parts(list) - first - (wave - before) * processors[list];
      sum += left < 0 ? 0 : left < processors[list] ? left : processors[list];
    }
    return sum;
  }

  /// Part `turn` of a list: first its whole tiles, then all its other tiles of a chunk before the
  /// next chunk; or these first, beginning with all chunks of the tiles at other ranks' points, and
  /// then the slabs of its whole tiles before what is left of them.
  MEMSTENCIL_FUNCTION TemporalPart part(int list, int turn) const {
    TemporalPart out{};
    out.number = list == 0 ? turn : parts(0) + turn;
    const int group = turn - leading(list);
    out.wave = group < 0 ? turn / processors[list] : leading_waves() + group / processors[list];
    const int cut = listed(list, tiles_j) - whole(list);
    const int first_cut = cut_first ? 0 : whole(list);
    const int piece = turn - first_cut;
    int place = 0;
    if (piece >= 0 && piece < cut * chunks) {
      int begin = 0, count = listed(list, edge_rows) - first_cut;
      count = count < 0 ? 0 : count < cut ? count : cut;
      if (piece >= count * chunks) begin = count, count = cut - count;
      const int turned = (piece - begin * chunks) / count;
      const int chunk = (turned + first_chunk) % chunks;
      place = first_cut + piece - begin * chunks - turned * count + begin;
      out.planes[0] = chunk * chunk_planes;
      out.planes[1] = chunk == chunks - 1 ? planes : out.planes[0] + chunk_planes;
      out.edge = turned < edge_chunks;
    } else {
      const int n = cut_first ? group : turn;  // of the slabs and what is left
      const int share = whole(list) > 0 ? n / whole(list) : 0;
      const bool slab = share < slabs_of_tile(), low = share == 0 && slabs[0] > 0;
      out.planes[0] = slab && low ? 0 : slab ? planes - slabs[1] : slabs[0];
      out.planes[1] = slab && low ? slabs[0] : slab ? planes : planes - slabs[1];
      out.edge = slab || (edge_chunks > 0 && slabs_of_tile() == 0);
      place = n - share * whole(list) + (cut_first ? cut : 0);
    }
    // The row whose tiles of this list begin at or before `place`: near where
    // it is if all rows are alike.
    int row = place / (listed(list, tiles_j) / tiles_j + 1);
    while (listed(list, row + 1) <= place) ++row;
    out.edge = out.edge || row < edge_rows;
    out.tile_j = (row + first_row) % tiles_j;
    out.tile_k = place - listed(list, row) + (list == 0 ? 0 : left_of(row + 1) - left_of(row));
    return out;
  }
  /// Parts at other ranks' points.
  int edges() const {
    int sum = 0;
    for (int list = 0; list < 2 && edge_rows + edge_chunks > 0; ++list)
      for (int turn = 0; turn < parts(list); ++turn) sum += part(list, turn).edge ? 1 : 0;
    return sum;
  }
};

}  // namespace memstencil::jacobi
