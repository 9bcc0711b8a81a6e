// The single sweep's native twin for CUDA: tiles of one plane, a thread for each point, in the
// order of the arrays. Then the planes of p that three planes of blocks read stay in the L2, if the
// coefficients, which are not read again, are the first to leave it.
#include "kernels/cuda_calls.cuh"
#include "kernels/jacobi/plane_tiles.hpp"
#include "kernels/jacobi/stencil.hpp"
#include "kernels/launch_soon.cuh"

#include <cuda_runtime.h>

#include <algorithm>

namespace memstencil::jacobi {
namespace {

constexpr int threads = plane_tile.k * plane_tile.j;

__device__ __forceinline__ bool within(int n, std::int64_t lo, std::int64_t hi) {
  return static_cast<int>(lo) <= n && n < static_cast<int>(hi);
}

/// Updates the point of this thread; its part of gosa.
template <Layout layout, bool in_ring>
__device__ __forceinline__ double update_point(const PlaneWork& work, int i, int j, int k) {
  const Box& box = work.tiling.box;
  if (j >= static_cast<int>(box.hi[1]) || !within(k, box.lo[2], box.hi[2])) return 0.0;
  const Pass& pass = work.pass;
  const std::int64_t row = pass.grid.pitch, plane = row * pass.grid.extents[1];
  std::int64_t place = i, below = -plane, above = plane;
  if constexpr (in_ring) {
    const std::int64_t planes = pass.ring.planes;
    place += pass.ring.first;
    if (place >= planes) place -= planes;
    if (place == 0) below += planes * plane;
    if (place == planes - 1) above -= planes * plane;
  }
  const std::int64_t at = place * plane + j * row + k;
  // Before the loads, and the coefficients before p: so nothing of the indices is kept, the threads
  // of four blocks have registers, and all loads are under way together.
  const Box& counted = work.counted;
  const bool counts = within(i, counted.lo[0], counted.hi[0]) &&
                      within(j, counted.lo[1], counted.hi[1]) &&
                      within(k, counted.lo[2], counted.hi[2]);
  const PointCoefficients coefficients = coefficients_at<layout>(pass.coefficients, at);
  const float* const q = pass.p + at;
  const Neighbours around = neighbours_of([&](int di, int dj, int dk) {
    const float* const of_plane = di < 0 ? q + below : di > 0 ? q + above : q;
    return read_only(of_plane[dj * row + dk]);
  });
  const float ss = residual(around, coefficients);
  pass.p_next[at] = updated(around.ooo, omega, ss);
  return counts ? squared(ss) : 0.0;
}

/// @param first_i, first_j of the tiles that this launch has
template <Layout layout, bool in_ring>
__global__ void __launch_bounds__(threads, 4)
    plane_tiles(const __grid_constant__ PlaneWork work, int first_i, int first_j) {
  wait_for_queue();
  const Tiling& tiling = work.tiling;
  const int tile_i = first_i + static_cast<int>(blockIdx.z);
  const int tile_j = first_j + static_cast<int>(blockIdx.y);
  const auto start = [&](int d) { return static_cast<int>(tiling.first[d]); };
  double sum = update_point<layout, in_ring>(
      work, start(0) + tile_i, start(1) + tile_j * plane_tile.j + static_cast<int>(threadIdx.y),
      start(2) + static_cast<int>(blockIdx.x * plane_tile.k + threadIdx.x));
  __shared__ double of_warps[threads / 32];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0U, sum, d);
  const unsigned thread = threadIdx.y * plane_tile.k + threadIdx.x;
  if (thread % 32 == 0) of_warps[thread / 32] = sum;
  __syncthreads();
  if (thread >= threads / 32) return;
  sum = of_warps[thread];
  for (int d = threads / 64; d > 0; d /= 2)
    sum += __shfl_xor_sync((1U << threads / 32) - 1U, sum, d);
  if (thread > 0) return;
  double& of_tile = work.sums[tiling.number_of(tile_i, tile_j, static_cast<int>(blockIdx.x))];
  of_tile = in_ring ? of_tile + sum : sum;
}

}  // namespace

bool plane_tiles_pay(std::int64_t points) {
  // Between M's 4.1e6, where they are 1.06 times as fast on an H200, and 192x192x384's 13.8e6,
  // where that is 0.98: their blocks are a quarter as large, and launched while others end.
  constexpr std::int64_t few = 8'000'000;
  // Between an H100's 3.35e12, where they are 1.02 to 1.05 times as fast, and an H200's 4.9e12,
  // where that is 0.94 to 0.98 for more points.
  constexpr double most_bytes_per_second = 4.1e12;
  if (points < few) return true;
  return 2e3 * gpu_attribute(cudaDevAttrMemoryClockRate) *
             gpu_attribute(cudaDevAttrGlobalMemoryBusWidth) / 8 <
         most_bytes_per_second;
}

void sweep_planes(const Kokkos::Cuda& exec, const PlaneWork& work) {
  constexpr int most = 65535;  // of a launch's blocks in y and in z
  const auto* const count = work.tiling.count;
  const auto kernel = work.pass.ring.planes > 0 ? plane_tiles<Layout::Arrays, true>
                      : work.pass.coefficients.layout == Layout::Packed
                          ? plane_tiles<Layout::Packed, false>
                          : plane_tiles<Layout::Arrays, false>;
  for (int i = 0; i < count[0]; i += most)
    for (int j = 0; j < count[1]; j += most) {
      const dim3 blocks(static_cast<unsigned>(count[2]),
                        static_cast<unsigned>(std::min(most, count[1] - j)),
                        static_cast<unsigned>(std::min(most, count[0] - i)));
      check(launch_soon(kernel, blocks, dim3(plane_tile.k, plane_tile.j), 0, exec.cuda_stream(),
                        work, i, j),
            "single sweep");
    }
}

}  // namespace memstencil::jacobi
