// 7-point diffusion in double.
//
// On a device a thread has two points next to each other in k in each of two rows, and marches
// along a few planes of i, which stay in registers. Tiles go along i before the next window of rows
// in j: so the planes that two tiles share are still in the L2. (In trials on an H100 the windows
// gained most, also against tiles of 64 planes without windows; the second point in k gained a
// little, the second row 5 to 7 % on an H200.) On a host a thread updates rows, each of them a SIMD
// loop over k.
#include "kernels/heat/sweep.hpp"

#include "kernels/grid/tiling.hpp"
#include "kernels/on_host.hpp"
#include "kernels/random.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <string>

namespace memstencil::heat {

namespace {

/// Points of a tile.
constexpr Tile device_tile{64, 8, 4};
constexpr int threads_of_row = device_tile.k / 2,
              device_threads = threads_of_row * device_tile.j / 2;
/// Bytes of one array's plane that a window of rows may have: with those of the ten planes that are
/// read or written at once about half of an H100's L2.
constexpr std::int64_t window_bytes = 2'400'000;

/// The roundings are spelled out: every kernel and every part of a sweep has the same bits.
KOKKOS_INLINE_FUNCTION double updated(double below, double above, double front, double back,
                                      double left, double right, double own) {
  const double around = ((below + above) + (front + back)) + (left + right);
  return multiply_add(diffusion, multiply_add(-6.0, own, around), own);
}

KOKKOS_INLINE_FUNCTION TwoDoubles two_at(const double* q) {
  return read_only(*reinterpret_cast<const TwoDoubles*>(q));
}

template <class Exec>
void march_tiles(const Exec& queue, const Pass& pass, const Tiling& tiling) {
  if (tiling.tiles() == 0) return;
  // Windows of equally many rows, each of a row of tiles or more.
  const std::int64_t rows = static_cast<std::int64_t>(tiling.count[1]) * device_tile.j;
  const std::int64_t row_bytes = pass.grid.pitch * static_cast<std::int64_t>(sizeof(double));
  const int windows = static_cast<int>(std::min<std::int64_t>(
      tiling.count[1], (rows * row_bytes + window_bytes - 1) / window_bytes));
  const int deep = (tiling.count[1] + windows - 1) / windows;  // tiles of a window in j
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<device_threads, 8>>;
  // "Light weight": the kernel's parameters hold its values. Otherwise Kokkos puts as many bytes as
  // these into one buffer of the device, and the host waits there for the kernel before.
  const auto policy = Kokkos::Experimental::require(
      Policy(queue, tiling.count[2] * deep * tiling.count[0] * windows, device_threads),
      Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  Kokkos::parallel_for(
      "heat: sweep", policy, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int n = team.league_rank() / tiling.count[2], thread = team.team_rank();
        const int tile[3] = {n / deep % tiling.count[0],
                             n / deep / tiling.count[0] * deep + n % deep,
                             team.league_rank() % tiling.count[2]};
        const Box& box = tiling.box;
        std::int64_t i = tiling.first[0] + tile[0] * tiling.size[0];
        const std::int64_t j =
            tiling.first[1] + tile[1] * tiling.size[1] + 2 * (thread / threads_of_row);
        const std::int64_t k =
            tiling.first[2] + tile[2] * tiling.size[2] + 2 * (thread % threads_of_row);
        if (tile[1] >= tiling.count[1] || j >= box.hi[1] || k >= box.hi[2]) return;
        const bool two_rows = j + 1 < box.hi[1];
        const bool left_counts = k >= box.lo[2];
        const bool right_counts = k + 1 >= box.lo[2] && k + 1 < box.hi[2];
        const std::int64_t end = i + tiling.size[0] < box.hi[0] ? i + tiling.size[0] : box.hi[0];
        const std::int64_t row = pass.grid.pitch, plane = row * pass.grid.extents[1];
        const double* q = pass.p + i * plane + j * row + k;
        double* out = pass.p_next + (q - pass.p);
        // At q of a row; in `front` and `back` are its neighbours in j.
        const auto update = [&](const double* at, double* to, const TwoDoubles& below,
                                const TwoDoubles& above, const TwoDoubles& front,
                                const TwoDoubles& back, const TwoDoubles& own) {
          const double x =
              updated(below.x, above.x, front.x, back.x, read_only(at[-1]), own.y, own.x);
          const double y =
              updated(below.y, above.y, front.y, back.y, own.x, read_only(at[2]), own.y);
          if (left_counts && right_counts)
            *reinterpret_cast<TwoDoubles*>(to) = {x, y};
          else if (left_counts)
            to[0] = x;
          else if (right_counts)
            to[1] = y;
        };
        TwoDoubles below = two_at(q - plane), own = two_at(q);
        TwoDoubles second_below = two_at(q - plane + row), second_own = two_at(q + row);
        MEMSTENCIL_ROLLED
        for (; i < end; ++i, q += plane, out += plane) {
          const TwoDoubles above = two_at(q + plane), second_above = two_at(q + plane + row);
          update(q, out, below, above, two_at(q - row), second_own, own);
          if (two_rows)
            update(q + row, out + row, second_below, second_above, own, two_at(q + 2 * row),
                   second_own);
          below = own, own = above;
          second_below = second_own, second_own = second_above;
        }
      });
}

template <class Exec>
void sweep_rows(const Exec& queue, const Pass& pass) {
  const Box box = pass.grid.owned;
  const std::int64_t nj = box.hi[1] - box.lo[1], rows = (box.hi[0] - box.lo[0]) * nj;
  Kokkos::parallel_for(
      "heat: sweep", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(queue, 0, rows),
      [=](std::int64_t n) {
        const std::int64_t row = pass.grid.pitch, plane = row * pass.grid.extents[1];
        const std::size_t first = pass.grid.row(box.lo[0] + n / nj, box.lo[1] + n % nj);
        const double* const q = pass.p + first;
        double* const out = pass.p_next + first;
#pragma omp simd
        for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k)
          out[k] =
              updated(q[k - plane], q[k + plane], q[k - row], q[k + row], q[k - 1], q[k + 1], q[k]);
      });
}

template <class Exec>
class SingleSweep final : public Sweep<Exec, Pass> {
public:
  SingleSweep(const Grid& grid, EdgesFirst edges_first)
      : tiling_(grid.owned, device_tile.planes, device_tile.j, device_tile.k),
        split_(grid, tiling_),
        splits_(edges_first != EdgesFirst::No && !split_.edges.empty()) {}

