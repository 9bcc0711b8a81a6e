// The portable single sweep: one pass is two kernels on any execution space,
// a sweep of tiles and a sum.
//
// A team works on a tile and leaves one double, its sum of squared residuals. (A reduction in
// the sweep itself was measured at half of the speed on an H100.) On a device a thread keeps
// its (j, k) and marches along i: of the 19 values of p that a point needs, ten are then in
// registers from the plane before. Tiles of one plane have a kernel of CUDA's own. On a host a team
// is one thread, and a tile some rows, each of them a SIMD loop over k.
#pragma once

#include "kernels/grid/tiling.hpp"
#include "kernels/host_caches.hpp"
#include "kernels/jacobi/host_rows.hpp"
#include "kernels/jacobi/plane_tiles.hpp"
#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "kernels/jacobi/tile_sums.hpp"
#include "kernels/on_host.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace memstencil::jacobi {

/// Tiles worth trying on a device (himeno --sweep auto). The first is the default, or the second,
/// which brings a plane of p once: behind a link, and if plane_tiles_pay() says no.
inline constexpr std::array<Tile, 8> single_tiles{{plane_tile,
                                                   {128, 2, 8},
                                                   {256, 1, 8},
                                                   {64, 4, 8},
                                                   {128, 1, 8},
                                                   {128, 2, 4},
                                                   {128, 2, 16},
                                                   {64, 4, 64}}};

/// Threads of the largest team on a device.
inline constexpr int device_threads = 256;
/// Rows of a plane that a host thread updates between two fences of its streaming stores.
inline constexpr int rows_of_host_tile = 64;

constexpr int log2_of(int power) { return power <= 1 ? 0 : 1 + log2_of(power / 2); }

/// The data of a sweep over tiles.
template <class Exec>
struct SweptTiles {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Pass pass;
  Tiling tiling;  ///< of the points to update
  Box counted;    ///< of the points whose residuals are summed
  double* sums;   ///< by the tiles' numbers

  /// The team's tile.
  KOKKOS_FUNCTION void tile(int rank, int& i, int& j, int& k) const {
    const auto n = static_cast<unsigned>(rank);
    const auto nk = static_cast<unsigned>(tiling.count[2]);
    const auto nj = static_cast<unsigned>(tiling.count[1]);
    k = static_cast<int>(n % nk);
    j = static_cast<int>(n / nk % nj);
    i = static_cast<int>(n / nk / nj);
  }
  /// Its corner.
  KOKKOS_FUNCTION void corner(int rank, std::int64_t& i, std::int64_t& j, std::int64_t& k) const {
    int of[3];
    tile(rank, of[0], of[1], of[2]);
    i = tiling.first[0] + static_cast<std::int64_t>(of[0]) * tiling.size[0];
    j = tiling.first[1] + static_cast<std::int64_t>(of[1]) * tiling.size[1];
    k = tiling.first[2] + static_cast<std::int64_t>(of[2]) * tiling.size[2];
  }
  KOKKOS_FUNCTION double& sum(int rank) const {
    int of[3];
    tile(rank, of[0], of[1], of[2]);
    return sums[tiling.number_of(of[0], of[1], of[2])];
  }
};

/// The tiles on a device.
template <class Exec, Layout layout>
struct MarchedTiles : SweptTiles<Exec> {
  using Tiles = SweptTiles<Exec>;
  using Tiles::pass, Tiles::tiling, Tiles::counted;
  using typename Tiles::Member;

