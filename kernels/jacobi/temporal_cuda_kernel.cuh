// Device code of the fused sweep: a block marches a tile along i and does T sweeps on the way.
#pragma once

#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/temporal_cuda_memory.cuh"

namespace memstencil::jacobi {

/// Stage s (0..T-1) does sweep s+1. In step i it updates plane i-s, so that what it reads, sweep s of
/// planes i-s-1..i-s+1, was written in earlier steps and by stage s-1 just before.
template <int Sweeps, int Warps, int Slots>
struct March {
  using Shape = TileShape<Sweeps, Warps, Slots>;
  static constexpr int last = Sweeps - 1;

  const TemporalWork& work;
  const TileShared<Shape> shared;
  const TilePlace place;
  const ThreadPlace<Shape> me;

  float centre[Sweeps][2][4];            // own rows of a stage's input at plane q: left, two points, right
  float behind[Sweeps][2][4];            // and at plane q-1, where there are registers for it
  float4 coefficients[array_count - 1];  // of the newest plane: two points of both rows
  double gosa[Sweeps];
  Turn<4> arriving;        // of p before the first sweep
  Turn<Shape::ring> turn;  // of p after each sweep
  Turn<Slots> kept;        // of the coefficients

  /// Place of the plane `Back` before the step's in the ring of p after Stage sweeps.
  template <int Stage, int Back>
  __device__ __forceinline__ int place_in_ring() const {
    if constexpr (Stage == 0)
      return arriving.template at<Back>();
    else
      return turn.template at<Back>();
  }

  __device__ __forceinline__ March(const TemporalWork& w, float4* memory)
      : work(w), shared(memory), place(place_of_block<Shape>(w)), me(w, place) {}

  /// Bytes to the start of a plane; of the nearest one where there is none.
  __device__ __forceinline__ std::int64_t start_of_plane(int plane) const {
    return max(0, min(plane, work.extents[0] - 1)) * work.plane_bytes;
  }

  __device__ __forceinline__ void load_coefficients(int plane) {
    const std::int64_t first = start_of_plane(plane) + me.offset[0];
    const unsigned second = me.offset[1] - me.offset[0];
#pragma unroll
    for (int a = 0; a < array_count - 1; ++a) {
      const char* from = reinterpret_cast<const char*>(work.coefficients[a]) + first;
      const float2 upper = __ldg(reinterpret_cast<const float2*>(from));
      const float2 lower = __ldg(reinterpret_cast<const float2*>(from + second));
      coefficients[a] = make_float4(upper.x, upper.y, lower.x, lower.y);
    }
  }

  __device__ __forceinline__ void fetch_plane(int plane, int slot) const {
    me.fetch_plane(shared, slot, reinterpret_cast<const char*>(work.p) + start_of_plane(plane));
  }

  __device__ __forceinline__ void keep_coefficients(int slot) const {
#pragma unroll
    for (int a = 0; a < array_count - 1; ++a) shared.slot(slot, a)[threadIdx.x] = coefficients[a];
  }

  /// left, two points and right of row `row` of `plane`; the first stage finds the points beside the
  /// tile in memory, later stages never need them.
  template <int Stage>
  __device__ __forceinline__ void with_edges(float (&out)[4], float2 v, int row, int slot) const {
    out[0] = __shfl_up_sync(~0U, v.y, 1);
    out[1] = v.x;
    out[2] = v.y;
    out[3] = __shfl_down_sync(~0U, v.x, 1);
    if constexpr (Stage == 0) {
      if (me.lane == 0 || me.lane == 31) {
        const float beside = shared.edges(slot)[2 * row + (me.lane == 31 ? 1 : 0)];
        if (me.lane == 0) out[0] = beside;
        if (me.lane == 31) out[3] = beside;
      }
    }
  }

