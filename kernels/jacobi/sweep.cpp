// The kinds of sweep that each execution space offers for a grid: one list each.
#include "kernels/jacobi/sweep.hpp"

#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/temporal_host.hpp"
#include "kernels/queue.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "kernels/jacobi/temporal_cuda.hpp"
#endif

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <utility>

namespace memstencil::jacobi {

namespace {

/// Adds an offer to a list, whose maker is a lambda (exec, edges first).
template <class Exec, class Maker>
SweepOffer& offer(std::vector<SweepOffer>& out, const char* name, int sweeps,
                  const std::string& tile, Maker maker) {
  // Not pushed as braces: GCC 12 then warns of texts that an exception would leave unmade.
  SweepOffer& added = out.emplace_back();
  added.kind.name = name;
  added.kind.sweeps = sweeps;
  added.kind.tile = tile;
  added.maker = SweepMaker<Exec>(std::move(maker));
  return added;
}

/// Bytes of the rows that all threads keep between fused sweeps. None for so large a grid that no
/// memory holds its arrays.
double host_bytes_of_rows(const Grid& grid, int sweeps) {
  constexpr double most_elements = 0x1p50;  // beyond, 64 bits may not count the rows
  if (grid.elements_wanted() > most_elements) return 0;
  const int threads = host_threads();
  const std::size_t floats = scratch_floats(grid, sweeps, host_tile(grid, sweeps, threads));
  return threads * static_cast<double>(floats * sizeof(float));
}

}  // namespace

std::string name(const SweepKind& kind) {
  return kind.sweeps <= 1 ? kind.name : kind.name + ":" + std::to_string(kind.sweeps);
}

std::string full_name(const SweepKind& kind) {
  return kind.tile.empty() ? name(kind) : name(kind) + ":" + kind.tile;
}

// On a host.
template <class Exec>
std::vector<SweepOffer> sweep_offers(const Grid& grid, std::size_t) {
  constexpr int most_sweeps = 8;
  std::vector<SweepOffer> out;
  offer<Exec>(out, "single", 1, "rows", [grid](const Exec&, EdgesFirst edges_first) {
    return std::make_unique<SingleSweep<Exec>>(grid, single_tiles.front(), edges_first);
  });
  for (int sweeps = 2; sweeps <= most_sweeps; ++sweeps)
    offer<Exec>(out, "temporal", sweeps, "strips", [grid, sweeps](const Exec& exec, EdgesFirst) {
      return std::make_unique<TemporalHostSweep<Exec>>(exec, grid, sweeps,
                                                       host_tile(grid, sweeps, exec.concurrency()));
    }).bytes = host_bytes_of_rows(grid, sweeps);
  return out;
}

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

/// Bytes of the sums that two sweeps of any kind keep, about at most: of 16 passes, a double a tile
/// of 512 points or more (tile_sums.hpp).
double device_bytes_of_sums(const Grid& grid) {
  constexpr double most = double{1 << 25}, a_point = 16.0 * sizeof(double) / 512;
  return 2.0 * std::min(most, a_point * static_cast<double>(grid.owned.points()));
}

/// Behind a link the number of sweeps a pass alone counts: tiles that overlap would bring the
/// points they share over the link several times.
void offer_streamed(std::vector<SweepOffer>& out, const Grid& grid, double window_bytes) {
  constexpr int most = 256;
  const int fused = stream_fuses(grid);
  for (int sweeps = 2; sweeps <= most; ++sweeps) {
    const auto shape = stream_shape(grid, sweeps, fused, window_bytes);
    SweepOffer& added = offer<Kokkos::Cuda>(
        out, "temporal", sweeps, "streamed", [=](const Kokkos::Cuda& exec, EdgesFirst) {
          return make_streamed_sweep(exec, grid, sweeps, *shape);
        });
    added.tried = sweeps == 16 || (sweeps % 32 == 0 && sweeps <= 128);
    if (!shape) {
      added.why_not = "the ring of planes needs more of the device's memory than there is";
      continue;
    }
    added.seams = shape->step;
    added.bytes = shape->bytes;
  }
}

}  // namespace

template <>
std::vector<SweepOffer> sweep_offers<Kokkos::Cuda>(const Grid& grid, std::size_t window_bytes) {
  using Exec = Kokkos::Cuda;
  std::vector<SweepOffer> out;
  const std::int64_t points = grid.owned.points();
  const bool one_rank = points == grid.interior.points();
  auto tiles = single_tiles;
  if (window_bytes == 0 && plane_tiles_pay(memory_bandwidth(), points, one_rank))
    std::swap(tiles[0], tiles[1]);
  for (const Tile& tile : tiles) {
    const bool first = out.empty();
    SweepOffer& added = offer<Exec>(
        out, "single", 1, tile.text(), [grid, tile](const Exec&, EdgesFirst edges_first) {
          return std::make_unique<SingleSweep<Exec>>(grid, tile, edges_first);
        });
    added.tried = first || window_bytes == 0;  // over a link they are all alike
  }
  if (window_bytes > 0) offer_streamed(out, grid, static_cast<double>(window_bytes));
  for (std::size_t n = 0; n < temporal_tiles.size() && window_bytes == 0; ++n) {
    SweepOffer& added =
        offer<Exec>(out, "temporal", temporal_tiles[n].sweeps, temporal_tiles[n].name,
                    [grid, n](const Exec& exec, EdgesFirst edges_first) {
                      return make_temporal_cuda(exec, grid, n, edges_first);
                    });
    added.why_not = why_not_temporal_cuda(grid, n);
    if (added.why_not.empty() && !one_rank) added.cost = cost_of_temporal_cuda(grid, n);
  }
  for (SweepOffer& each : out) each.bytes += device_bytes_of_sums(grid);
  return out;
}

#endif

template <class Exec>
std::unique_ptr<Sweep<Exec>> make_sweep(const Exec& exec, const Grid& grid, const SweepKind& asked,
                                        EdgesFirst edges_first) {
  for (const SweepOffer& each : sweep_offers<Exec>(grid))
    if (each.kind.is(asked) && each.why_not.empty()) return each.make(exec, edges_first);
  throw std::invalid_argument("no sweep " + full_name(asked) + " is offered here");
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                           \
  template std::vector<SweepOffer> sweep_offers<Exec>(const Grid&, std::size_t);               \
  template std::unique_ptr<Sweep<Exec>> make_sweep(const Exec&, const Grid&, const SweepKind&, \
                                                   EdgesFirst);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::jacobi
