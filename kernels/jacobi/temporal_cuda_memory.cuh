// Where the fused sweep keeps its data: the tile in shared memory, and a thread's place in it.
#pragma once

#include "kernels/jacobi/grid.hpp"
#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/temporal_cuda_plan.hpp"
#include "kernels/jacobi/temporal_cuda_sync.cuh"

#include <cuda.h>
#include <cuda_runtime.h>

namespace memstencil::jacobi {

/// What a launch needs to know; a kernel parameter. Boxes in local indices.
struct TemporalWork {
  CUtensorMap coefficients[array_count - 1];  // in the order of struct PointCoefficients
  CUtensorMap p;
  float* p_next;
  double* partials;    // [sweep][block]
  unsigned* progress;  // steps done by all blocks of a wave, for each wave
  int wave;            // blocks that run at a time
  std::int64_t plane_bytes;
  int pitch;
  Box interior, owned;
  TemporalPlan plan;
};

/// Sizes in shared memory, in floats. Planes of coefficients: one for each sweep and one arriving, 12
/// arrays of the tile's points each. Three planes of p before the first sweep with a frame of one point
/// (four left and right: the copy engine starts at multiples of 16 bytes). Rings of planes of p after
/// each sweep but the last, with a row above and one below the tile.
template <int Sweeps, int Warps, int Rows>
struct TileShape {
  static constexpr int sweeps = Sweeps;
  static constexpr int workers = 32 * Warps;
  static constexpr int threads = workers + 32;  // one warp more, which fetches
  static constexpr int rows_of_thread = Rows;
  static constexpr int rows = Rows * Warps;
  static constexpr int kept = Sweeps + 1;
  static constexpr int array_floats = rows * temporal_width;
  static constexpr int kept_floats = (array_count - 1) * array_floats;
  static constexpr int arriving = 3;
  static constexpr int arriving_width = temporal_width + 8;
  static constexpr int arriving_rows_floats = (rows + 2) * arriving_width;
  // The copy engine writes at multiples of 128 bytes.
  static constexpr int arriving_floats = (arriving_rows_floats + 31) / 32 * 32;
  // With two sweeps there is one barrier a step, and a plane still read may not be overwritten.
  static constexpr int ring = Sweeps == 2 ? 3 : 2;
  static constexpr int ring_floats = (rows + 2) * temporal_width;
  static constexpr int floats =
      kept * kept_floats + arriving * arriving_floats + (Sweeps - 1) * ring * ring_floats;
  static constexpr int bytes = floats * static_cast<int>(sizeof(float)) + 4 * 8;
};

template <class Shape>
struct TileShared {
  float* memory;

  __device__ __forceinline__ explicit TileShared(float4* start) : memory(reinterpret_cast<float*>(start)) {}

  /// Coefficient `array` of the kept plane at `place`.
  __device__ __forceinline__ float* coefficient(int place, int array) const {
    return memory + place + array * Shape::array_floats;
  }
  /// The plane at `place` of the ring of p after `Stage` sweeps; first the row above the tile.
  template <int Stage>
  __device__ __forceinline__ float* plane(int place) const {
    float* planes = memory + Shape::kept * Shape::kept_floats;
    if constexpr (Stage > 0)
      planes += Shape::arriving * Shape::arriving_floats + (Stage - 1) * Shape::ring * Shape::ring_floats;
    return planes + place;
  }
  /// Handshakes between the warp that fetches and those that work: what a step wants has come, and what
  /// the step before a round read is no longer needed. Two of each, for even and odd: a barrier tells
  /// apart only a round and the next, and with one barrier for all rounds the working warps, two rounds
  /// ahead of a fetching warp that is late to look, left it waiting for ever (seen on an H100).
  __device__ __forceinline__ Handshake arrived(int step) const { return {barrier(step & 1)}; }
  __device__ __forceinline__ Handshake used(int round) const { return {barrier(2 + (round & 1))}; }

  __device__ __forceinline__ unsigned barrier(int n) const {
    return static_cast<unsigned>(__cvta_generic_to_shared(memory + Shape::floats + 2 * n));
  }
};

/// Where in a ring of planes of `Floats` floats each plane is; goes on by one plane a step. No division
/// and no product: the places move.
template <int Places, int Floats>
struct Turn {
  int place[Places];

