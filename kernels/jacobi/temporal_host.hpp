// T sweeps fused in one pass over the coefficients, on the cores of a host execution space.
#pragma once

#include "kernels/jacobi/temporal_tile.hpp"
#include "kernels/on_host.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::jacobi {

/// Fused sweeps for one grid: tiles marched each by one thread, contiguous tiles to each thread. p
/// is the single sweep's to the bit; gosa depends on the tiles, not on the run.
template <class Exec>
class TemporalHostSweep final : public Sweep<Exec> {
  static_assert(on_host<Exec>, "rows in host memory need a host execution space");

public:
  /// @param grid of all passes to come
  /// @param sweeps T, at least 1; a rank's halo has to be T wide
  TemporalHostSweep(const Exec& exec, const Grid& grid, int sweeps, const HostTile& shape)
      : sweeps_(sweeps),
        shape_(shape),
        threads_(exec.concurrency()),
        tiles_(split(grid.owned, shape)),
        thread_floats_(scratch_floats(grid, sweeps, shape)),
        scratch_(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: rows between fused sweeps"),
            thread_floats_ * static_cast<std::size_t>(threads_)),
        sums_(tiles_.size() * static_cast<std::size_t>(sweeps)) {}

  int sweeps() const override { return sweeps_; }

  std::string describe() const override {
    return "tiles of " + std::to_string(shape_.planes) + "x" + std::to_string(shape_.rows) +
           " rows in strips of " + std::to_string(shape_.strip);
  }

  bool update(const Exec& queue, const Pass& pass, int, const RanksAround<Exec>&) override {
    Kokkos::parallel_for(
        "jacobi: fused sweeps on the host",
        Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(queue, 0, threads_),
        [&](const std::int64_t thread) { march(pass, thread); });
    queue.fence("jacobi: fused sweeps on the host");
    return false;
  }
  void add_up(const Exec&, int, double* out) override {
    std::fill(out, out + sweeps_, 0.0);
    for (std::size_t n = 0; const double sum : sums_)
      out[n++ % static_cast<std::size_t>(sweeps_)] += sum;
  }

private:
  static std::vector<Box> split(const Box& owned, const HostTile& shape) {
    std::vector<Box> tiles;
    if (owned.empty()) return tiles;
    for (std::int64_t i = owned.lo[0]; i < owned.hi[0]; i += shape.planes)
      for (std::int64_t j = owned.lo[1]; j < owned.hi[1]; j += shape.rows)
        tiles.push_back({{i, j, owned.lo[2]},
                         {std::min(i + shape.planes, owned.hi[0]),
                          std::min(j + shape.rows, owned.hi[1]), owned.hi[2]}});
    return tiles;
  }

  void march(const Pass& pass, std::int64_t thread) {
    const auto tiles = static_cast<std::int64_t>(tiles_.size());
    float* const scratch = scratch_.data() + static_cast<std::size_t>(thread) * thread_floats_;
    for (std::int64_t t = tiles * thread / threads_; t < tiles * (thread + 1) / threads_; ++t)
      march_tile(pass, sweeps_, tiles_[static_cast<std::size_t>(t)], shape_, scratch,
                 sums_.data() + t * sweeps_);
  }

  int sweeps_;
  HostTile shape_;
  int threads_;
  std::vector<Box> tiles_;
  std::size_t thread_floats_;
  Kokkos::View<float*, Kokkos::HostSpace> scratch_;  // each thread's own part
  std::vector<double> sums_;                         // by tile and sweep
};

}  // namespace memstencil::jacobi