  int k_shift;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double sum = march(team);
    team.team_reduce(Kokkos::Sum<double>(sum));
    Kokkos::single(Kokkos::PerTeam(team), [&]() { this->sum(team.league_rank()) = sum; });
  }

  KOKKOS_FUNCTION double march(const Member& team) const {
    std::int64_t i, j, k;
    this->corner(team.league_rank(), i, j, k);
    k += team.team_rank() & (tiling.size[2] - 1);
    j += team.team_rank() >> k_shift;
    const Box& box = tiling.box;
    if (j >= box.hi[1] || k < box.lo[2] || k >= box.hi[2]) return 0.0;
    const std::int64_t end = i + tiling.size[0] < box.hi[0] ? i + tiling.size[0] : box.hi[0];

    const std::int64_t row = pass.grid.pitch;
    const std::int64_t plane = row * pass.grid.extents[1];
    std::int64_t at = i * plane + j * row + k;
    const float* q = pass.p + at;
    Neighbours n{};
    n.mpo = read_only(q[-plane + row]), n.moo = read_only(q[-plane]),
    n.mmo = read_only(q[-plane - row]), n.mop = read_only(q[-plane + 1]),
    n.mom = read_only(q[-plane - 1]);
    n.opo = read_only(q[row]), n.ooo = read_only(q[0]), n.omo = read_only(q[-row]),
    n.oop = read_only(q[1]), n.oom = read_only(q[-1]);
    const bool counts =
        counted.lo[1] <= j && j < counted.hi[1] && counted.lo[2] <= k && k < counted.hi[2];
    double sum = 0.0;
    // Unrolled, as nvcc would do it, a plane's loads wait for some of the plane before
    // (docs/lab/gpu-sweeps.md). So all loads of a plane are under way together.
    MEMSTENCIL_ROLLED
    for (; i < end; ++i, at += plane) {
      q = pass.p + at;
      n.ppo = read_only(q[plane + row]), n.poo = read_only(q[plane]),
      n.pmo = read_only(q[plane - row]), n.pop = read_only(q[plane + 1]),
      n.pom = read_only(q[plane - 1]);
      n.opp = read_only(q[row + 1]), n.opm = read_only(q[row - 1]), n.omp = read_only(q[-row + 1]),
      n.omm = read_only(q[-row - 1]);
      const float ss = residual(n, coefficients_at<layout>(pass.coefficients, at));
      if (counts && counted.lo[0] <= i && i < counted.hi[0]) sum += squared(ss);
      pass.p_next[at] = updated(n.ooo, omega, ss);
      n.mpo = n.opo, n.moo = n.ooo, n.mmo = n.omo, n.mop = n.oop, n.mom = n.oom;
      n.opo = n.ppo, n.ooo = n.poo, n.omo = n.pmo, n.oop = n.pop, n.oom = n.pom;
    }
    return sum;
  }
};

/// The tiles on a host.
template <class Exec>
struct RowTiles : SweptTiles<Exec> {
  using Tiles = SweptTiles<Exec>;
  using Tiles::pass, Tiles::tiling, Tiles::counted;
  using typename Tiles::Member;

  Stores stores;

  void operator()(const Member& team) const {
    this->sum(team.league_rank()) = rows(team.league_rank());
  }

  double rows(int tile) const {
    std::int64_t i, j, k;
    this->corner(tile, i, j, k);
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

/// The sweep on a device.
template <Layout layout, class Exec>
void march_tiles(const Exec& exec, const SweptTiles<Exec>& tiles) {
  const Tiling& tiling = tiles.tiling;
  // "Light weight": its values travel as the kernel's parameters. Otherwise Kokkos puts as
  // many bytes as these into one buffer of the device, and the host waits there for the
  // kernel before, of any instance.
  Kokkos::parallel_for("jacobi: sweep",
                       Kokkos::Experimental::require(
                           Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<device_threads, 4>>(
                               exec, tiling.tiles(), tiling.size[1] * tiling.size[2]),
                           Kokkos::Experimental::WorkItemProperty::HintLightWeight),
                       MarchedTiles<Exec, layout>{tiles, log2_of(tiling.size[2])});
}

/// Starts the sweep of the tiling's points.
/// @param sums gets the sum of each tile, by the tiles' numbers
template <class Exec>
void sweep_tiles(const Exec& exec, const Pass& pass, const Tiling& tiling, const Box& counted,
                 Stores stores, double* sums) {
  if (tiling.tiles() == 0) return;
  const SweptTiles<Exec> tiles{pass, tiling, counted, sums};
  if constexpr (on_host<Exec>)
    Kokkos::parallel_for("jacobi: sweep", Kokkos::TeamPolicy<Exec>(exec, tiling.tiles(), 1),
                         RowTiles<Exec>{tiles, stores});
  else if (tiling.size[0] == plane_tile.planes)
    sweep_planes(exec, {pass, tiling, counted, sums});
  else if (pass.coefficients.layout == Layout::Packed)
    march_tiles<Layout::Packed>(exec, tiles);
  else
    march_tiles<Layout::Arrays>(exec, tiles);
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
  bool splits() const override { return splits_; }

  void update(const Exec& queue, const Pass& pass, Part part, int slot) override {
    const auto sweep = [&](const Tiling& tiles) {
      sweep_tiles(queue, pass, tiles, pass.grid.owned, stores_, sums_.of(slot));
    };
    if (!splits_) return sweep(tiling_);
    if (part != Part::Inner)
      for (const Tiling& slab : split_.edges) sweep(slab);
    if (part != Part::Edges) sweep(split_.inner);
  }
  void add_up(const Exec& queue, int slots, double* out) override {
    sums_.add_up(queue, slots, out);
  }

private:
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
