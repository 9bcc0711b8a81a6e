// Rows of a tile between its block's shared memory and the registers of a thread of a fused sweep.
#pragma once

#include "kernels/jacobi/temporal_cuda_memory.cuh"

namespace memstencil::jacobi {

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

}  // namespace memstencil::jacobi
