// Every sweep that an execution space has for a grid.
#include "kernels/jacobi/variants.hpp"

#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/temporal_host.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "kernels/jacobi/streamed_sweep.hpp"
#include "kernels/jacobi/temporal_cuda.hpp"
#endif

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace memstencil::jacobi {

namespace {

constexpr int most_host_sweeps = 8;

template <class Exec>
std::vector<Variant> host_variants() {
  std::vector<Variant> out{
      {1, "rows", "", [](const Grid& grid) { return make_single_sweep<Exec>(grid, single_tiles.front()); }}};
  for (int sweeps = 2; sweeps <= most_host_sweeps; ++sweeps)
    out.push_back({sweeps, "strips", "", [sweeps](const Grid& grid) {
                     return std::make_unique<TemporalHostSweep<Exec>>(grid, sweeps);
                   }});
  return out;
}

#if defined(KOKKOS_ENABLE_CUDA)

/// One of the native fused sweeps behind the common contract.
class TemporalCudaSweep final : public Sweep {
public:
  TemporalCudaSweep(const Grid& grid, std::size_t tile)
      : tile_(tile),
        scratch_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of fused tiles"),
                 temporal_cuda_scratch_doubles(grid, tile)) {}
  int sweeps() const override { return temporal_tiles[tile_].sweeps; }
  std::string describe() const override { return std::string("tile ") + temporal_tiles[tile_].name; }
  void run(const Pass& pass) override {
    temporal_cuda(pass, tile_, scratch_.data(), Kokkos::Cuda().cuda_stream());
  }

private:
  std::size_t tile_;
  Kokkos::View<double*, Kokkos::CudaSpace> scratch_;
};

/// Behind a link only the sweeps a pass count; a device makes this many while the next slab arrives.
constexpr int streamed_sweeps[] = {2, 3, 4, 6, 8, 12, 16};

template <class Exec>
std::vector<Variant> device_variants(const Grid& grid, std::size_t window_bytes) {
  std::vector<Variant> out;
  for (const Tile& tile : single_tiles)
    out.push_back(
        {1, tile_text(tile), "", [tile](const Grid& g) { return make_single_sweep<Exec>(g, tile); }});
  if (window_bytes > 0) {
    // The tiles below overlap, and would bring the points they share over the link several times.
    for (const int sweeps : streamed_sweeps) {
      const bool fits = streamed_planes(grid, sweeps, window_bytes) >= 1;
      out.push_back({sweeps, "streamed", fits ? "" : "the window in device memory is too small",
                     [=](const Grid& g) { return make_streamed_sweep<Exec>(g, sweeps, window_bytes); }});
    }
    return out;
  }
  for (std::size_t n = 0; n < temporal_tiles.size(); ++n) {
    const TemporalTile& tile = temporal_tiles[n];
    out.push_back({tile.sweeps, tile.name, refuse_temporal_cuda(grid, tile.sweeps, n),
                   [n](const Grid& g) { return std::make_unique<TemporalCudaSweep>(g, n); }});
  }
  return out;
}

#endif

}  // namespace

template <>
std::vector<Variant> variants<Kokkos::DefaultHostExecutionSpace>(const Grid&, std::size_t) {
  return host_variants<Kokkos::DefaultHostExecutionSpace>();
}
#if defined(KOKKOS_ENABLE_CUDA)
template <>
std::vector<Variant> variants<Kokkos::DefaultExecutionSpace>(const Grid& grid, std::size_t window_bytes) {
  return device_variants<Kokkos::DefaultExecutionSpace>(grid, window_bytes);
}
#endif

}  // namespace memstencil::jacobi
