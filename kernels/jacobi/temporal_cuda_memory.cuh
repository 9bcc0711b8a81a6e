// Where the fused sweep keeps its data: the tile in shared memory, and a thread's place in it.
#pragma once

#include "kernels/jacobi/grid.hpp"
#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/temporal_cuda_plan.hpp"

#include <cuda_runtime.h>

namespace memstencil::jacobi {

/// What a launch needs to know; a kernel parameter. Box and extents in local indices.
struct TemporalWork {
  const float* coefficients[array_count - 1];  // in the order of struct PointCoefficients
  const float* p;
  float* p_next;
  double* partials;  // [sweep][block]
  std::int64_t plane_bytes;
  int extents[3], pitch;
  Box interior, owned;
  TemporalPlan plan;
};

/// Sizes in shared memory. Coefficients: `Slots` planes of 12 arrays, a float4 a thread. Then a ring
/// of planes of p before the first sweep (three in use, one arriving) with the points left and right
/// of the tile, and a ring for each sweep but the last. A plane has a row above and one below the tile.
template <int Sweeps, int Warps, int Slots>
struct TileShape {
  static constexpr int sweeps = Sweeps;
  static constexpr int warps = Warps;
  static constexpr int threads = 32 * Warps;
  static constexpr int rows = 2 * Warps;
  static constexpr int slots = Slots;
  static constexpr int slot_vectors = (array_count - 1) * threads;
  static constexpr int plane_floats = (rows + 2) * temporal_width;
  static constexpr int edge_floats = (rows + 2) * 2;
  // With two sweeps there is one barrier a step, and a plane still read may not be overwritten.
  static constexpr int ring = Sweeps == 2 ? 4 : 3;
  // A quarter of the processor has 512 registers a lane for a quarter of the warps, rounded up.
  static constexpr bool keeps_behind = Warps <= 12;
  static constexpr int bytes =
      (Slots * slot_vectors * 4 + 4 * plane_floats + (Sweeps - 1) * ring * plane_floats + 4 * edge_floats) *
      static_cast<int>(sizeof(float));
};

template <class Shape>
struct TileShared {
  float4* memory;

  __device__ __forceinline__ explicit TileShared(float4* start) : memory(start) {}

  /// Coefficient `array` of one kept plane: a float4 for each thread, private to it.
  __device__ __forceinline__ float4* slot(int slot, int array) const {
    return memory + slot * Shape::slot_vectors + array * Shape::threads;
  }
  /// Row (0 is the one above the tile) of a plane in the ring of p after `Stage` sweeps.
  template <int Stage>
  __device__ __forceinline__ float2* row(int slot, int row) const {
    float* planes = reinterpret_cast<float*>(memory + Shape::slots * Shape::slot_vectors);
    if constexpr (Stage > 0) planes += (4 + (Stage - 1) * Shape::ring) * Shape::plane_floats;
    return reinterpret_cast<float2*>(planes + slot * Shape::plane_floats + row * temporal_width);
  }
  /// Points left and right of each row in a plane of the ring of p before the first sweep.
  __device__ __forceinline__ float* edges(int slot) const {
    float* planes = reinterpret_cast<float*>(memory + Shape::slots * Shape::slot_vectors);
    return planes + (4 + (Shape::sweeps - 1) * Shape::ring) * Shape::plane_floats + slot * Shape::edge_floats;
  }
};

/// Which place of a ring holds which plane; goes on by one plane a step. No division: the places move.
template <int Places>
struct Turn {
  int place[Places];

  __device__ __forceinline__ Turn() {
#pragma unroll
    for (int n = 0; n < Places; ++n) place[n] = n == 0 ? 0 : Places - n;
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
  int j, k;  // local indices of the tile's first row and point
  bool last_j, last_k;
  Box own;                    // the points whose gosa and result this block gives
  int moving[2], counted[2];  // planes [from, to) that are not fixed, and that the block answers for
  int first_step, end_step;
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
  place.last_j = tj == plan.tiles_j - 1;
  place.last_k = tk == plan.tiles_k - 1;
  const Box& owned = work.owned;
  place.own.lo[0] = lo;
  place.own.hi[0] = hi;
  place.own.lo[1] = tj == 0 ? owned.lo[1] : place.j + margin;
  place.own.hi[1] = place.last_j ? owned.hi[1] : min(owned.hi[1], place.j + margin + plan.stride_j);
  place.own.lo[2] = tk == 0 ? owned.lo[2] : place.k + margin;
  place.own.hi[2] = place.last_k ? owned.hi[2] : min(owned.hi[2], place.k + margin + plan.stride_k);
  for (int n = 0; n < 2; ++n) {
    place.moving[n] = static_cast<int>(n == 0 ? work.interior.lo[0] : work.interior.hi[0]);
    place.counted[n] = static_cast<int>(n == 0 ? lo : hi);
  }
  place.first_step = static_cast<int>(max(lo - margin, work.interior.lo[0] - 1));
  place.end_step = static_cast<int>(hi + margin);
  place.fixed_above = place.j - 1 < work.interior.lo[1];
  place.fixed_below = place.j + Shape::rows >= work.interior.hi[1];
  return place;
}

/// Asynchronous copy of `Bytes` (4 or 16) into shared memory.
template <int Bytes>
__device__ __forceinline__ void copy_async(void* to, const void* from) {
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(target), "l"(from) : "memory");
  }
}

