// The portable single sweep: one Kokkos kernel for every space and executor.
#include "kernels/jacobi/single_sweep.hpp"

#include "kernels/host_caches.hpp"
#include "kernels/jacobi/single_sweep_tiles.hpp"

namespace memstencil::jacobi {

namespace {

/// Rows of a plane that a host thread updates between two fences of its streaming stores.
constexpr int rows_of_host_tile = 64;

/// Stores past the caches pay where the arrays do not fit them.
Stores stores_for(const Grid& grid) {
  const std::size_t bytes = (array_count + 1) * sizeof(float) * grid.floats();
  return bytes > host_caches().last_level ? Stores::Streaming : Stores::Cached;
}

template <class Exec>
class SingleSweep final : public Sweep {
public:
  SingleSweep(const Grid& grid, const Tile& tile)
      : tile_(tile),
        tiling_(on_host<Exec> ? Tiling(grid.owned, 1, rows_of_host_tile, static_cast<int>(grid.owned.hi[2]))
                              : Tiling(grid.owned, tile.planes, tile.j, tile.k)),
        stores_(stores_for(grid)),
        sums_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of the tiles"),
              static_cast<std::size_t>(tiling_.tiles())) {}

  int sweeps() const override { return 1; }
  std::string describe() const override { return on_host<Exec> ? "rows" : "tile " + tile_text(tile_); }

  void run(const Pass& pass) override {
    sweep_tiles<Exec>(pass, tiling_, pass.grid.owned, stores_, sums_);
    add_sums<Exec>(sums_, tiling_.tiles(), pass.residuals);
  }

private:
  Tile tile_;
  Tiling tiling_;
  Stores stores_;
  TileSums<Exec> sums_;
};

}  // namespace

std::string tile_text(const Tile& tile) {
  return std::to_string(tile.k) + "x" + std::to_string(tile.j) + "x" + std::to_string(tile.planes);
}

template <class Exec>
std::unique_ptr<Sweep> make_single_sweep(const Grid& grid, const Tile& tile) {
  return std::make_unique<SingleSweep<Exec>>(grid, tile);
}

template std::unique_ptr<Sweep> make_single_sweep<Kokkos::DefaultHostExecutionSpace>(const Grid&,
                                                                                     const Tile&);
#if defined(KOKKOS_ENABLE_CUDA)
template std::unique_ptr<Sweep> make_single_sweep<Kokkos::DefaultExecutionSpace>(const Grid&, const Tile&);
#endif

}  // namespace memstencil::jacobi
