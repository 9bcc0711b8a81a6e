// Device code of the fused sweep: a block marches a tile along i and does T sweeps on the way.
#pragma once

#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/temporal_cuda_transfers.cuh"

namespace memstencil::jacobi {

/// A thread that works. Stage s (0..T-1) does sweep s+1. In step n it updates plane
/// n-s, so that what it reads, sweep s of planes n-s-1..n-s+1, was made in earlier
/// steps and by stage s-1 just before.
/// @tparam stores does it store for other ranks, too? If it does not, no instruction changes.
template <class Shape, Layout layout, bool stores>
struct Worker : TileRows<Shape, layout> {
  using InTile = TileRows<Shape, layout>;
  using InTile::me, InTile::place, InTile::read, InTile::shared, InTile::widen, InTile::write;
  using March = typename Shape::March;
  static constexpr int sweeps = Shape::sweeps;
  static constexpr int last = sweeps - 1;
  static constexpr int rows = Shape::rows_of_thread;
  using Rows =
      float[rows + 2][4];  // the row above its own, these, the row below: left, two points, right
  using Result = float2[rows];
  /// Three stages read a row's coefficients once, and keep them in registers till the last
  /// has used them. There is room for one row; the others' are read again by the second
  /// stage, and once more for the last.
  static constexpr int held_rows = sweeps == 3 ? 1 : 0;
  /// Addresses of packed coefficients take more registers than those of arrays. These stages get
  /// the points left and right of the plane behind once more from the neighbouring lanes, in place
  /// of keeping them for two steps.
  static constexpr int rewidened_stages = sweeps == 4 ? 1 : 2;

  const TemporalWork& work;
  const bool top, bottom;  // its row above (below) the tile is the fixed boundary
  bool owns = false;       // is one of its warp's points the block's own?

  Rows window[sweeps][3];  // a stage's input; in step n plane n-s+1 stands at n modulo 3
  float2 held[3]
             [coefficient_count];  // coefficients of its first held_rows rows, by planes as above
  float2 delay[rows][coefficient_count];  // of its other rows, of the last stage's plane
  unsigned moving[sweeps],
      counted[sweeps];  // masks: is a stage's plane not fixed; is it the block's own
  double gosa[sweeps];
  int slots[last];  // of the planes of all stages but the last
  int plane;        // of the first stage
  char* target;     // of the last stage's result

  __device__ __forceinline__ Worker(const TemporalWork& w, const TileShared<Shape>& memory)
      : InTile(w, memory),
        work(w),
        top(place.fixed_above && me.warp == 0),
        bottom(place.fixed_below && me.warp == Shape::workers / 32 - 1) {}

  /// Waits for the other warps that work.
  __device__ __forceinline__ static void synchronise() {
    asm volatile("bar.sync 1, %0;" ::"n"(Shape::workers) : "memory");
  }

  /// The coefficients of row r for stage `Stage`, from where they are.
  template <int Stage, int Step>
  __device__ __forceinline__ void coefficients(float2 (&out)[coefficient_count], int r) {
    float2(&of_plane)[coefficient_count] = held[March::place(Step - Stage % 3)];
    if (r < held_rows && Stage == 0) read(of_plane, slots[0], r);
    if (r >= held_rows && Stage < last) read(out, slots[Stage < last ? Stage : 0], r);
#pragma unroll
    for (int a = 0; a < coefficient_count; ++a) {
      if (r < held_rows) out[a] = of_plane[a];
      if (r >= held_rows && Stage == last) out[a] = delay[r][a];
    }
  }

  /// Own rows of p before the first sweep, and those above and below.
  __device__ __forceinline__ void read_p(Rows& front, int where) const {
    const float* p = shared.p(where);
#pragma unroll
    for (int r = 0; r < rows + 2; ++r) read(front[r], p, r);
#pragma unroll
    for (int r = 1; r <= rows; ++r) widen(front[r]);
  }
  /// The same after `Stage` - 1 stages: own rows as they were made, the
  /// others from the warps beside.
  template <int Stage>
  __device__ __forceinline__ void read_result(Rows& front, const Result& own, int where) const {
    const float* p = shared.template result<Stage - 1>(where);
    read(front[0], p, 0);
    read(front[rows + 1], p, rows + 1);
#pragma unroll
    for (int r = 1; r <= rows; ++r) {
      front[r][1] = own[r - 1].x;
      front[r][2] = own[r - 1].y;
      widen(front[r]);
    }
  }