template <int Pending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

/// What a thread works on: two points of two rows, the same for all stages. Where the tile reaches
/// beyond the arrays, what it loads comes from the nearest place inside: those points never change,
/// and no point that counts reads them.
template <class Shape>
struct ThreadPlace {
  int lane, warp;
  unsigned offset[2];                   // bytes from the start of a plane to the first point of both rows
  unsigned own_row[2], own_point[2];    // all bits where the block answers for it
  unsigned inside;                      // bit 2*row + point: not on the fixed boundary
  unsigned fetch_from[2], fetch_to[2];  // what it copies of each plane of p: bytes in the plane; floats

  __device__ __forceinline__ ThreadPlace(const TemporalWork& work, const TilePlace& place)
      : lane(static_cast<int>(threadIdx.x % 32)), warp(static_cast<int>(threadIdx.x / 32)), inside(0) {
    const int k = place.k + 2 * lane;
    for (int n = 0; n < 2; ++n) {
      const int j = place.j + 2 * warp + n;
      offset[n] = bytes_to(work, j, min(k, work.pitch - 2));
      own_row[n] = j >= place.own.lo[1] && j < place.own.hi[1] ? ~0U : 0U;
      own_point[n] = k + n >= place.own.lo[2] && k + n < place.own.hi[2] ? ~0U : 0U;
      for (int c = 0; c < 2; ++c)
        if (j >= work.interior.lo[1] && j < work.interior.hi[1] && k + c >= work.interior.lo[2] &&
            k + c < work.interior.hi[2])
          inside |= 1U << (2 * n + c);
    }
    choose_fetch(work, place);
  }

  __device__ __forceinline__ static unsigned bytes_to(const TemporalWork& work, int j, int k) {
    const int row = max(0, min(j, work.extents[1] - 1));
    return (static_cast<unsigned>(row) * static_cast<unsigned>(work.pitch) + static_cast<unsigned>(k)) * 4U;
  }

  /// First 16 bytes of one of its warp's two rows; then, the first warp, the rows beside the tile, and
  /// the next threads one point each left or right of the tile.
  __device__ __forceinline__ void choose_fetch(const TemporalWork& work, const TilePlace& place) {
    const int part = lane % 16 * 4;
    const int k = min(place.k + part, work.pitch - 4);
    const int row = 2 * warp + 1 + lane / 16;
    fetch_from[0] = bytes_to(work, place.j - 1 + row, k);
    fetch_to[0] = static_cast<unsigned>(row * temporal_width + part);
    if (warp == 0) {
      const int beside = lane / 16 * (Shape::rows + 1);
      fetch_from[1] = bytes_to(work, place.j - 1 + beside, k);
      fetch_to[1] = static_cast<unsigned>(beside * temporal_width + part);
    } else {
      const int n = static_cast<int>(threadIdx.x) - 32;
      const int beside = n % 2 == 0 ? place.k - 1 : place.k + temporal_width;
      fetch_from[1] = bytes_to(work, place.j - 1 + n / 2, max(0, min(beside, work.extents[2] - 1)));
      fetch_to[1] = static_cast<unsigned>(n);
    }
  }

  /// Starts this thread's part of the copy of a plane of p to a place of the ring.
  __device__ __forceinline__ void fetch_plane(const TileShared<Shape>& shared, int slot,
                                              const char* plane) const {
    float* rows = reinterpret_cast<float*>(shared.template row<0>(slot, 0));
    copy_async<16>(rows + fetch_to[0], plane + fetch_from[0]);
    if (warp == 0) {
      copy_async<16>(rows + fetch_to[1], plane + fetch_from[1]);
    } else if (fetch_to[1] < Shape::edge_floats) {
      copy_async<4>(shared.edges(slot) + fetch_to[1], plane + fetch_from[1]);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
};

/// p around the point in row r (1, 2) and column c (1, 2) of rows [plane][row][column].
__device__ __forceinline__ Neighbours neighbours(const float (&p)[3][4][4], int r, int c) {
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

__device__ __forceinline__ float part(const float4& v, int n) {
  return n == 0 ? v.x : n == 1 ? v.y : n == 2 ? v.z : v.w;
}

__device__ __forceinline__ PointCoefficients at_point(const float4 (&c)[array_count - 1], int n) {
  return {part(c[0], n), part(c[1], n), part(c[2], n), part(c[3], n), part(c[4], n),  part(c[5], n),
          part(c[6], n), part(c[7], n), part(c[8], n), part(c[9], n), part(c[10], n), part(c[11], n)};
}

}  // namespace memstencil::jacobi
