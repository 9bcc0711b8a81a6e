// The portable single sweep: one Kokkos kernel for every space and executor.
//
// A team works on a tile and leaves one double, its sum of squared residuals; a second, small kernel
// adds these up. (A reduction in the sweep itself was measured at half of the speed on an H100.)
// On a device a thread keeps its (j, k) and marches along i: of the 19 values of p that a point
// needs, ten are then in registers from the plane before. On a host a team is one thread, and a tile
// a few rows, each of them a SIMD loop over k.
#include "kernels/jacobi/single_sweep.hpp"

#include "kernels/host_caches.hpp"
#include "kernels/jacobi/host_rows.hpp"
#include "kernels/jacobi/stencil.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace memstencil::jacobi {

namespace {

/// Threads of the largest team.
constexpr int device_threads = 256;
/// Rows of a plane that a host thread updates between two fences of its streaming stores.
constexpr int rows_of_host_tile = 64;
/// Teams that give each multiprocessor of a large GPU several.
constexpr std::int64_t enough_tiles = 1000;

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
  Tiling tiling;
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
      sum += squared(ss);
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
    const Span copyable = copyable_points(pass.grid);
    double sum = 0.0;
    for (; j < end; ++j) {
      const RowInputs inputs = row_inputs(pass.grid, pass.coefficients, pass.p, i, j);
      sum += update_row(inputs, pass.p_next + pass.grid.row(i, j), points, points, stores, copyable,
                        ahead_of(inputs));
    }
    finish_streaming();
    return sum;
  }
};

template <class Exec>
class SingleSweep final : public Sweep {
  static constexpr bool on_host = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

public:
  SingleSweep(const Grid& grid, const Tile& tile)
      : tile_(tile),
        tiling_(on_host ? Tiling(grid.owned, 1, rows_of_host_tile, static_cast<int>(grid.owned.hi[2]))
                        : Tiling(grid.owned, tile.planes, tile.j, tile.k)),
        stores_(14 * sizeof(float) * grid.floats() > host_caches().last_level ? Stores::Streaming
                                                                              : Stores::Cached),
        sums_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of the tiles"),
              static_cast<std::size_t>(tiling_.tiles())) {}

  int sweeps() const override { return 1; }

  std::string describe() const override { return on_host ? "rows" : "tile " + tile_text(tile_); }

  void run(const Pass& pass) override {
    const SweepTiles<Exec> tiles{pass, tiling_, log2_of(tile_.k), stores_, sums_};
    if constexpr (on_host)
      Kokkos::parallel_for("jacobi: sweep", Kokkos::TeamPolicy<Exec>(tiling_.tiles(), 1), tiles);
    else
      Kokkos::parallel_for("jacobi: sweep",
                           Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<device_threads, 4>>(
                               tiling_.tiles(), tile_.k * tile_.j),
                           tiles);
    const auto sums = sums_;
    Kokkos::parallel_reduce(
        "jacobi: gosa", Kokkos::RangePolicy<Exec>(0, tiling_.tiles()),
        KOKKOS_LAMBDA(int n, double& sum) { sum += sums(n); },
        Kokkos::View<double, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
            pass.residuals));
  }

private:
  Tile tile_;
  Tiling tiling_;
  Stores stores_;
  Kokkos::View<double*, typename Exec::memory_space> sums_;
};

}  // namespace

std::string tile_text(const Tile& tile) {
  return std::to_string(tile.k) + "x" + std::to_string(tile.j) + "x" + std::to_string(tile.planes);
}

std::vector<Tile> single_tiles(const Grid& grid) {
  const std::int64_t planes = grid.owned.points() / (device_threads * enough_tiles);
  const int march = static_cast<int>(std::clamp<std::int64_t>(planes, 4, 16));
  return {{128, 2, march}, {256, 1, march}, {64, 4, march}, {128, 1, march},
          {64, 2, march},  {128, 2, 8},     {128, 2, 32},   {64, 4, 64}};
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
