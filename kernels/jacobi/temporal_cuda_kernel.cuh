// Device code of the fused sweep: a block marches a tile along i and does T sweeps on the way.
#pragma once

#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/temporal_cuda_memory.cuh"

namespace memstencil::jacobi {

/// Stage s (0..T-1) does sweep s+1. In step i it updates plane i-s, so that what it reads, sweep s of
/// planes i-s-1..i-s+1, was written in earlier steps and by stage s-1 just before.
template <int Sweeps, int Warps, int Rows>
struct March {
  using Shape = TileShape<Sweeps, Warps, Rows>;
  static constexpr int last = Sweeps - 1;

  const TemporalWork& work;
  const TileShared<Shape> shared;
  const TilePlace place;
  const ThreadPlace<Shape> me;

  float centre[Sweeps][Rows][4];  // own rows of a stage's input at plane q: left, two points, right
  float behind[Sweeps][Rows][4];  // and at plane q-1
  float2 beyond[Sweeps][2];       // the rows above and below its own at plane q-1
  double gosa[Sweeps];
  Turn<Shape::arriving, Shape::arriving_floats> arriving;  // of p before the first sweep
  Turn<Shape::ring, Shape::ring_floats> turn;              // of p after each sweep
  Turn<Shape::kept, Shape::kept_floats> kept;              // of the coefficients

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

  __device__ __forceinline__ void fetch_p(Handshake arrived, int plane, int to) const {
    arrived.copy(shared.template plane<0>(to), work.p, plane, place.j - 1, place.k - 4);
  }

  /// Asks for what step `step` wants: the coefficients of its plane i and p of plane i+1, and before the
  /// first step of i-1 and i too.
  __device__ __forceinline__ void fetch(int step, int coefficients_to, int p_to) const {
    const int i = place.first_step + step;
    const Handshake arrived = shared.arrived(step);
    arrived.expect((Shape::kept_floats + (step == 0 ? 3 : 1) * Shape::arriving_rows_floats) * 4);
#pragma unroll
    for (int a = 0; a < array_count - 1; ++a)
      arrived.copy(shared.coefficient(coefficients_to, a), work.coefficients[a], i, place.j, place.k);
    fetch_p(arrived, i + 1, p_to);
  }

  /// What the one thread that fetches does: what a step wants is asked for as soon as there is room, one
  /// step before.
  __device__ __forceinline__ void fetch_all() {
    fetch(0, kept.template at<0>(), arriving.template at<-1>());
    fetch_p(shared.arrived(0), place.first_step - 1, arriving.template at<1>());
    fetch_p(shared.arrived(0), place.first_step, arriving.template at<0>());
    Pace pace(work.progress, static_cast<unsigned>(work.wave),
              static_cast<unsigned>(work.owned.hi[0] - work.owned.lo[0] + 2 * Sweeps));
    for (int step = 0; place.first_step + step + 1 < place.end_step; ++step) {
      shared.used(step).wait(step / 2);
      pace.keep();
      fetch(step + 1, kept.template at<-1>(), arriving.template at<1>());
      arriving.next();
      kept.next();
    }
    pace.finish();
  }

  /// Waits for the other warps that work.
  __device__ __forceinline__ static void synchronise() {
    asm volatile("bar.sync 1, %0;" ::"n"(Shape::workers) : "memory");
  }

  /// left, two points and right of row `row` (0 is the one above the thread's) of `plane`; the first
  /// stage finds the points beside the tile in memory, later stages never need them.
  template <int Stage>
  __device__ __forceinline__ void with_edges(float (&out)[4], float2 v, const float* plane, int row) const {
    out[0] = __shfl_up_sync(~0U, v.y, 1);
    out[1] = v.x;
    out[2] = v.y;
    out[3] = __shfl_down_sync(~0U, v.x, 1);
    if constexpr (Stage == 0) {
      const float beside = me.at_edge ? plane[me.beside + row * Shape::arriving_width] : 0.0F;
      if (me.lane == 0) out[0] = beside;
      if (me.lane == 31) out[3] = beside;
    }
  }

  /// Two points of row `row` of `plane`, in the ring of p after `Stage` sweeps.
  template <int Stage>
  __device__ __forceinline__ float2 two(const float* plane, int row) const {
    const float* at = Stage == 0 ? plane + me.arriving + row * Shape::arriving_width
                                 : plane + me.cell + row * temporal_width;
    return *reinterpret_cast<const float2*>(at);
  }

