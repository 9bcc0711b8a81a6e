// The single sweep of a GPU. A tile has 128 points in k, some rows, and one plane or eight.
//
// In tiles of eight planes a thread keeps its (j, k) and marches along i: of the 19 values of p
// that a point needs, ten are then in registers from the plane before. In tiles of one plane a
// thread has one point, in the order of the arrays. Then the planes of p that three planes of
// blocks read stay in the L2, if the coefficients, which are not read again, are the first to leave
// it.
#include "kernels/cuda_calls.cuh"
#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/stencil.hpp"

#include <cuda_runtime.h>

#include <algorithm>

namespace memstencil::jacobi {
namespace {

constexpr int columns = plane_tile.k, marched_planes = marching_tile.planes;
template <int planes>
constexpr int rows_of_block = planes == 1 ? plane_tile.j : marching_tile.j;
template <int planes>
constexpr int threads_of_block = columns* rows_of_block<planes>;

__device__ __forceinline__ bool within(int n, std::int64_t lo, std::int64_t hi) {
  return static_cast<int>(lo) <= n && n < static_cast<int>(hi);
}

/// Updates the points of this thread, from (i, j, k) on; their part of gosa.
template <int planes, Layout layout, bool in_ring>
__device__ __forceinline__ double update_points(const SingleWork& work, int i, int j, int k) {
  const Box& box = work.tiling.box;
  if (j >= static_cast<int>(box.hi[1]) || !within(k, box.lo[2], box.hi[2])) return 0.0;
  const Pass& pass = work.pass;
  const std::int64_t row = pass.grid.pitch, plane = row * pass.grid.extents[1];
  std::int64_t place = i, below = -plane, above = plane;
  if constexpr (in_ring) {
    static_assert(planes == 1);
    const std::int64_t ring = pass.ring.planes;
    place += pass.ring.first;
    if (place >= ring) place -= ring;
    if (place == 0) below += ring * plane;
    if (place == ring - 1) above -= ring * plane;
  }
  std::int64_t at = place * plane + j * row + k;
  // Before the loads, and the coefficients before p: so nothing of the indices is kept, the threads
  // of four blocks of 512 have registers, and all loads are under way together.
  const Box& counted = work.counted;
  const auto counts = [&](int d, int n) { return within(n, counted.lo[d], counted.hi[d]); };
  const bool row_counts = counts(1, j) && counts(2, k);
  bool point_counts = row_counts && counts(0, i);
  PointCoefficients coefficients = coefficients_at<layout>(pass.coefficients, at);
  const float* q = pass.p + at;
  Neighbours n{};
  n.mpo = read_only(q[below + row]), n.moo = read_only(q[below]);
  n.mmo = read_only(q[below - row]), n.mop = read_only(q[below + 1]);
  n.mom = read_only(q[below - 1]);
  n.opo = read_only(q[row]), n.ooo = read_only(q[0]), n.omo = read_only(q[-row]);
  n.oop = read_only(q[1]), n.oom = read_only(q[-1]);
  const int end = min(i + planes, static_cast<int>(box.hi[0]));
  double sum = 0.0;
  // Unrolled, as nvcc would do it, a plane's loads wait for some of the plane before
  // (docs/lab/gpu-sweeps.md).
  MEMSTENCIL_ROLLED
  for (;;) {
    n.ppo = read_only(q[above + row]), n.poo = read_only(q[above]);
    n.pmo = read_only(q[above - row]), n.pop = read_only(q[above + 1]);
    n.pom = read_only(q[above - 1]);
    n.opp = read_only(q[row + 1]), n.opm = read_only(q[row - 1]);
    n.omp = read_only(q[-row + 1]), n.omm = read_only(q[-row - 1]);
    const float ss = residual(n, coefficients);
    pass.p_next[at] = updated(n.ooo, omega, ss);
    if (point_counts) sum += squared(ss);
    if (planes == 1 || ++i == end) return sum;
    at += plane;
    asm volatile("" : "+l"(at));  // else a loop of 135 instructions, not 116: a pointer an array
    coefficients = coefficients_at<layout>(pass.coefficients, at);
    point_counts = row_counts && counts(0, i);
    q = pass.p + at;
    n.mpo = n.opo, n.moo = n.ooo, n.mmo = n.omo, n.mop = n.oop, n.mom = n.oom;
    n.opo = n.ppo, n.ooo = n.poo, n.omo = n.pmo, n.oop = n.pop, n.oom = n.pom;
  }
}

/// Leaves the sum over the block. Marching tiles add in the order of Kokkos' teams, which launched
/// them before, so that gosa keeps its bits.
template <int planes, bool in_ring>
__device__ __forceinline__ void leave_sum(double sum, double& of_tile) {
  constexpr int lanes = 32, warps = threads_of_block<planes> / lanes;
  constexpr int together = planes == 1 ? 1 : 4;
  __shared__ double of_warps[warps];
  for (int n = 1; n < lanes; n *= 2)
    sum += __shfl_xor_sync(~0U, sum, planes == 1 ? lanes / 2 / n : n);
  const int thread = static_cast<int>(threadIdx.y) * columns + static_cast<int>(threadIdx.x);
  if (thread % lanes == 0) of_warps[thread / lanes] = sum;
  __syncthreads();
  if (thread >= warps) return;
  constexpr unsigned mask = (1U << warps) - 1U;
  sum = of_warps[thread];
  for (int d = warps / 2; d >= together; d /= 2) sum += __shfl_xor_sync(mask, sum, d);
  const double mine = sum;
  for (int warp = 1; warp < together; ++warp) sum += __shfl_sync(mask, mine, warp);
  if (thread == 0) of_tile = in_ring ? of_tile + sum : sum;
}

/// @param first_i, first_j of the tiles that this launch has
template <int planes, Layout layout, bool in_ring>
__global__ void __launch_bounds__(threads_of_block<planes>, 4)
    single_sweep(const __grid_constant__ SingleWork work, int first_i, int first_j) {
  wait_for_queue();
  const Tiling& tiling = work.tiling;
  const int tile_i = first_i + static_cast<int>(blockIdx.z);
  const int tile_j = first_j + static_cast<int>(blockIdx.y);
  const auto start = [&](int d) { return static_cast<int>(tiling.first[d]); };
  const double sum = update_points<planes, layout, in_ring>(
      work, start(0) + tile_i * planes,
      start(1) + tile_j * rows_of_block<planes> + static_cast<int>(threadIdx.y),
      start(2) + static_cast<int>(blockIdx.x * columns + threadIdx.x));
  leave_sum<planes, in_ring>(
      sum, work.sums[tiling.number_of(tile_i, tile_j, static_cast<int>(blockIdx.x))]);
}

template <int planes>
auto kernel_for(Layout layout) {
  return layout == Layout::Packed ? single_sweep<planes, Layout::Packed, false>
                                  : single_sweep<planes, Layout::Arrays, false>;
}

}  // namespace

double memory_bandwidth() {
  constexpr double transfers_of_clock = 2.0, hertz_of_khz = 1e3, bits_of_byte = 8.0;
  return transfers_of_clock * hertz_of_khz * gpu_attribute(cudaDevAttrMemoryClockRate) *
         gpu_attribute(cudaDevAttrGlobalMemoryBusWidth) / bits_of_byte;
}

void sweep_tiles(const Kokkos::Cuda& exec, const SingleWork& work) {
  if (work.tiling.tiles() == 0) return;
  constexpr int most = 65535;  // of a launch's blocks in y and in z
  const auto* const count = work.tiling.count;
  const Layout layout = work.pass.coefficients.layout;
  const auto kernel = work.pass.ring.planes > 0  ? single_sweep<1, Layout::Arrays, true>
                      : work.tiling.size[0] == 1 ? kernel_for<1>(layout)
                                                 : kernel_for<marched_planes>(layout);
  const dim3 threads(columns, static_cast<unsigned>(work.tiling.size[1]));
  for (int i = 0; i < count[0]; i += most)
    for (int j = 0; j < count[1]; j += most) {
      const dim3 blocks(static_cast<unsigned>(count[2]),
                        static_cast<unsigned>(std::min(most, count[1] - j)),
                        static_cast<unsigned>(std::min(most, count[0] - i)));
      check(launch_soon(kernel, blocks, threads, 0, exec.cuda_stream(), work, i, j),
            "single sweep");
    }
}

}  // namespace memstencil::jacobi