  __device__ __forceinline__ Turn() {
#pragma unroll
    for (int n = 0; n < Places; ++n) place[n] = n == 0 ? 0 : (Places - n) * Floats;
  }
  /// Place of the plane that lies `back` before the step's; one ahead is back == -1.
  template <int Back>
  __device__ __forceinline__ int at() const {
    return place[(Back + Places) % Places];
  }
  __device__ __forceinline__ void next() {
    const int oldest = place[Places - 1];
#pragma unroll
    for (int n = Places - 1; n > 0; --n) place[n] = place[n - 1];
    place[0] = oldest;
  }
};

/// A block's tile and chunk.
struct TilePlace {
  int j, k;                       // local indices of the tile's first row and point
  int own_j[2], own_k[2];         // [from, to): the points whose gosa and result this block gives
  int moving[2], counted[2];      // planes [from, to) that are not fixed, and that the block answers for
  int first_step, end_step;       // planes of the first stage
  bool fixed_above, fixed_below;  // the row beside the tile is the fixed boundary
};

template <class Shape>
__device__ __forceinline__ TilePlace place_of_block(const TemporalWork& work) {
  const TemporalPlan& plan = work.plan;
  std::int64_t tile = blockIdx.x;
  std::int64_t lo = work.owned.lo[0];
  std::int64_t hi = work.owned.hi[0];
  if (tile >= plan.whole_tiles) {
    const std::int64_t rest = plan.tiles_j * plan.tiles_k - plan.whole_tiles;
    const std::int64_t n = tile - plan.whole_tiles;
    tile = plan.whole_tiles + n % rest;
    lo += n / rest * plan.chunk_planes;
    hi = min(hi, lo + plan.chunk_planes);
  }
  const std::int64_t tj = tile / plan.tiles_k;
  const std::int64_t tk = tile % plan.tiles_k;
  constexpr int margin = Shape::sweeps - 1;
  TilePlace place;
  place.j = static_cast<int>(plan.tile_j0 + tj * plan.stride_j);
  place.k = static_cast<int>(plan.tile_k0 + tk * plan.stride_k);
  const Box& owned = work.owned;
  const bool last_j = tj == plan.tiles_j - 1;
  const bool last_k = tk == plan.tiles_k - 1;
  const std::int64_t end_j = last_j ? owned.hi[1] : min(owned.hi[1], place.j + margin + plan.stride_j);
  const std::int64_t end_k = last_k ? owned.hi[2] : min(owned.hi[2], place.k + margin + plan.stride_k);
  place.own_j[0] = tj == 0 ? static_cast<int>(owned.lo[1]) : place.j + margin;
  place.own_j[1] = static_cast<int>(end_j);
  place.own_k[0] = tk == 0 ? static_cast<int>(owned.lo[2]) : place.k + margin;
  place.own_k[1] = static_cast<int>(end_k);
  place.moving[0] = static_cast<int>(work.interior.lo[0]);
  place.moving[1] = static_cast<int>(work.interior.hi[0]);
  place.counted[0] = static_cast<int>(lo);
  place.counted[1] = static_cast<int>(hi);
  place.first_step = static_cast<int>(max(lo - margin, work.interior.lo[0] - 1));
  place.end_step = static_cast<int>(hi + margin);
  place.fixed_above = place.j - 1 < work.interior.lo[1];
  place.fixed_below = place.j + Shape::rows >= work.interior.hi[1];
  return place;
}

/// What a thread works on: two points of `rows` rows, the same for all stages.
template <class Shape>
struct ThreadPlace {
  static constexpr int rows = Shape::rows_of_thread;
  int lane, warp;
  int cell;                              // of the row above its rows, in a plane of a ring
  int arriving;                          // the same in a plane of p before the first sweep
  int beside;                            // the point left (lane 0) or right (lane 31) of the tile in that row
  bool at_edge;                          // the first or the last lane
  unsigned own_row[rows], own_point[2];  // all bits where the block answers for it
  unsigned inside;                       // bit 2*row + point: not on the fixed boundary
  unsigned offset;                       // bytes from the start of a plane to the first point, to store

  __device__ __forceinline__ ThreadPlace(const TemporalWork& work, const TilePlace& place)
      : lane(static_cast<int>(threadIdx.x % 32)), warp(static_cast<int>(threadIdx.x / 32)), inside(0) {
    cell = rows * warp * temporal_width + 2 * lane;
    arriving = rows * warp * Shape::arriving_width + 2 * lane + 4;
    beside = rows * warp * Shape::arriving_width + (lane == 31 ? temporal_width + 4 : 3);
    at_edge = lane == 0 || lane == 31;
    const int k = place.k + 2 * lane;
    for (int c = 0; c < 2; ++c) own_point[c] = k + c >= place.own_k[0] && k + c < place.own_k[1] ? ~0U : 0U;
    for (int r = 0; r < rows; ++r) {
      const int j = place.j + rows * warp + r;
      own_row[r] = j >= place.own_j[0] && j < place.own_j[1] ? ~0U : 0U;
      for (int c = 0; c < 2; ++c)
        if (j >= work.interior.lo[1] && j < work.interior.hi[1] && k + c >= work.interior.lo[2] &&
            k + c < work.interior.hi[2])
          inside |= 1U << (2 * r + c);
    }
    offset = (static_cast<unsigned>(place.j + rows * warp) * static_cast<unsigned>(work.pitch) +
              static_cast<unsigned>(k)) *
             4U;
  }
};

/// p around the point in row r (1..) and column c (1, 2) of rows [plane][row][column].
template <int Rows>
__device__ __forceinline__ Neighbours neighbours(const float (&p)[3][Rows][4], int r, int c) {
  Neighbours n;
  n.ooo = p[1][r][c];
  n.poo = p[2][r][c];
  n.opo = p[1][r + 1][c];
  n.oop = p[1][r][c + 1];
  n.moo = p[0][r][c];
  n.omo = p[1][r - 1][c];
  n.oom = p[1][r][c - 1];
  n.ppo = p[2][r + 1][c];
  n.pmo = p[2][r - 1][c];
  n.mpo = p[0][r + 1][c];
  n.mmo = p[0][r - 1][c];
  n.opp = p[1][r + 1][c + 1];
  n.omp = p[1][r - 1][c + 1];
  n.opm = p[1][r + 1][c - 1];
  n.omm = p[1][r - 1][c - 1];
  n.pop = p[2][r][c + 1];
  n.mop = p[0][r][c + 1];
  n.pom = p[2][r][c - 1];
  n.mom = p[0][r][c - 1];
  return n;
}

__device__ __forceinline__ PointCoefficients at_point(const float2 (&c)[array_count - 1], int n) {
  const auto part = [n](const float2& v) { return n == 0 ? v.x : v.y; };
  return {part(c[0]), part(c[1]), part(c[2]), part(c[3]), part(c[4]),  part(c[5]),
          part(c[6]), part(c[7]), part(c[8]), part(c[9]), part(c[10]), part(c[11])};
}

}  // namespace memstencil::jacobi
