// The fused sweep on a GPU: refusals, its launch, and the sum of gosa.
#include "kernels/jacobi/temporal_cuda.hpp"

#include "kernels/jacobi/temporal_cuda_shapes.cuh"
#include "kernels/jacobi/tile_sums.hpp"
#include "kernels/l2_halves.hpp"
#include "kernels/queue.hpp"

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace memstencil::jacobi {
namespace {

/// Second level of gosa: block (s, m) adds the `count` partial sums of sweep s of pass m, always in
/// the same order. A pass's sums start `stride` after the sums of the pass before.
__global__ void __launch_bounds__(256)
    temporal_sums(const double* all, std::int64_t stride, std::int64_t count, double* residuals) {
  const double* const partials = all + blockIdx.y * stride;
  __shared__ double sums[256];
  double sum = 0.0;
  for (std::int64_t n = threadIdx.x; n < count; n += 256) sum += partials[blockIdx.x * count + n];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width) sums[threadIdx.x] += sums[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) residuals[blockIdx.y * gridDim.x + blockIdx.x] = sums[0];
}

TemporalPlan plan_here(const Grid& grid, const TemporalTile& tile, EdgesFirst edges_first) {
  return plan_temporal(grid, tile.sweeps, tile.rows, gpu_attribute(cudaDevAttrMultiProcessorCount),
                       edges_first);
}

class TemporalCudaSweep final : public Sweep<Kokkos::Cuda> {
public:
  TemporalCudaSweep(const Kokkos::Cuda& exec, const Grid& grid, std::size_t tile,
                    EdgesFirst edges_first)
      : tile_(temporal_tiles.at(tile)),
        march_(compiled_at(tile)),
        plan_(plan_here(grid, tile_, edges_first)),
        first_plane_(static_cast<int>(grid.owned.lo[0])),
        parts_(parts_of(plan_)),
        edges_(counts_edges() ? static_cast<unsigned>(parts_.edges) : 0U),
        partials_(static_cast<std::size_t>(plan_.blocks()) *
                  static_cast<std::size_t>(tile_.sweeps)),
        doubles_(partials_ + (counter_bytes() + sizeof(double) - 1) / sizeof(double)),
        slots_(slots_for<Kokkos::Cuda>(doubles_ * sizeof(double))),
        scratch_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of fused tiles"),
                 static_cast<std::size_t>(slots_) * doubles_),
        edges_made_("jacobi: fused tiles at other ranks", 1),
        parts_here_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: parts of a pass"),
                    static_cast<std::size_t>(plan_.blocks())) {
    for (const auto& kernels : march_.kernels)
      for (const auto kernel : kernels)
        check(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, march_.bytes),
            "fused sweep, shared memory");
    choose_lists();
    TemporalPart* to = parts_here_.data();
    for (const auto& list : parts_.lists) {
      check(cudaMemcpyAsync(to, list.data(), list.size() * sizeof(TemporalPart), cudaMemcpyDefault,
                            exec.cuda_stream()),
            "fused sweep, parts");
      to += list.size();
    }
    clear_counters(exec, slots_);
    exec.fence("jacobi: parts and counters of fused tiles");
  }

  int sweeps() const override { return tile_.sweeps; }
  std::string describe() const override { return std::string("tile ") + tile_.name; }
  int slots() const override { return slots_; }
  Edges edges() const override { return edges_ > 0 ? Edges::Early : Edges::Last; }

  bool update(const Kokkos::Cuda& queue, const Pass& pass, int slot,
              const RanksAround<Kokkos::Cuda>& around) override {
    const bool stores = !around.stores.empty() && around.stores.size() <= most_temporal_stores;
    const auto kernel = march_.kernels[stores][pass.coefficients.layout == Layout::Packed];
    const auto blocks = static_cast<unsigned>(plan_.blocks());
    const auto threads = static_cast<unsigned>(march_.threads);
    const auto bytes = static_cast<std::size_t>(march_.bytes);
    TemporalWork work = work_of(pass, scratch(slot));
    if (stores) {
      std::copy(around.stores.begin(), around.stores.end(), work.stores);
      work.store_count = static_cast<int>(around.stores.size());
      check(launch_soon(kernel, blocks, threads, bytes, queue.cuda_stream(), work), "fused sweep");
    } else {
      kernel<<<blocks, threads, bytes, queue.cuda_stream()>>>(work);
      check(cudaGetLastError(), "fused sweep");
    }
    edges_wanted_ += edges_;
    if (edges_ > 0 && around.queue != nullptr)
      wait_for_counter(edges_made_.data(), edges_wanted_, around.queue->cuda_stream());
    return stores;
  }
  void add_up(const Kokkos::Cuda& queue, int slots, double* out) override {
    const dim3 blocks(static_cast<unsigned>(tile_.sweeps), static_cast<unsigned>(slots));
    temporal_sums<<<blocks, 256, 0, queue.cuda_stream()>>>(
        scratch(0), static_cast<std::int64_t>(doubles_), plan_.blocks(), out);
    check(cudaGetLastError(), "fused sweep, sum of gosa");
    clear_counters(queue, slots);
  }