  /// One stage at plane q. `ahead`: its own rows at plane q+1. Returns its own rows after the sweep.
  template <int Stage>
  __device__ __forceinline__ void stage(int q, float (&ahead)[Rows][4], float2 (&out)[Rows]) {
    const float* here = shared.template plane<Stage>(place_in_ring<Stage, Stage>());
    const float* front = shared.template plane<Stage>(place_in_ring<Stage, Stage - 1>());
    float rows[3][Rows + 2][4];  // planes q-1, q, q+1; the row above, own rows, the row below
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const int r = n * (Rows + 1);
      rows[0][r][1] = beyond[Stage][n].x;
      rows[0][r][2] = beyond[Stage][n].y;
      beyond[Stage][n] = two<Stage>(here, r);
      with_edges<Stage>(rows[1][r], beyond[Stage][n], here, r);
      const float2 v = two<Stage>(front, r);
      rows[2][r][1] = v.x;
      rows[2][r][2] = v.y;
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        rows[0][r + 1][c] = behind[Stage][r][c];
        rows[1][r + 1][c] = centre[Stage][r][c];
        rows[2][r + 1][c] = ahead[r][c];
        behind[Stage][r][c] = centre[Stage][r][c];
        centre[Stage][r][c] = ahead[r][c];
      }
    }
    update<Stage>(q, rows, out);
    if constexpr (Stage < last) {
      float* result = shared.template plane<Stage + 1>(place_in_ring<Stage + 1, Stage>()) + me.cell;
#pragma unroll
      for (int r = 0; r < Rows; ++r) *reinterpret_cast<float2*>(result + (r + 1) * temporal_width) = out[r];
      if (place.fixed_above && me.warp == 0)
        *reinterpret_cast<float2*>(result) = make_float2(rows[1][0][1], rows[1][0][2]);
      if (place.fixed_below && me.warp == Warps - 1)
        *reinterpret_cast<float2*>(result + (Rows + 1) * temporal_width) =
            make_float2(rows[1][Rows + 1][1], rows[1][Rows + 1][2]);
    }
  }

  /// The expression at this thread's points, and their part of gosa.
  template <int Stage>
  __device__ __forceinline__ void update(int q, const float (&p)[3][Rows + 2][4], float2 (&out)[Rows]) {
    const bool moving = q >= place.moving[0] && q < place.moving[1];
    const unsigned counted = q >= place.counted[0] && q < place.counted[1] ? ~0U : 0U;
    float value[Rows][2];
    double sum[Rows];
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      float2 factors[array_count - 1];
#pragma unroll
      for (int a = 0; a < array_count - 1; ++a)
        factors[a] = *reinterpret_cast<const float2*>(shared.coefficient(kept.template at<Stage>(), a) +
                                                      me.cell + r * temporal_width);
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const float ss = residual(neighbours(p, r + 1, c + 1), at_point(factors, c));
        value[r][c] = updated(p[1][r + 1][c + 1], omega, ss);
        const unsigned bits = __float_as_uint(__fmul_rn(ss, ss)) & me.own_row[r] & me.own_point[c] & counted;
        const double square = static_cast<double>(__uint_as_float(bits));
        sum[r] = c == 0 ? square : sum[r] + square;
      }
    }
    gosa[Stage] += Rows == 1 ? sum[0] : sum[0] + sum[Rows - 1];
    if (!moving || me.inside != (1U << 2 * Rows) - 1) {
#pragma unroll
      for (int n = 0; n < 2 * Rows; ++n)
        if (!moving || (me.inside >> n & 1) == 0) value[n / 2][n % 2] = p[1][n / 2 + 1][n % 2 + 1];
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r) out[r] = make_float2(value[r][0], value[r][1]);
  }

  /// Result of the last sweep at plane q, to the owned points only.
  __device__ __forceinline__ void store(int q, const float2 (&value)[Rows]) const {
    if (q < place.counted[0] || q >= place.counted[1]) return;
    char* base = reinterpret_cast<char*>(work.p_next) + static_cast<std::int64_t>(q) * work.plane_bytes;
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      if (me.own_row[r] == 0U) continue;
      float* target = reinterpret_cast<float*>(base + me.offset) + r * work.pitch;
      if ((me.own_point[0] & me.own_point[1]) != 0U) {
        *reinterpret_cast<float2*>(target) = value[r];
      } else if (me.own_point[0] != 0U) {
        target[0] = value[r].x;
      } else if (me.own_point[1] != 0U) {
        target[1] = value[r].y;
      }
    }
  }

  /// All stages from `Stage` on. Other warps' results of a stage are read only by the next, so one
  /// barrier between two stages is enough.
  template <int Stage>
  __device__ __forceinline__ void stages_from(int i, float (&ahead)[Rows][4]) {
    float2 out[Rows];
    stage<Stage>(i - Stage, ahead, out);
    if constexpr (Stage < last) {
      synchronise();
      float next_rows[Rows][4];
#pragma unroll
      for (int r = 0; r < Rows; ++r) with_edges<Stage + 1>(next_rows[r], out[r], nullptr, 0);
      stages_from<Stage + 1>(i, next_rows);
    } else {
      store(i - Stage, out);
    }
  }

  /// Own rows of p before the first sweep, at the plane `Back` before the step's.
  template <int Back>
  __device__ __forceinline__ void read_own(float (&rows)[Rows][4]) const {
    const float* plane = shared.template plane<0>(arriving.template at<Back>());
#pragma unroll
    for (int r = 0; r < Rows; ++r) with_edges<0>(rows[r], two<0>(plane, r + 1), plane, r + 1);
  }

  /// This warp no longer reads what only steps before step `round` wanted.
  __device__ __forceinline__ void release(int round) const {
    __syncwarp();
    if (me.lane == 0) shared.used(round).arrive();
  }

  /// Sets up shared memory: the handshakes, and no stale numbers where early steps read.
  __device__ __forceinline__ void prepare() const {
    float* rings = shared.template plane<1>(0);
    for (int n = threadIdx.x; n < (Sweeps - 1) * Shape::ring * Shape::ring_floats; n += Shape::threads)
      rings[n] = 0.0F;
    if (threadIdx.x == 0) {
      shared.arrived(0).prepare(1);
      shared.arrived(1).prepare(1);
      shared.used(0).prepare(Warps);
      shared.used(1).prepare(Warps);
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
  }

  /// Sets up the registers of a thread that works.
  __device__ __forceinline__ void start() {
#pragma unroll
    for (int s = 0; s < Sweeps; ++s) {
      gosa[s] = 0.0;
      beyond[s][0] = beyond[s][1] = make_float2(0.0F, 0.0F);
#pragma unroll
      for (int n = 0; n < 4 * Rows; ++n) behind[s][n / 4][n % 4] = centre[s][n / 4][n % 4] = 0.0F;
    }
    shared.arrived(0).wait(0);
    read_own<1>(behind[0]);
    read_own<0>(centre[0]);
    const float* before = shared.template plane<0>(arriving.template at<1>());
    beyond[0][0] = two<0>(before, 0);
    beyond[0][1] = two<0>(before, Rows + 1);
    release(0);
  }

  __device__ __forceinline__ void run() {
    prepare();
    if (me.warp == Warps) {
      if (me.lane == 0) fetch_all();
      return;
    }
    start();
    for (int i = place.first_step; i < place.end_step; ++i) {
      const int step = i - place.first_step;
      shared.arrived(step).wait(step / 2);
      float ahead[Rows][4];
      read_own<-1>(ahead);
      stages_from<0>(i, ahead);
      if (i + 2 < place.end_step) release(step + 1);  // the last two steps have nothing fetched after them
      arriving.next();
      turn.next();
      kept.next();
    }
    block_sums();
  }

  /// Sums gosa over the block, always in the same order, into this block's place in the partial sums.
  __device__ __forceinline__ void block_sums() const {
    double* sums = reinterpret_cast<double*>(shared.memory);
    synchronise();
#pragma unroll
    for (int s = 0; s < Sweeps; ++s) {
      double sum = gosa[s];
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0U, sum, d);
      if (me.lane == 0) sums[s * Warps + me.warp] = sum;
    }
    synchronise();
    if (threadIdx.x >= Sweeps) return;
    double sum = 0.0;
    for (int n = 0; n < Warps; ++n) sum += sums[threadIdx.x * Warps + n];
    work.partials[static_cast<std::size_t>(threadIdx.x) * gridDim.x + blockIdx.x] = sum;
  }
};

}  // namespace memstencil::jacobi
