// The fused sweep's data: the tile in shared memory, and a thread's place in it.
#pragma once

#include "kernels/grid/sweep.hpp"
#include "kernels/jacobi/arrays.hpp"
#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/temporal_cuda_parts.hpp"
#include "kernels/jacobi/temporal_cuda_rounds.hpp"
#include "kernels/jacobi/temporal_cuda_sync.cuh"

#include <cuda.h>
#include <cuda_runtime.h>

namespace memstencil::jacobi {

/// The most boxes that a pass stores for other ranks: all around one, if k is not divided.
inline constexpr int most_temporal_stores = 8;

/// The parameters of a launch, passed to the kernel. Boxes in local indices.
struct TemporalWork {
  CUtensorMap coefficients[coefficient_count];  // in the order of ArrayId; packed, one map of all
  CUtensorMap p;
  float* p_next;
  double* partials;     // [sweep][part]
  int* turns;           // two: how many parts of each list are taken
  unsigned* progress;   // steps done by all blocks of a wave, for each wave
  unsigned* edges;      // parts at other ranks' points that have stored their result, of all passes
  unsigned list_of[8];  // bit n: the list that multiprocessor n takes from
  std::int64_t plane_bytes;
  int pitch;
  int first_plane;  // local index of the plan's first owned plane; of `owned` it may be another
  int ring_first, ring_planes;  // PlaneRing; without a ring it never ends
  char* ring_end;               // of p_next
  Box interior, owned;
  TemporalTiling tiling;
  const TemporalPart* parts;  // of list 0, then of list 1
  int parts_of_list[2];
  HaloStore stores[most_temporal_stores];
  int store_count;
};

/// A block's tile and chunk.
struct TilePlace {
  int j, k;                // local indices of the tile's first row and point
  int own_j[2], own_k[2];  // [from, to): the points whose gosa and result this block gives
  int moving[2],
      counted[2];            // planes [from, to) that are not fixed, and that the block answers for
  int first_step, end_step;  // planes of the first stage
  bool fixed_above, fixed_below;  // the row beside the tile is the fixed boundary
  int number, wave, members;      // of this part among all, its wave, and the parts of that
  bool edge;                      // it has points at other ranks'
};

/// Sizes in shared memory, in floats: slots of coefficients, 12 arrays of the tile's points
/// each (packed, three blocks of lines); places of p before the first sweep, with a row above and
/// one below the tile; and p after each sweep but the last.
template <int Sweeps, int Warps, int Rows>
struct TileShape {
  using March = Rounds<Sweeps>;
  static constexpr int sweeps = Sweeps;
  static constexpr int workers = 32 * Warps;
  // One warp more fetches. If the working warps are whole warpgroups it stands in one of its
  // own, which gives its registers to them.
  static constexpr bool lends_registers = Warps % 4 == 0;
  static constexpr int threads = workers + (lends_registers ? 128 : 32);
  static constexpr int rows_of_thread = Rows;
  static constexpr int rows = Rows * Warps;
  static constexpr int array_floats = rows * temporal_width;
  static constexpr int slot_floats = coefficient_count * array_floats;
  static constexpr int plane_floats = (rows + 2) * temporal_width;
  // A result is read before the next but one barrier between stages, and written again
  // after that; with two sweeps there is one such barrier a step, and a plane still
  // read may not be overwritten.
  static constexpr int results = Sweeps == 2 ? March::places : 1;
  static constexpr int floats =
      March::slots * slot_floats + (March::places + (Sweeps - 1) * results) * plane_floats;
  static constexpr int bytes = floats * static_cast<int>(sizeof(float)) + 2 * March::places * 8 +
                               static_cast<int>(sizeof(TilePlace));
};

template <class Shape>
struct TileShared {
  using March = typename Shape::March;
  float* memory;

  __device__ __forceinline__ explicit TileShared(float4* start)
      : memory(reinterpret_cast<float*>(start)) {}

  /// Coefficient `array` in slot `slot`; packed, the lines that begin with it.
  __device__ __forceinline__ float* coefficient(int slot, int array) const {
    return memory + slot * Shape::slot_floats + array * Shape::array_floats;
  }
  /// A plane of p before the first sweep; first the row above the tile.
  __device__ __forceinline__ float* p(int place) const {
    return memory + March::slots * Shape::slot_floats + place * Shape::plane_floats;
  }
  /// The values of p that `Stage` computed in a step; first the row above the tile.
  template <int Stage>
  __device__ __forceinline__ float* result(int place) const {
    return p(March::places + Stage * Shape::results + place % Shape::results);
  }
  /// Completed when the data of round n have arrived.
  __device__ __forceinline__ Handshake arrived(int place) const { return {barrier(place)}; }
  /// Completed when the data of release n are no longer read.
  __device__ __forceinline__ Handshake released(int place) const {
    return {barrier(March::places + place)};
  }

  __device__ __forceinline__ TilePlace& place() const {
    return *reinterpret_cast<TilePlace*>(memory + Shape::floats + 4 * March::places);
  }

  __device__ __forceinline__ unsigned barrier(int n) const {
    return static_cast<unsigned>(__cvta_generic_to_shared(memory + Shape::floats + 2 * n));
  }
};

/// Where a local plane lies.
__device__ __forceinline__ int plane_in_memory(const TemporalWork& work, int plane) {
  const int at = work.ring_first + plane;
  return at >= work.ring_planes ? at - work.ring_planes : at;
}

/// The number of the next part of the list of this multiprocessor, or of the other when that is at
/// its end: there are as many blocks as parts.
__device__ __forceinline__ int take_part(const TemporalWork& work) {
  unsigned processor = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(processor));
  int list = static_cast<int>(work.list_of[processor / 32 % 8] >> processor % 32 & 1U);
  int turn = atomicAdd(work.turns + list, 1);
  if (turn >= work.parts_of_list[list]) {
    list = 1 - list;
    turn = atomicAdd(work.turns + list, 1);
  }
  return list == 0 ? turn : work.parts_of_list[0] + turn;
}