  /// One stage at plane q. `ahead`: its own rows at plane q+1. Returns its own rows after the sweep.
  template <int Stage>
  __device__ __forceinline__ void stage(int q, float (&ahead)[2][4], float2 (&out)[2]) {
    const int slots[3] = {place_in_ring<Stage, Stage + 1>(), place_in_ring<Stage, Stage>(),
                          place_in_ring<Stage, Stage - 1>()};
    float rows[3][4][4];  // planes q-1, q, q+1; the row above, two own rows, the row below
#pragma unroll
    for (int r = 0; r < 4; r += 3) {
      const int row = 2 * me.warp + r;
#pragma unroll
      for (int d = 0; d < 3; ++d) {
        const float2 v = shared.template row<Stage>(slots[d], row)[me.lane];
        if (d == 1) {
          with_edges<Stage>(rows[d][r], v, row, slots[d]);
        } else {
          rows[d][r][1] = v.x;
          rows[d][r][2] = v.y;
        }
      }
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      if constexpr (!Shape::keeps_behind) {
        const int row = 2 * me.warp + 1 + r;
        with_edges<Stage>(rows[0][r + 1], shared.template row<Stage>(slots[0], row)[me.lane], row, slots[0]);
      }
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        if constexpr (Shape::keeps_behind) {
          rows[0][r + 1][c] = behind[Stage][r][c];
          behind[Stage][r][c] = centre[Stage][r][c];
        }
        rows[1][r + 1][c] = centre[Stage][r][c];
        rows[2][r + 1][c] = ahead[r][c];
        centre[Stage][r][c] = ahead[r][c];
      }
    }
    update<Stage>(q, rows, out);
    if constexpr (Stage < last) {
      const int slot = place_in_ring<Stage + 1, Stage>();
      shared.template row<Stage + 1>(slot, 2 * me.warp + 1)[me.lane] = out[0];
      shared.template row<Stage + 1>(slot, 2 * me.warp + 2)[me.lane] = out[1];
      if (place.fixed_above && me.warp == 0)
        shared.template row<Stage + 1>(slot, 0)[me.lane] = make_float2(rows[1][0][1], rows[1][0][2]);
      if (place.fixed_below && me.warp == Warps - 1)
        shared.template row<Stage + 1>(slot, Shape::rows + 1)[me.lane] =
            make_float2(rows[1][3][1], rows[1][3][2]);
    }
  }

