// The kinds of sweep that an execution space has for a grid, and making one of them.
#include "kernels/jacobi/sweep.hpp"

#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/temporal_host.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "kernels/jacobi/streamed_sweep.hpp"
#include "kernels/jacobi/temporal_cuda.hpp"
#endif

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace memstencil::jacobi {

namespace {

using Method = SweepKind::Method;

constexpr int most_host_sweeps = 8;
constexpr const char* host_single_tile = "rows";
constexpr const char* host_fused_tile = "strips";

[[noreturn]] void not_offered(const SweepKind& kind) {
  throw std::invalid_argument("no sweep " + name(kind) + " " + kind.tile + " is offered here");
}

bool is_tile(const std::string& text, const SweepKind& kind) {
  return kind.tile.empty() || kind.tile == text;
}

/// Those of the host's execution space, which need not have started.
int host_threads() {
  if (const char* const asked = std::getenv("KOKKOS_NUM_THREADS"))
    return std::max(std::atoi(asked), 1);
#if defined(KOKKOS_ENABLE_OPENMP)
  return omp_get_max_threads();
#elif defined(KOKKOS_ENABLE_THREADS) || defined(KOKKOS_ENABLE_HPX)
  return static_cast<int>(std::thread::hardware_concurrency());
#else
  return 1;
#endif
}

/// Not pushed as braces: GCC 12 then warns of texts that an exception would leave unmade.
void offer(std::vector<OfferedSweep>& out, Method method, int sweeps, const std::string& tile,
           const std::string& refused = "") {
  OfferedSweep& offered = out.emplace_back();
  offered.kind.method = method;
  offered.kind.sweeps = sweeps;
  offered.kind.tile = tile;
  offered.refused = refused;
}

}  // namespace

std::string name(const SweepKind& kind) {
  return kind.sweeps == 1 ? "single" : "temporal:" + std::to_string(kind.sweeps);
}

// On a host.

double host_bytes_of_rows(const Grid& grid, int sweeps) {
  constexpr double most_elements = 0x1p50;  // beyond, 64 bits may not count the rows
  if (sweeps == 1 || grid.elements_wanted() > most_elements) return 0;
  const int threads = host_threads();
  const std::size_t floats = scratch_floats(grid, sweeps, host_tile(grid, sweeps, threads));
  return threads * static_cast<double>(floats * sizeof(float));
}

template <class Exec>
std::vector<OfferedSweep> sweeps_offered(const Grid&, std::size_t) {
  std::vector<OfferedSweep> out;
  offer(out, Method::Single, 1, host_single_tile);
  for (int sweeps = 2; sweeps <= most_host_sweeps; ++sweeps)
    offer(out, Method::Fused, sweeps, host_fused_tile);
  return out;
}

template <class Exec>
std::unique_ptr<Sweep<Exec>> make_sweep(const Exec& exec, const Grid& grid, const SweepKind& kind,
                                        std::size_t, EdgesFirst edges_first) {
  if (kind.method == Method::Single && is_tile(host_single_tile, kind))
    return std::make_unique<SingleSweep<Exec>>(grid, single_tiles.front(), edges_first);
  if (kind.method == Method::Fused && is_tile(host_fused_tile, kind))
    return std::make_unique<TemporalHostSweep<Exec>>(exec, grid, kind.sweeps);
  not_offered(kind);
}

using Host = Kokkos::DefaultHostExecutionSpace;
template std::vector<OfferedSweep> sweeps_offered<Host>(const Grid&, std::size_t);
template std::unique_ptr<Sweep<Host>> make_sweep(const Host&, const Grid&, const SweepKind&,
                                                 std::size_t, EdgesFirst);

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

/// Behind a link only the sweeps a pass count; a device makes this many
/// while the next slab arrives.
constexpr int streamed_sweeps[] = {2, 3, 4, 6, 8, 12, 16};

}  // namespace

template <>
std::vector<OfferedSweep> sweeps_offered<Kokkos::Cuda>(const Grid& grid, std::size_t window_bytes) {
  std::vector<OfferedSweep> out;
  for (const Tile& tile : single_tiles) offer(out, Method::Single, 1, tile.text());
  if (window_bytes > 0) {
    // Fused tiles overlap, and would bring the points they share over the link several times.
    for (const int sweeps : streamed_sweeps) {
      const bool fits = streamed_planes(grid, sweeps, window_bytes) >= 1;
      offer(out, Method::Streamed, sweeps, "streamed",
            fits ? "" : "the window in device memory is too small");
    }
    return out;
  }
  for (std::size_t n = 0; n < temporal_tiles.size(); ++n)
    offer(out, Method::Fused, temporal_tiles[n].sweeps, temporal_tiles[n].name,
          refuse_temporal_cuda(grid, n));
  return out;
}

template <>
std::unique_ptr<Sweep<Kokkos::Cuda>> make_sweep(const Kokkos::Cuda& exec, const Grid& grid,
                                                const SweepKind& kind, std::size_t window_bytes,
                                                EdgesFirst edges_first) {
  if (kind.method == Method::Streamed)
    return make_streamed_sweep(exec, grid, kind.sweeps, window_bytes);
  if (kind.method == Method::Single)
    for (const Tile& tile : single_tiles)
      if (is_tile(tile.text(), kind))
        return std::make_unique<SingleSweep<Kokkos::Cuda>>(grid, tile, edges_first);
  if (kind.method == Method::Fused)
    for (std::size_t n = 0; n < temporal_tiles.size(); ++n)
      if (temporal_tiles[n].sweeps == kind.sweeps && is_tile(temporal_tiles[n].name, kind))
        return make_temporal_cuda(exec, grid, n, edges_first);
  not_offered(kind);
}

#endif

}  // namespace memstencil::jacobi
