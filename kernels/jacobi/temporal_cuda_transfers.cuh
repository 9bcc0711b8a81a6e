// Device code of the fused sweep for data on their way: to shared memory by the copy engine, which
// the fetching warp asks ahead; from there to registers; and a block's result to other ranks.
#pragma once

#include "kernels/jacobi/temporal_cuda_memory.cuh"

namespace memstencil::jacobi {

/// The thread that fetches, for all that work. temporal_cuda_rounds.hpp says when.
template <class Shape, Layout layout>
struct Fetch {
  using March = typename Shape::March;
  const TemporalWork& work;
  const TileShared<Shape> shared;
  const TilePlace& place;

  __device__ __forceinline__ void expect(int round) const {
    const int planes_of_p = round == 0 ? 3 : 1;
    shared.arrived(March::place(round))
        .expect((Shape::slot_floats + planes_of_p * Shape::plane_floats) * 4);
  }
  __device__ __forceinline__ void coefficients(int round) const {
    const Handshake arrived = shared.arrived(March::place(round));
    const int slot = March::slot(round);
    const int i = plane_in_memory(work, place.first_step + round);
    constexpr int arrays = layout == Layout::Packed ? arrays_of_line : 1;  // that come at a time
#pragma unroll
    for (int a = 0; a < coefficient_count; a += arrays) {
      float* const to = shared.coefficient(slot, a);
      if constexpr (layout == Layout::Packed)
        arrived.copy_lines(to, work.coefficients[0], i, place.j, place.k / packed_points,
                           a / arrays);
      else
        arrived.copy(to, work.coefficients[a], i, place.j, place.k);
    }
  }
  /// p of plane `round` + 1, by the handshake of round `with`.
  __device__ __forceinline__ void p(int round, int with) const {
    shared.arrived(March::place(with))
        .copy(shared.p(March::place(round)), work.p,
              plane_in_memory(work, place.first_step + round + 1), place.j - 1, place.k);
  }

  __device__ __forceinline__ void run() const {
    const int rounds = place.end_step - place.first_step;
    for (int round = 0; round < min(rounds, March::first_rounds); ++round) {
      expect(round);
      coefficients(round);
      for (int plane = -2; round == 0 && plane <= 0; ++plane) p(plane, 0);
    }
    Pace pace(work.progress + place.wave, static_cast<unsigned>(place.members),
              static_cast<unsigned>(work.owned.hi[0] - work.owned.lo[0] + 2 * Shape::sweeps));
    for (int round = 1; round < rounds; ++round) {
      const int release = March::after(round);
      shared.released(March::place(release)).wait(static_cast<unsigned>(March::parity(release)));
      pace.keep();
      const bool all = round >= March::first_rounds;
      if (all) expect(round);
      p(round, round);
      if (all) coefficients(round);
    }
    pace.finish();
  }
};

/// A thread's two columns of the tile. A row is four points: left, two of its own, right.
template <class Shape, Layout layout>
struct TileRows {
  const TileShared<Shape> shared;
  const TilePlace place;
  const ThreadPlace<Shape, layout> me;

  __device__ __forceinline__ TileRows(const TemporalWork& work, const TileShared<Shape>& memory)
      : shared(memory), place(memory.place()), me(work, place) {}