  /// The expression at this thread's four points, and their part of gosa.
  template <int Stage>
  __device__ __forceinline__ void update(int q, const float (&p)[3][4][4], float2 (&out)[2]) {
    float4 factors[array_count - 1];
#pragma unroll
    for (int a = 0; a < array_count - 1; ++a)
      factors[a] = Stage == 0 ? coefficients[a] : shared.slot(kept.template at<Stage>(), a)[threadIdx.x];
    const bool moving = q >= place.moving[0] && q < place.moving[1];
    const unsigned counted = q >= place.counted[0] && q < place.counted[1] ? ~0U : 0U;
    float value[2][2];
    double sum[2][2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const float ss = residual(neighbours(p, r + 1, c + 1), at_point(factors, 2 * r + c));
        value[r][c] = updated(p[1][r + 1][c + 1], omega, ss);
        const unsigned bits = __float_as_uint(__fmul_rn(ss, ss)) & me.own_row[r] & me.own_point[c] & counted;
        sum[r][c] = static_cast<double>(__uint_as_float(bits));
      }
    }
    gosa[Stage] += (sum[0][0] + sum[0][1]) + (sum[1][0] + sum[1][1]);
    if (!moving || me.inside != 15) {
#pragma unroll
      for (int n = 0; n < 4; ++n)
        if (!moving || (me.inside >> n & 1) == 0) value[n / 2][n % 2] = p[1][n / 2 + 1][n % 2 + 1];
    }
    out[0] = make_float2(value[0][0], value[0][1]);
    out[1] = make_float2(value[1][0], value[1][1]);
  }

  /// Result of the last sweep at plane q, to the owned points only.
  __device__ __forceinline__ void store(int q, const float2 (&value)[2]) const {
    if (q < place.counted[0] || q >= place.counted[1]) return;
    char* base = reinterpret_cast<char*>(work.p_next) + static_cast<std::int64_t>(q) * work.plane_bytes;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      if (me.own_row[r] == 0U) continue;
      float* target = reinterpret_cast<float*>(base + me.offset[r]);
      if ((me.own_point[0] & me.own_point[1]) != 0U) {
        *reinterpret_cast<float2*>(target) = value[r];
      } else if (me.own_point[0] != 0U) {
        target[0] = value[r].x;
      } else if (me.own_point[1] != 0U) {
        target[1] = value[r].y;
      }
    }
  }

  template <int Stage>
  __device__ __forceinline__ void stages_from(int i, float (&ahead)[2][4]) {
    float2 out[2];
    stage<Stage>(i - Stage, ahead, out);
    if constexpr (Stage == 0 && Slots == Sweeps) {
      keep_coefficients(kept.template at<0>());
      load_coefficients(i + 1);
    }
    if constexpr (Stage < last) {
      // The plane that the first stage wants next has to be there for all threads after the last
      // barrier of this step; where there is but one, the plane asked for below is not yet under way.
      if constexpr (Stage == last - 1) wait_copies<Sweeps == 2 ? 0 : 1>();
      __syncthreads();
      if constexpr (Stage == 0) fetch_plane(i + 3, arriving.template at<1>());
      float next[2][4];
      with_edges<Stage + 1>(next[0], out[0], 0, 0);
      with_edges<Stage + 1>(next[1], out[1], 0, 0);
      stages_from<Stage + 1>(i, next);
    } else {
      store(i - Stage, out);
    }
  }

  /// Own rows of p before the first sweep, at the plane `Back` before the step's.
  template <int Back>
  __device__ __forceinline__ void read_own(float (&rows)[2][4]) const {
    const int slot = arriving.template at<Back>();
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int row = 2 * me.warp + 1 + r;
      with_edges<0>(rows[r], shared.template row<0>(slot, row)[me.lane], row, slot);
    }
  }

  __device__ __forceinline__ void start() {
    for (int n = threadIdx.x; n < Shape::bytes / 16; n += Shape::threads)
      shared.memory[n] = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
#pragma unroll
    for (int a = 0; a < array_count - 1; ++a) coefficients[a] = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
#pragma unroll
    for (int s = 0; s < Sweeps; ++s) {
      gosa[s] = 0.0;
#pragma unroll
      for (int n = 0; n < 8; ++n) behind[s][n / 4][n % 4] = centre[s][n / 4][n % 4] = 0.0F;
    }
    __syncthreads();
    for (int d = 0; d < 4; ++d) fetch_plane(place.first_step + d - 1, (d + 3) % 4);
    load_coefficients(place.first_step);
    wait_copies<1>();
    __syncthreads();
    read_own<1>(behind[0]);
    read_own<0>(centre[0]);
  }

  __device__ __forceinline__ void run() {
    start();
    for (int i = place.first_step; i < place.end_step; ++i) {
      float ahead[2][4];
      read_own<-1>(ahead);
      stages_from<0>(i, ahead);
      if constexpr (Slots < Sweeps) {
        keep_coefficients(kept.template at<last>());
        load_coefficients(i + 1);
      }
      arriving.next();
      turn.next();
      kept.next();
    }
    wait_copies<0>();
    block_sums();
  }

  /// Sums gosa over the block, always in the same order, into this block's place in the partial sums.
  __device__ __forceinline__ void block_sums() const {
    double* sums = reinterpret_cast<double*>(shared.memory);
    __syncthreads();
#pragma unroll
    for (int s = 0; s < Sweeps; ++s) {
      double sum = gosa[s];
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0U, sum, d);
      if (me.lane == 0) sums[s * Warps + me.warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= Sweeps) return;
    double sum = 0.0;
    for (int n = 0; n < Warps; ++n) sum += sums[threadIdx.x * Warps + n];
    work.partials[static_cast<std::size_t>(threadIdx.x) * gridDim.x + blockIdx.x] = sum;
  }
};

template <int Sweeps, int Warps, int Slots>
__global__ void __launch_bounds__(32 * Warps, 1) temporal_march(const __grid_constant__ TemporalWork work) {
  extern __shared__ float4 memory[];
  March<Sweeps, Warps, Slots> march(work, memory);
  march.run();
}

/// Second level of gosa: block s adds the `count` partial sums of sweep s, always in the same order.
__global__ void __launch_bounds__(256)
    temporal_sums(const double* partials, std::int64_t count, double* residuals) {
  __shared__ double sums[256];
  double sum = 0.0;
  for (std::int64_t n = threadIdx.x; n < count; n += 256) sum += partials[blockIdx.x * count + n];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width) sums[threadIdx.x] += sums[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) residuals[blockIdx.x] = sums[0];
}

}  // namespace memstencil::jacobi