  /// One stage: p after its sweep, and the squares that it adds to gosa. A point of the fixed
  /// boundary gets a residual of 0, and p + 0 is p. (The residual is taken with the other sign:
  /// fma(-omega, +0, p) keeps a p of -0, too.)
  template <int Stage, int Step>
  __device__ __forceinline__ void stage(Result& out, float (&squares)[rows][2]) {
    Rows& behind = window[Stage][March::place(Step - 2)];
    Rows& here = window[Stage][March::place(Step - 1)];
    Rows& front = window[Stage][March::place(Step)];
    widen(here[0]);  // as its plane came, only two points of this row were needed
    widen(here[rows + 1]);
    if constexpr (layout == Layout::Packed && Stage < rewidened_stages) {
#pragma unroll
      for (int r = 1; r <= rows; ++r) widen(behind[r]);
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      float2 factors[coefficient_count];
      coefficients<Stage, Step>(factors, r);
      float value[2];
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        const float minus =
            -residual(neighbours(behind, here, front, r + 1, c + 1), at_point(factors, c));
        const float ss = __uint_as_float(__float_as_uint(minus) & me.inside[r][c] & moving[Stage]);
        value[c] = updated(here[r + 1][c + 1], -omega, ss);
        squares[r][c] =
            __uint_as_float(__float_as_uint(__fmul_rn(ss, ss)) & me.own[r][c] & counted[Stage]);
      }
      out[r] = make_float2(value[0], value[1]);
    }
  }
  template <int Stage>
  __device__ __forceinline__ void add_squares(const float (&squares)[rows][2]) {
    double sum = 0.0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const double of_row = static_cast<double>(squares[r][0]) + static_cast<double>(squares[r][1]);
      sum = r == 0 ? of_row : sum + of_row;
    }
    gosa[Stage] += sum;
  }

  /// For the next stage of other warps; rows of the fixed boundary beside the tile go along.
  template <int Stage, int Step>
  __device__ __forceinline__ void hand_on(const Result& out) const {
    float* to = shared.template result<Stage>(Step);
    const Rows& here = window[Stage][March::place(Step - 1)];
#pragma unroll
    for (int r = 0; r < rows; ++r) write(to, r + 1, out[r]);
    if (top) write(to, 0, make_float2(here[0][1], here[0][2]));
    if (bottom) write(to, rows + 1, make_float2(here[rows + 1][1], here[rows + 1][2]));
  }

  /// Result of the last sweep, to the owned points only.
  __device__ __forceinline__ void store(const Result& out) const {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      float* to = reinterpret_cast<float*>(target) + r * work.pitch;
      const unsigned first = me.own[r][0] & counted[last];
      const unsigned second = me.own[r][1] & counted[last];
      if ((first & second) != 0U) *reinterpret_cast<float2*>(to) = out[r];
      if ((first & ~second) != 0U) to[0] = out[r].x;
      if ((second & ~first) != 0U) to[1] = out[r].y;
    }
  }

  /// All stages from `Stage` on. Other warps' results of a stage are read only by the next, so one
  /// barrier between two stages is enough.
  template <int Stage, int Step>
  __device__ __forceinline__ void stages_from() {
    Result out;
    float squares[rows][2];
    stage<Stage, Step>(out, squares);
    if constexpr (Stage < last) {
      hand_on<Stage, Step>(out);
      synchronise();
      // Two stages have ten working warps, and no register left for this.
      if constexpr (Stage + 1 == last && sweeps > 2) {
        if (!owns) {  // its part of the last result is nobody's
          add_squares<Stage>(squares);
          release<Step + 1>();
          return;
        }
      }
      read_result<Stage + 1>(window[Stage + 1][March::place(Step)], out, Step);
      add_squares<Stage>(squares);
      stages_from<Stage + 1, Step>();
    } else {
      store(out);
      // The last stage's next plane: after this its slot is free.
#pragma unroll
      for (int r = held_rows; r < rows; ++r) read(delay[r], slots[last - 1], r);
      release<Step + 1>();
      add_squares<Stage>(squares);
    }
  }

  /// Releases the data that later steps do not read: for this warp they may be overwritten.
  template <int Release>
  __device__ __forceinline__ void release() const {
    __syncwarp();
    if (me.lane == 0) shared.released(March::place(Release)).arrive();
  }

  /// Step n, where n modulo 3 is Step.
  template <int Step>
  __device__ __forceinline__ void step(unsigned parity) {
    shared.arrived(Step).wait(parity);
    read_p(window[0][Step], Step);
    enter(plane);
    stages_from<0, Step>();
    ++plane;
    target += work.plane_bytes;
    if (target >= work.ring_end) target -= work.ring_planes * work.plane_bytes;
#pragma unroll
    for (int s = last - 1; s > 0; --s) slots[s] = slots[s - 1];
    slots[0] =
        slots[0] == (March::slots - 1) * Shape::slot_floats ? 0 : slots[0] + Shape::slot_floats;
  }
  /// Plane q is the first stage's; the others' move on by a stage.
  __device__ __forceinline__ void enter(int q) {
#pragma unroll
    for (int s = last; s > 0; --s) {
      moving[s] = moving[s - 1];
      counted[s] = counted[s - 1];
    }
    moving[0] = mask_of(q >= place.moving[0] && q < place.moving[1]);
    counted[0] = mask_of(q >= place.counted[0] && q < place.counted[1]);
  }

  /// Sets up its registers, and reads the two planes of p before those of the first step.
  __device__ __forceinline__ void start() {
#pragma unroll
    for (int s = 0; s < sweeps; ++s) {
      gosa[s] = 0.0;
      moving[s] = counted[s] = 0U;
      if (s < last) slots[s] = (s == 0 ? 0 : March::slots - s) * Shape::slot_floats;
#pragma unroll
      for (int n = 0; n < 3 * (rows + 2) * 4; ++n)
        window[s][n / 4 / (rows + 2)][n / 4 % (rows + 2)][n % 4] = 0.0F;
    }
#pragma unroll
    for (int a = 0; a < coefficient_count; ++a) {
      held[0][a] = held[1][a] = held[2][a] = make_float2(0.0F, 0.0F);
#pragma unroll
      for (int r = 0; r < rows; ++r) delay[r][a] = make_float2(0.0F, 0.0F);
    }
    if constexpr (sweeps > 2) {
      unsigned own = 0;
#pragma unroll
      for (int r = 0; r < rows; ++r) own |= me.own[r][0] | me.own[r][1];
      owns = __any_sync(~0U, own != 0U);
    }
    plane = place.first_step;
    const std::int64_t row = place.j + rows * me.warp;
    target = reinterpret_cast<char*>(work.p_next) +
             plane_in_memory(work, plane - last) * work.plane_bytes +
             (row * work.pitch + place.k + 2 * me.pair) * 4;
    shared.arrived(0).wait(0);
    read_p(window[0][March::place(-2)], March::place(-2));
    read_p(window[0][March::place(-1)], March::place(-1));
    release<0>();
  }

  /// Three steps a turn, so that planes change places without moving.
  __device__ __forceinline__ void run() {
    start();
    for (unsigned parity = 0;; parity ^= 1U) {
      step<0>(parity);
      if (plane == place.end_step) break;
      step<1>(parity);
      if (plane == place.end_step) break;
      step<2>(parity);
      if (plane == place.end_step) break;
    }
    block_sums();
  }

  /// Sums gosa over the block, always in the same order, into this
  /// part's place in the partial sums.
  __device__ __forceinline__ void block_sums() const {
    constexpr int warps = Shape::workers / 32;
    double* sums = reinterpret_cast<double*>(shared.memory);
    synchronise();
    if constexpr (stores) {
      store_beside<Shape>(work, shared.place());
      synchronise();
    }
    if (threadIdx.x == 0 && shared.place().edge && work.edges != nullptr) count_edge(work);
#pragma unroll
    for (int s = 0; s < sweeps; ++s) {
      double sum = gosa[s];
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0U, sum, d);
      if (me.lane == 0) sums[s * warps + me.warp] = sum;
    }
    synchronise();
    if (threadIdx.x >= sweeps) return;
    double sum = 0.0;
    for (int n = 0; n < warps; ++n) sum += sums[threadIdx.x * warps + n];
    work.partials[static_cast<std::size_t>(threadIdx.x) * gridDim.x + place.number] = sum;
  }
};

}  // namespace memstencil::jacobi