  /// Adds the points left and right of a row from the neighbouring lanes; those beside the tile are
  /// not needed, and are whatever comes.
  __device__ __forceinline__ void widen(float (&row)[4]) const {
    if constexpr (layout == Layout::Packed) {
      row[0] = __shfl_sync(~0U, row[2], me.exchanged(me.pair - 1));
      row[3] = __shfl_sync(~0U, row[1], me.exchanged(me.pair + 1));
    } else {
      row[0] = __shfl_up_sync(~0U, row[2], 1);
      row[3] = __shfl_down_sync(~0U, row[1], 1);
    }
  }
  __device__ __forceinline__ void read(float (&row)[4], const float* plane_of_p, int r) const {
    const float2 two = *reinterpret_cast<const float2*>(plane_of_p + me.cell + r * temporal_width);
    row[1] = two.x;
    row[2] = two.y;
  }
  __device__ __forceinline__ void write(float* plane_of_p, int r, float2 two) const {
    *reinterpret_cast<float2*>(plane_of_p + me.cell + r * temporal_width) = two;
  }
  /// The coefficients of row r from a slot.
  __device__ __forceinline__ void read(float2 (&out)[coefficient_count], int slot, int r) const {
    if constexpr (layout == Layout::Packed) {
      constexpr int row = groups_of_row * arrays_of_line * packed_points;
#pragma unroll
      for (int n = 0; n < arrays_of_line; ++n) {
        const float* const at =
            shared.memory + ((slot + me.packed) ^ (n * packed_points)) + r * row;
#pragma unroll
        for (int a = n; a < coefficient_count; a += arrays_of_line)
          out[a] = *reinterpret_cast<const float2*>(at + (a - n) * Shape::array_floats);
      }
    } else {
#pragma unroll
      for (int a = 0; a < coefficient_count; ++a)
        out[a] = *reinterpret_cast<const float2*>(shared.memory + slot + a * Shape::array_floats +
                                                  me.cell + r * temporal_width);
    }
  }
};

/// Copies a block's points of a box to another rank, a row a warp and two points a lane, when all
/// its warps have stored their result: inside the march it would spill registers.
template <class Shape>
__device__ __forceinline__ void store_beside(const TemporalWork& work, const TilePlace& block,
                                             const HaloStore& store) {
  constexpr int warps = Shape::workers / 32;
  constexpr int at_once = 4;  // rows of a warp
  const auto from = [&](int d, int own) { return max(own, static_cast<int>(store.box.lo[d])); };
  const auto end = [&](int d, int own) { return min(own, static_cast<int>(store.box.hi[d])); };
  const int i = from(0, block.counted[0]), planes = end(0, block.counted[1]) - i;
  const int j = from(1, block.own_j[0]), rows_of_plane = end(1, block.own_j[1]) - j;
  const int k = from(2, block.own_k[0]) + threadIdx.x % 32, end_k = end(2, block.own_k[1]);
  if (planes <= 0 || rows_of_plane <= 0) return;
  for (int first = threadIdx.x / 32; first < planes * rows_of_plane; first += at_once * warps) {
    float values[at_once][2];
    float* to[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n) {
      const int row = min(first + n * warps, planes * rows_of_plane - 1);
      const std::int64_t di = row / rows_of_plane, dj = row % rows_of_plane;
      const char* const here = reinterpret_cast<const char*>(work.p_next) +
                               (i + di) * work.plane_bytes + (j + dj) * work.pitch * 4;
      to[n] = reinterpret_cast<float*>(store.to + (i + di - store.box.lo[0]) * store.plane +
                                       (j + dj - store.box.lo[1]) * store.row) -
              store.box.lo[2];
#pragma unroll
      for (int c = 0; c < 2; ++c)
        if (k + 32 * c < end_k) values[n][c] = reinterpret_cast<const float*>(here)[k + 32 * c];
    }
#pragma unroll
    for (int n = 0; n < at_once; ++n)
#pragma unroll
      for (int c = 0; c < 2; ++c)
        if (k + 32 * c < end_k) to[n][k + 32 * c] = values[n][c];
  }
}

/// All its boxes.
template <class Shape>
__device__ __forceinline__ void store_beside(const TemporalWork& work, const TilePlace& block) {
  for (int n = 0; n < work.store_count; ++n) store_beside<Shape>(work, block, work.stores[n]);
}

/// Counts this part, at other ranks' points, as done: all warps have stored its result, and met
/// at a barrier, so that one thread's fence is behind the stores of all.
__device__ __forceinline__ void count_edge(const TemporalWork& work) {
  __threadfence_system();
  atomicAdd_system(work.edges, 1U);
}

}  // namespace memstencil::jacobi