  int sweeps() const override { return 1; }
  std::string describe() const override {
    return on_host<Exec> ? "rows" : "tile " + device_tile.text();
  }
  int slots() const override { return 0; }
  Edges edges() const override { return splits_ ? Edges::Apart : Edges::Last; }
  void add_up(const Exec&, int, double*) override {}

  bool update(const Exec& queue, const Pass& pass, int, const RanksAround<Exec>& around) override {
    if constexpr (on_host<Exec>) {
      sweep_rows(queue, pass);
    } else if (splits_ && around.queue != nullptr) {
      for (const Tiling& slab : split_.edges) march_tiles(*around.queue, pass, slab);
      march_tiles(queue, pass, split_.inner);
    } else {
      march_tiles(queue, pass, tiling_);
    }
    return false;
  }

private:
  Tiling tiling_;
  SplitTiles split_;
  bool splits_;
};

/// A factor of the eigenmode; 0 at the grid's ends.
KOKKOS_INLINE_FUNCTION double sine(const Filling& filling, int d, std::int64_t local) {
  const std::int64_t at = filling.origin[d] + local, last = filling.global[d] - 1;
  if (at == 0 || at == last) return 0.0;
  return Kokkos::sin(Kokkos::numbers::pi * static_cast<double>(at) / static_cast<double>(last));
}

}  // namespace

template <class Exec>
std::unique_ptr<Sweep<Exec, Pass>> make_sweep(const Exec&, const Grid& grid,
                                              EdgesFirst edges_first) {
  return std::make_unique<SingleSweep<Exec>>(grid, edges_first);
}

template <class Exec>
void initialise(const Exec& exec, const Grid& grid, const Filling& filling, double* p) {
  const bool random = filling.seed.has_value();
  const std::uint64_t seed = filling.seed.value_or(0);
  // One team a plane: on the host a thread then touches the planes that it will sweep.
  using Policy = Kokkos::TeamPolicy<Exec>;
  const Policy planes(exec, static_cast<int>(grid.extents[0]), Kokkos::AUTO,
                      Policy::vector_length_max());
  Kokkos::parallel_for(
      "heat: initialise", planes, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const std::int64_t i = team.league_rank();
        Kokkos::parallel_for(
            Kokkos::TeamThreadRange(team, grid.extents[1]), [&](const std::int64_t j) {
              const double of_row = sine(filling, 0, i) * sine(filling, 1, j);
              const std::int64_t n =
                  ((filling.origin[0] + i) * filling.global[1] + filling.origin[1] + j) *
                      filling.global[2] +
                  filling.origin[2];
              double* const row = p + grid.row(i, j);
              Kokkos::parallel_for(
                  Kokkos::ThreadVectorRange(team, grid.pitch), [&](const std::int64_t k) {
                    double value = k < grid.extents[2] ? of_row * sine(filling, 2, k) : 0.0;
                    if (random && value != 0.0)
                      value = 0x1p-53 *
                              static_cast<double>(
                                  element_hash(seed, 0, static_cast<std::uint64_t>(n + k)) >> 11);
                    row[k] = value;
                  });
            });
      });
  exec.fence("heat: initialise");
}

template <class Exec>
double distance(const Exec& exec, const Grid& grid, const double* p, double factor,
                const double* other) {
  const Box box = grid.owned;
  const std::int64_t nj = box.hi[1] - box.lo[1], nk = box.hi[2] - box.lo[2];
  double furthest = 0.0;
  Kokkos::parallel_reduce(
      "heat: distance",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, box.points()),
      KOKKOS_LAMBDA(const std::int64_t n, double& most) {
        const std::size_t at = grid.row(box.lo[0] + n / nk / nj, box.lo[1] + n / nk % nj) +
                               static_cast<std::size_t>(box.lo[2] + n % nk);
        const double off = Kokkos::abs(p[at] - factor * other[at]);
        if (!(off <= most)) most = off == off ? off : Kokkos::Experimental::infinity_v<double>;
      },
      Kokkos::Max<double>(furthest));
  return furthest;
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                            \
  template std::unique_ptr<Sweep<Exec, Pass>> make_sweep(const Exec&, const Grid&, EdgesFirst); \
  template void initialise(const Exec&, const Grid&, const Filling&, double*);                  \
  template double distance(const Exec&, const Grid&, const double*, double, const double*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::heat
