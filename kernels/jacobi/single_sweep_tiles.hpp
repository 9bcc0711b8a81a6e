// The tiles of the portable single sweep: a Kokkos functor for any executor, over any box of points.
//
// A team works on a tile and leaves one double, its sum of squared residuals. (A reduction in the sweep
// itself was measured at half of the speed on an H100.) On a device a thread keeps its (j, k) and marches
// along i: of the 19 values of p that a point needs, ten are then in registers from the plane before. On a
// host a team is one thread, and a tile some rows, each of them a SIMD loop over k.
#pragma once

#include "kernels/jacobi/host_rows.hpp"
#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/stencil.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace memstencil::jacobi {

/// Threads of the largest team on a device.
inline constexpr int device_threads = 256;

template <class Exec>
inline constexpr bool on_host = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

template <class Exec>
using TileSums = Kokkos::View<double*, typename Exec::memory_space>;

constexpr int log2_of(int power) { return power <= 1 ? 0 : 1 + log2_of(power / 2); }

/// How a box of points is cut into tiles, k fastest.
struct Tiling {
  Box box;
  std::int64_t first[3];  ///< where the first tile starts: in k on a 128-byte line
  int size[3];
  int count[3];

  Tiling(const Box& points, int planes, int rows, int columns) : box(points), size{planes, rows, columns} {
    for (int d = 0; d < 3; ++d) {
      first[d] = d == 2 ? points.lo[d] / 32 * 32 : points.lo[d];
      count[d] = static_cast<int>((points.hi[d] - first[d] + size[d] - 1) / size[d]);
    }
  }
  int tiles() const { return count[0] * count[1] * count[2]; }
};

template <class Exec>
struct SweepTiles {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Pass pass;
  Tiling tiling;  ///< of the points to update
  Box counted;    ///< those of them whose residuals are summed
  int k_shift;
  Stores stores;
  Kokkos::View<double*, typename Exec::memory_space> sums;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double sum = 0.0;
    KOKKOS_IF_ON_DEVICE((sum = march(team);))
    KOKKOS_IF_ON_HOST((sum = rows(team);))
    team.team_reduce(Kokkos::Sum<double>(sum));
    Kokkos::single(Kokkos::PerTeam(team), [&]() { sums(team.league_rank()) = sum; });
  }

  /// Corner of the team's tile.
  KOKKOS_FUNCTION void corner(int rank, std::int64_t& i, std::int64_t& j, std::int64_t& k) const {
    const auto n = static_cast<unsigned>(rank);
    const auto nk = static_cast<unsigned>(tiling.count[2]);
    const auto nj = static_cast<unsigned>(tiling.count[1]);
    k = tiling.first[2] + static_cast<std::int64_t>(n % nk) * tiling.size[2];
    j = tiling.first[1] + static_cast<std::int64_t>(n / nk % nj) * tiling.size[1];
    i = tiling.first[0] + static_cast<std::int64_t>(n / nk / nj) * tiling.size[0];
  }

  KOKKOS_FUNCTION double march(const Member& team) const {
    std::int64_t i, j, k;
    corner(team.league_rank(), i, j, k);
    k += team.team_rank() & (tiling.size[2] - 1);
    j += team.team_rank() >> k_shift;
    const Box& box = tiling.box;
    if (j >= box.hi[1] || k < box.lo[2] || k >= box.hi[2]) return 0.0;
    const std::int64_t end = i + tiling.size[0] < box.hi[0] ? i + tiling.size[0] : box.hi[0];

    const Coefficients& c = pass.coefficients;
    const std::int64_t row = pass.grid.pitch;
    const std::int64_t plane = row * pass.grid.extents[1];
    std::int64_t at = i * plane + j * row + k;
    const float* q = pass.p + at;
    Neighbours n{};
    n.mpo = read_only(q[-plane + row]), n.moo = read_only(q[-plane]), n.mmo = read_only(q[-plane - row]),
    n.mop = read_only(q[-plane + 1]), n.mom = read_only(q[-plane - 1]);
    n.opo = read_only(q[row]), n.ooo = read_only(q[0]), n.omo = read_only(q[-row]), n.oop = read_only(q[1]),
    n.oom = read_only(q[-1]);
    const bool counts = counted.lo[1] <= j && j < counted.hi[1] && counted.lo[2] <= k && k < counted.hi[2];
    double sum = 0.0;
    for (; i < end; ++i, at += plane) {
      q = pass.p + at;
      n.ppo = read_only(q[plane + row]), n.poo = read_only(q[plane]), n.pmo = read_only(q[plane - row]),
      n.pop = read_only(q[plane + 1]), n.pom = read_only(q[plane - 1]);
      n.opp = read_only(q[row + 1]), n.opm = read_only(q[row - 1]), n.omp = read_only(q[-row + 1]),
      n.omm = read_only(q[-row - 1]);
      const PointCoefficients pc{read_only(c.a0[at]), read_only(c.a1[at]),   read_only(c.a2[at]),
                                 read_only(c.a3[at]), read_only(c.b0[at]),   read_only(c.b1[at]),
                                 read_only(c.b2[at]), read_only(c.c0[at]),   read_only(c.c1[at]),
                                 read_only(c.c2[at]), read_only(c.wrk1[at]), read_only(c.bnd[at])};
      const float ss = residual(n, pc);
      if (counts && counted.lo[0] <= i && i < counted.hi[0]) sum += squared(ss);
      pass.p_next[at] = updated(n.ooo, omega, ss);
      n.mpo = n.opo, n.moo = n.ooo, n.mmo = n.omo, n.mop = n.oop, n.mom = n.oom;
      n.opo = n.ppo, n.ooo = n.poo, n.omo = n.pmo, n.oop = n.pop, n.oom = n.pom;
    }
    return sum;
  }

  double rows(const Member& team) const {
    std::int64_t i, j, k;
    corner(team.league_rank(), i, j, k);
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
      sum += update_row(inputs, pass.p_next + pass.grid.row(i, j), points, counted_points, stores, copyable,
                        ahead_of(inputs));
    }
    finish_streaming();
    return sum;
  }
};

/// Starts the sweep of the tiling's points; sums(n) gets what tile n counted.
template <class Exec>
void sweep_tiles(const Pass& pass, const Tiling& tiling, const Box& counted, Stores stores,
                 const TileSums<Exec>& sums) {
  const SweepTiles<Exec> tiles{pass, tiling, counted, log2_of(tiling.size[2]), stores, sums};
  if constexpr (on_host<Exec>)
    Kokkos::parallel_for("jacobi: sweep", Kokkos::TeamPolicy<Exec>(tiling.tiles(), 1), tiles);
  else
    Kokkos::parallel_for("jacobi: sweep",
                         Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<device_threads, 4>>(
                             tiling.tiles(), tiling.size[1] * tiling.size[2]),
                         tiles);
}

/// Adds up the first `count` sums, into memory of the executor.
template <class Exec>
void add_sums(const TileSums<Exec>& sums, int count, double* total) {
  Kokkos::parallel_reduce(
      "jacobi: gosa", Kokkos::RangePolicy<Exec>(0, count),
      KOKKOS_LAMBDA(int n, double& sum) { sum += sums(n); },
      Kokkos::View<double, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(total));
}

}  // namespace memstencil::jacobi