template <class Shape>
__device__ __forceinline__ TilePlace place_of(const TemporalWork& work, int number) {
  const TemporalTiling& tiling = work.tiling;
  const TemporalPart part = work.parts[number];
  const auto local = [](std::int64_t index) { return static_cast<int>(index); };
  const int end_j = local(work.owned.hi[1]);
  const int end_k = local(work.owned.hi[2]);
  TilePlace place;
  place.j = tiling.start_j(part.tile_j);
  place.k = tiling.start_k(part.tile_k);
  place.own_j[0] = part.tile_j == 0 ? local(work.owned.lo[1]) : tiling.border_j(part.tile_j);
  place.own_j[1] =
      part.tile_j == tiling.tiles_j - 1 ? end_j : min(end_j, tiling.border_j(part.tile_j + 1));
  place.own_k[0] = part.tile_k == 0 ? local(work.owned.lo[2]) : tiling.border_k(part.tile_k);
  place.own_k[1] =
      part.tile_k == tiling.tiles_k - 1 ? end_k : min(end_k, tiling.border_k(part.tile_k + 1));
  place.moving[0] = local(work.interior.lo[0]);
  place.moving[1] = local(work.interior.hi[0]);
  for (int end = 0; end < 2; ++end)
    place.counted[end] = min(max(work.first_plane + part.planes[end], local(work.owned.lo[0])),
                             local(work.owned.hi[0]));
  place.first_step = max(place.counted[0] - tiling.margin, place.moving[0] - 1);
  place.end_step = place.counted[1] + tiling.margin;
  place.fixed_above = place.j - 1 < work.interior.lo[1];
  place.fixed_below = place.j + Shape::rows >= work.interior.hi[1];
  place.number = number;
  place.wave = part.wave;
  place.members = part.members;
  place.edge = part.edge;
  return place;
}

/// All bits if it is true: a condition that an instruction of logic
/// can apply to a number's bits.
__device__ __forceinline__ unsigned mask_of(bool condition) { return condition ? ~0U : 0U; }

/// Packed coefficients come in lines of 128 bytes: four arrays of a group of eight points.
inline constexpr int arrays_of_line = 4;
inline constexpr int groups_of_row = temporal_width / packed_points;

/// The points of a thread: two points of `rows` rows, the same for all stages. Lane l has pair l of
/// a row. If coefficients are packed every other four lanes change places with those sixteen
/// on: each half of a warp, which reads shared memory at a time, then has groups of points whose
/// pieces of a coefficient, and of p, lie in different banks.
template <class Shape, Layout layout>
struct ThreadPlace {
  static constexpr int rows = Shape::rows_of_thread;
  int lane, warp;
  int pair;                  // its points are 2 pair and the next
  int cell;                  // of its first row's first point in a plane of p without margins
  int packed;                // the same in a slot of packed coefficients
  unsigned own[rows][2];     // mask: the block answers for the point
  unsigned inside[rows][2];  // mask: not on the fixed boundary

  __device__ __forceinline__ ThreadPlace(const TemporalWork& work, const TilePlace& place)
      : lane(static_cast<int>(threadIdx.x % 32)),
        warp(static_cast<int>(threadIdx.x / 32)),
        pair(exchanged(lane)) {
    cell = rows * warp * temporal_width + 2 * pair;
    packed = packed_cell();
    const auto within = [](int n, std::int64_t lo, std::int64_t hi) { return n >= lo && n < hi; };
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < 2; ++c) {
        const int j = place.j + rows * warp + r;
        const int k = place.k + 2 * pair + c;
        own[r][c] = mask_of(within(j, place.own_j[0], place.own_j[1]) &&
                            within(k, place.own_k[0], place.own_k[1]));
        inside[r][c] = mask_of(within(j, work.interior.lo[1], work.interior.hi[1]) &&
                               within(k, work.interior.lo[2], work.interior.hi[2]));
      }
  }

  /// The pair of a lane, and the lane of a pair.
  __device__ __forceinline__ static int exchanged(int n) {
    return layout == Layout::Packed ? n ^ ((n & 4) << 2) : n;
  }
  /// A row's groups of eight points have a line of 128 bytes each of every four arrays. The copy
  /// engine changes the places of the line's pieces of 16 bytes by the number of the line
  /// (swizzle).
  __device__ __forceinline__ int packed_cell() const {
    const int group = pair / 4;
    const int piece = pair / 2 % 2;  // of the first array's two
    return (rows * warp * groups_of_row + group) * 32 + (piece ^ group) * 4 + pair % 2 * 2;
  }
};

/// p around the point in row r (1..) and column c (1, 2) of the rows [row][column] of three planes.
template <int Rows>
__device__ __forceinline__ Neighbours neighbours(const float (&behind)[Rows][4],
                                                 const float (&here)[Rows][4],
                                                 const float (&front)[Rows][4], int r, int c) {
  return neighbours_of([&](int di, int dj, int dk) {
    return (di < 0 ? behind : di == 0 ? here : front)[r + dj][c + dk];
  });
}

__device__ __forceinline__ PointCoefficients at_point(const float2 (&c)[coefficient_count], int n) {
  const auto part = [n](const float2& v) { return n == 0 ? v.x : v.y; };
  return point_coefficients([&](int a) { return part(c[a]); });
}

}  // namespace memstencil::jacobi
