// The single sweep: one pass is two kernels on any execution space, a sweep of tiles and a sum.
//
// A tile leaves one double, its sum of squared residuals. (A reduction in the sweep itself was
// measured at half of the speed on an H100.) A GPU's tiles have a kernel of their own
// (single_cuda.cu). On a host a team is one thread, and a tile some rows, each of them a SIMD loop
// over k.
#pragma once

#include "kernels/grid/tiling.hpp"
#include "kernels/host_caches.hpp"
#include "kernels/jacobi/host_rows.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "kernels/jacobi/tile_sums.hpp"
#include "kernels/on_host.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace memstencil::jacobi {

/// Tiles of a GPU (himeno --sweep auto tries them). The first, which brings a plane of p once, is
/// the default, or the second if plane_tiles_pay() says so.
inline constexpr std::array<Tile, 2> single_tiles{{{128, 2, 8}, {128, 4, 1}}};
inline constexpr Tile marching_tile = single_tiles[0];
/// A thread for each point.
inline constexpr Tile plane_tile = single_tiles[1];

/// Whether tiles of one plane are faster than tiles that march (docs/lab/gpu-sweeps.md): on an H100
/// always, and on an H200 for small parts of a divided grid. There marching tiles, launched late
/// then, were the slower ones; none has been measured on several GPUs since.
/// @param bandwidth nominal, of the GPU's memory, in bytes a second: H100 3.35e12, H200 4.9e12
/// @param points of this rank
constexpr bool plane_tiles_pay(double bandwidth, std::int64_t points, bool one_rank) {
  return bandwidth < 4.1e12 || (!one_rank && points < 8'000'000);
}

struct SingleWork {
  Pass pass;
  Tiling tiling;  ///< of the points to update, by one of single_tiles
  Box counted;    ///< of the points whose residuals are summed
  double* sums;   ///< by the tiles' numbers; in a ring (Pass) they are added to the values there
};

#if defined(KOKKOS_ENABLE_CUDA)
/// Nominal bandwidth of the memory of this GPU, in bytes a second.
double memory_bandwidth();

/// Starts the sweep. In a ring: of plane_tile.
/// @throws std::runtime_error if a launch fails
void sweep_tiles(const Kokkos::Cuda& exec, const SingleWork& work);
#endif

/// Rows of a plane that a host thread updates between two fences of its streaming stores.
inline constexpr int rows_of_host_tile = 64;

/// The tiles of a host. They have whole rows.
template <class Exec>
struct RowTiles {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  SingleWork work;
  Stores stores;

  void operator()(const Member& team) const {
    const Tiling& tiling = work.tiling;
    const int i = team.league_rank() / tiling.count[1], j = team.league_rank() % tiling.count[1];
    work.sums[tiling.number_of(i, j, 0)] =
        rows(tiling.first[0] + i, tiling.first[1] + std::int64_t{j} * tiling.size[1]);
  }

  double rows(std::int64_t i, std::int64_t j) const {
    const auto& [pass, tiling, counted, sums] = work;
    const Box& box = tiling.box;
    const std::int64_t end = std::min(j + tiling.size[1], box.hi[1]);
    const Span points{box.lo[2], box.hi[2]};
    const bool plane_counts = counted.lo[0] <= i && i < counted.hi[0];
    const Span copyable = copyable_points(pass.grid);
    double sum = 0.0;
    for (; j < end; ++j) {
      const bool row_counts = plane_counts && counted.lo[1] <= j && j < counted.hi[1];
      const Span counted_points =
          row_counts ? Span{counted.lo[2], counted.hi[2]} : Span{points.lo, points.lo};
      const RowInputs inputs = row_inputs(pass.grid, pass.coefficients, pass.p, i, j);
      sum += update_row(inputs, pass.p_next + pass.grid.row(i, j), points, counted_points, stores,
                        copyable, Prefetch(ahead_of(inputs)));
    }
    finish_streaming();
    return sum;
  }
};

/// Starts the sweep of a host.
template <class Exec>
void sweep_rows(const Exec& exec, const SingleWork& work, Stores stores) {
  if (work.tiling.tiles() == 0) return;
  Kokkos::parallel_for("jacobi: sweep", Kokkos::TeamPolicy<Exec>(exec, work.tiling.tiles(), 1),
                       RowTiles<Exec>{work, stores});
}

template <class Exec>
class SingleSweep final : public Sweep<Exec> {
public:
  /// @param tile of a device
  /// @param edges_first Yes and Soonest: the tiles with points that other ranks get stand apart
  SingleSweep(const Grid& grid, const Tile& tile, EdgesFirst edges_first)
      : tile_(tile),
        tiling_(on_host<Exec>
                    ? Tiling(grid.owned, 1, rows_of_host_tile, static_cast<int>(grid.owned.hi[2]))
                    : Tiling(grid.owned, tile.planes, tile.j, tile.k)),
        split_(grid, tiling_),
        splits_(edges_first != EdgesFirst::No && !split_.edges.empty()),
        stores_(stores_for(grid)),
        sums_(tiling_.tiles()) {}

  int sweeps() const override { return 1; }
  std::string describe() const override { return on_host<Exec> ? "rows" : "tile " + tile_.text(); }
  int slots() const override { return sums_.slots(); }
  Edges edges() const override { return splits_ ? Edges::Apart : Edges::Last; }

  bool update(const Exec& queue, const Pass& pass, int slot,
              const RanksAround<Exec>& around) override {
    if (splits_ && around.queue != nullptr) {
      update_edges(*around.queue, pass, slot);
      update_inner(queue, pass, slot);
    } else {
      sweep(queue, pass, tiling_, slot);
    }
    return false;
  }
  /// Every tile with points that other ranks get.
  void update_edges(const Exec& queue, const Pass& pass, int slot) const {
    for (const Tiling& slab : split_.edges) sweep(queue, pass, slab, slot);
  }
  /// All other tiles; they read no halo.
  void update_inner(const Exec& queue, const Pass& pass, int slot) const {
    sweep(queue, pass, split_.inner, slot);
  }
  void add_up(const Exec& queue, int slots, double* out) override {
    sums_.add_up(queue, slots, out);
  }

private:
  void sweep(const Exec& queue, const Pass& pass, const Tiling& tiles, int slot) const {
    const SingleWork work{pass, tiles, pass.grid.owned, sums_.of(slot)};
    if constexpr (on_host<Exec>)
      sweep_rows(queue, work, stores_);
    else
      sweep_tiles(queue, work);
  }
  /// Stores past the caches pay if the arrays do not fit them.
  static Stores stores_for(const Grid& grid) {
    const std::size_t bytes = (array_count + 1) * sizeof(float) * grid.elements();
    return bytes > host_caches().last_level ? Stores::Streaming : Stores::Cached;
  }

  Tile tile_;
  Tiling tiling_;
  SplitTiles split_;
  bool splits_;
  Stores stores_;
  SlottedSums<Exec> sums_;
};

}  // namespace memstencil::jacobi