private:
  /// Only if a queue may wait for them: each counting block has a fence of the whole system.
  bool counts_edges() const {
    return why_not_queue_counters().empty() && edges_early(TemporalSteps(plan_, tile_.sweeps));
  }
  /// A slot: a sum for each sweep and block, two counters of turns, and the progress of each wave.
  double* scratch(int slot) const {
    return scratch_.data() + static_cast<std::size_t>(slot) * doubles_;
  }
  std::size_t counter_bytes() const { return (2 + parts_.members.size()) * sizeof(int); }
  /// Makes the first `slots` slots ready for passes.
  void clear_counters(const Kokkos::Cuda& queue, int slots) const {
    check(cudaMemset2DAsync(scratch(0) + partials_, doubles_ * sizeof(double), 0, counter_bytes(),
                            static_cast<std::size_t>(slots), queue.cuda_stream()),
          "fused sweep, counters");
  }

  /// The list that each multiprocessor takes its parts from: those near one half of the L2 from
  /// one, up to the number in the plan. If the GPU showed no halves, any will do.
  void choose_lists() {
    const Kokkos::View<unsigned*, Kokkos::CudaSpace> lines(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: lines of the L2"),
        l2_halves_bytes / sizeof(unsigned));
    const L2Halves& halves = l2_halves(lines.data());
    int wanted = plan_.processors[1];
    for (const int half : {1, 0})
      for (std::size_t n = 0; n < std::min(halves.half_of.size(), 32 * std::size(list_of_)); ++n) {
        if (wanted == 0 || halves.half_of[n] != half) continue;
        list_of_[n / 32] |= 1U << n % 32;
        --wanted;
      }
  }

  TemporalWork work_of(const Pass& pass, double* scratch) const {
    const Grid& grid = pass.grid;
    const bool ring = pass.ring.planes > 0;
    Grid in_memory = grid;
    if (ring) in_memory.extents[0] = pass.ring.planes;
    const auto rows = static_cast<cuuint32_t>(tile_.rows);
    const auto& coefficients = pass.coefficients.arrays;
    TemporalWork work{};
    if (pass.coefficients.layout == Layout::Packed)
      work.coefficients[0] = map_of_packed(in_memory, coefficients[0], rows);
    else
      for (std::size_t a = 0; a < std::size(coefficients); ++a)
        work.coefficients[a] = map_of(in_memory, coefficients[a], rows);
    work.p = map_of(in_memory, pass.p, rows + 2);
    work.p_next = pass.p_next;
    work.partials = scratch;
    work.turns = reinterpret_cast<int*>(scratch + partials_);
    work.progress = reinterpret_cast<unsigned*>(work.turns + 2);
    work.edges = edges_ > 0 ? edges_made_.data() : nullptr;
    std::copy(std::begin(list_of_), std::end(list_of_), work.list_of);
    work.plane_bytes = static_cast<std::int64_t>(grid.row(1, 0) * sizeof(float));
    work.pitch = static_cast<int>(grid.pitch);
    work.first_plane = first_plane_;
    work.ring_first = static_cast<int>(pass.ring.first);
    work.ring_planes = ring ? static_cast<int>(pass.ring.planes) : std::numeric_limits<int>::max();
    work.ring_end = ring ? reinterpret_cast<char*>(pass.p_next + in_memory.elements())
                         : reinterpret_cast<char*>(std::numeric_limits<std::uintptr_t>::max());
    work.interior = grid.interior;
    work.owned = grid.owned;
    work.tiling = plan_.tiling;
    work.parts = parts_here_.data();
    for (std::size_t list = 0; list < 2; ++list)
      work.parts_of_list[list] = static_cast<int>(parts_.lists[list].size());
    return work;
  }

  TemporalTile tile_;
  Compiled march_;
  TemporalPlan plan_;
  int first_plane_;
  TemporalParts parts_;
  unsigned edges_;                  ///< parts at other ranks' points; 0 if they are not counted
  std::size_t partials_, doubles_;  ///< of a slot
  int slots_;
  Kokkos::View<double*, Kokkos::CudaSpace> scratch_;
  Kokkos::View<unsigned*, Kokkos::CudaSpace> edges_made_;  ///< by all passes so far, modulo 2^32
  Kokkos::View<TemporalPart*, Kokkos::CudaSpace> parts_here_;
  unsigned edges_wanted_ = 0;  ///< by all that were started
  unsigned list_of_[std::extent_v<decltype(TemporalWork::list_of)>] = {};
};

}  // namespace

