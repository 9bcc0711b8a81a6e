// Host side of the fused sweep: which shapes are compiled, whether one suits, and its launch.
#include "kernels/jacobi/temporal_cuda.hpp"

#include "kernels/jacobi/temporal_cuda_kernel.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace memstencil::jacobi {
namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// A compiled shape: the kernel and what it needs.
struct Compiled {
  void (*kernel)(TemporalWork);
  int bytes;
};

template <std::size_t Tile>
Compiled compiled() {
  constexpr TemporalTile tile = temporal_tiles[Tile];
  static_assert(tile.slots == tile.sweeps || tile.slots == tile.sweeps - 1);
  static_assert(2 * tile.warps > 2 * (tile.sweeps - 1));
  return {temporal_march<tile.sweeps, tile.warps, tile.slots>,
          TileShape<tile.sweeps, tile.warps, tile.slots>::bytes};
}

template <std::size_t... Tiles>
Compiled compiled_at(std::size_t tile, std::index_sequence<Tiles...>) {
  const Compiled all[] = {compiled<Tiles>()...};
  return all[tile];
}

Compiled compiled_at(std::size_t tile) {
  return compiled_at(tile, std::make_index_sequence<temporal_tiles.size()>{});
}

TemporalPlan plan_here(const Grid& grid, const TemporalTile& tile) {
  return plan_temporal(grid, tile.sweeps, 2 * tile.warps, attribute(cudaDevAttrMultiProcessorCount));
}

TemporalWork work_of(const Pass& pass, const TemporalTile& tile, double* scratch) {
  const Grid& grid = pass.grid;
  const Coefficients& c = pass.coefficients;
  const float* coefficients[] = {c.a0, c.a1, c.a2, c.a3, c.b0, c.b1, c.b2, c.c0, c.c1, c.c2, c.wrk1, c.bnd};
  TemporalWork work{};
  std::copy(std::begin(coefficients), std::end(coefficients), work.coefficients);
  work.p = pass.p;
  work.p_next = pass.p_next;
  work.partials = scratch;
  for (int d = 0; d < 3; ++d) work.extents[d] = static_cast<int>(grid.extents[d]);
  work.pitch = static_cast<int>(grid.pitch);
  work.plane_bytes = static_cast<std::int64_t>(grid.row(1, 0) * sizeof(float));
  work.interior = grid.interior;
  work.owned = grid.owned;
  work.plan = plan_here(grid, tile);
  return work;
}

}  // namespace

std::string refuse_temporal_cuda(const Grid& grid, int sweeps, std::size_t tile) {
  if (tile >= temporal_tiles.size() || temporal_tiles[tile].sweeps != sweeps)
    return "no tile is compiled for " + std::to_string(sweeps) + " fused sweeps under this name";
  if (grid.owned.empty()) return "there are no points to update";
  // Offsets in a plane are counted in bytes in 32 bits, with room for a tile beyond the last row.
  const double plane =
      static_cast<double>(grid.extents[1] + 64) * static_cast<double>(grid.pitch) * sizeof(float);
  if (plane > static_cast<double>(std::numeric_limits<std::int32_t>::max()))
    return "a plane of the grid has 2 GiB or more";
  if (grid.pitch % 4 != 0) return "rows do not start at multiples of 16 bytes";
  const int offered = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (compiled_at(tile).bytes > offered)
    return "the tile needs " + std::to_string(compiled_at(tile).bytes) +
           " bytes of shared memory a block and this GPU has " + std::to_string(offered);
  if (plan_here(grid, temporal_tiles[tile]).blocks() > std::numeric_limits<std::int32_t>::max())
    return "the grid has more tiles than a launch can have blocks";
  return {};
}

std::size_t temporal_cuda_scratch_doubles(const Grid& grid, std::size_t tile) {
  const TemporalTile& shape = temporal_tiles.at(tile);
  return static_cast<std::size_t>(plan_here(grid, shape).blocks()) * static_cast<std::size_t>(shape.sweeps);
}

void temporal_cuda(const Pass& pass, std::size_t tile, double* scratch, void* stream) {
  const TemporalTile& shape = temporal_tiles.at(tile);
  const Compiled march = compiled_at(tile);
  const TemporalWork work = work_of(pass, shape, scratch);
  const auto blocks = static_cast<unsigned>(work.plan.blocks());
  const auto queue = static_cast<cudaStream_t>(stream);
  check(cudaFuncSetAttribute(march.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, march.bytes),
        "fused sweep, shared memory");
  march.kernel<<<blocks, 32U * static_cast<unsigned>(shape.warps), static_cast<std::size_t>(march.bytes),
                 queue>>>(work);
  check(cudaGetLastError(), "fused sweep");
  temporal_sums<<<static_cast<unsigned>(shape.sweeps), 256, 0, queue>>>(scratch, blocks, pass.residuals);
  check(cudaGetLastError(), "fused sweep, sum of gosa");
}

}  // namespace memstencil::jacobi
