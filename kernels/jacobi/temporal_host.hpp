// T sweeps fused in one pass over the coefficients, on the cores of a host execution space.
#pragma once

#include "kernels/jacobi/temporal_tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace memstencil::jacobi {

/// Owned points of a tile in i and j; in k a tile spans all owned points.
struct TileShape {
  std::int64_t planes;
  std::int64_t rows;
};

/// A shape that gives each of `threads` threads the same number of tiles, and whose T planes of
/// coefficients stay in the caches of this machine.
TileShape host_tile(const Grid& grid, int sweeps, int threads);

/// Fused sweeps for one grid: overlapped tiles, each marched along i by one thread, contiguous tiles
/// to each thread. p is the single sweep's to the bit; gosa is the same from run to run.
template <class ExecutionSpace>
class TemporalHostSweep final : public Sweep {
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible,
                "host rows need a host execution space");

public:
  /// @param grid of every pass to come (its p and coefficients may change)
  /// @param sweeps T, at least 1; the halo of a rank is T wide
  TemporalHostSweep(const Grid& grid, int sweeps, TileShape shape)
      : sweeps_(sweeps), shape_(shape), threads_(ExecutionSpace().concurrency()) {
    split(grid.owned);
    ring_floats_ = ring_floats(grid, sweeps, shape.rows);
    rings_ = Scratch(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi::temporal_rings"),
                     ring_floats_ * static_cast<std::size_t>(threads_));
    sums_.resize(tiles_.size() * static_cast<std::size_t>(sweeps));
  }

  int sweeps() const override { return sweeps_; }

  std::string describe() const override {
    return "temporal:" + std::to_string(sweeps_) + " host rows, tile " + std::to_string(shape_.planes) + "x" +
           std::to_string(shape_.rows);
  }

  void run(const Pass& pass) override {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    const auto tiles = static_cast<std::int64_t>(tiles_.size());
    const Stores stores = Stores::Streaming;
    Kokkos::parallel_for(
        "jacobi::temporal_host",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Static>>(0, threads_),
        [&](const std::int64_t thread) {
          float* const rings = rings_.data() + static_cast<std::size_t>(thread) * ring_floats_;
          for (std::int64_t t = tiles * thread / threads_; t < tiles * (thread + 1) / threads_; ++t)
            march_tile(pass, sweeps_, tiles_[static_cast<std::size_t>(t)], rings, &sums_[static_cast<std::size_t>(t * sweeps_)], stores);
        });
    for (int s = 0; s < sweeps_; ++s) {
      pass.residuals[s] = 0.0;
      for (std::size_t t = 0; t < tiles_.size(); ++t)
        pass.residuals[s] += sums_[t * static_cast<std::size_t>(sweeps_) + static_cast<std::size_t>(s)];
    }
  }

private:
  using Scratch = Kokkos::View<float*, Kokkos::HostSpace>;

  void split(const Box& owned) {
    for (std::int64_t i = owned.lo[0]; i < owned.hi[0]; i += shape_.planes)
      for (std::int64_t j = owned.lo[1]; j < owned.hi[1]; j += shape_.rows)
        tiles_.push_back({{i, j, owned.lo[2]},
                          {std::min(i + shape_.planes, owned.hi[0]), std::min(j + shape_.rows, owned.hi[1]),
                           owned.hi[2]}});
  }

  int sweeps_;
  TileShape shape_;
  int threads_;
  std::vector<Box> tiles_;
  std::size_t ring_floats_;
  Scratch rings_;
  std::vector<double> sums_;  // by tile, then by sweep
};

}  // namespace memstencil::jacobi