double cost_of_temporal_cuda(const Grid& grid, std::size_t tile) {
  const TemporalTile& its = temporal_tiles.at(tile);
  return cost_of_pass(TemporalSteps(plan_here(grid, its, EdgesFirst::No), its.sweeps), its.rows);
}

std::string why_not_temporal_cuda(const Grid& grid, std::size_t tile) {
  if (grid.owned.empty()) return "there are no points to update";
  if (grid.extents[0] > std::numeric_limits<std::int32_t>::max() / 2)
    return "the grid has 2^30 or more planes";
  // Offsets in a plane are counted in bytes in 32 bits, with room for a tile beyond the last row.
  const double plane =
      static_cast<double>(grid.extents[1] + 64) * static_cast<double>(grid.pitch) * sizeof(float);
  if (plane > static_cast<double>(std::numeric_limits<std::int32_t>::max()))
    return "a plane of the grid has 2 GiB or more";
  if (grid.pitch % 4 != 0) return "rows do not start at multiples of 16 bytes";
  if (gpu_attribute(cudaDevAttrComputeCapabilityMajor) < 9)
    return "fused sweeps on a GPU need its tensor copy engine (compute capability 9.0 or newer)";
  const Compiled march = compiled_at(tile);
  if (!compiled_for_hopper(reinterpret_cast<const void*>(march.kernels[0][0])))
    return "this program was compiled for GPUs older than Hopper, and has no fused sweeps on a GPU";
  const int offered = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (march.bytes > offered)
    return "the tile needs " + std::to_string(march.bytes) +
           " bytes of shared memory a block and this GPU has " + std::to_string(offered);
  if (plan_here(grid, temporal_tiles[tile], EdgesFirst::Soonest).blocks() >
      std::numeric_limits<std::int32_t>::max())
    return "the grid has more tiles than a launch can have blocks";
  return {};
}

std::unique_ptr<Sweep<Kokkos::Cuda>> make_temporal_cuda(const Kokkos::Cuda& exec, const Grid& grid,
                                                        std::size_t tile, EdgesFirst edges_first) {
  return std::make_unique<TemporalCudaSweep>(exec, grid, tile, edges_first);
}

}  // namespace memstencil::jacobi
