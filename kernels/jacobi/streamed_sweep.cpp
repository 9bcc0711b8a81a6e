// Fused sweeps of arrays that lie behind a link: slabs of planes pass once through a window in the
// executor's own memory, and all sweeps of the pass are made there.
#include "kernels/jacobi/streamed_sweep.hpp"

#include "kernels/jacobi/single_sweep.hpp"

#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace memstencil::jacobi {

namespace {

/// Arrays of a window: the 13 of the problem, and the second p.
constexpr int window_arrays = array_count + 1;
/// Two windows: one is swept while the other is filled.
constexpr int windows = 2;

std::size_t plane_floats(const Grid& grid) {
  return static_cast<std::size_t>(grid.extents[1]) * static_cast<std::size_t>(grid.pitch);
}

/// Planes [first, last) of the arrays in a window, of which the owned ones are this slab's.
struct Slab {
  std::int64_t first, last;
  std::int64_t owned_first, owned_last;
};

std::vector<Slab> cut(const Grid& grid, int sweeps, std::int64_t planes) {
  std::vector<Slab> slabs;
  for (std::int64_t i = grid.owned.lo[0]; i < grid.owned.hi[0]; i += planes) {
    const std::int64_t end = std::min(i + planes, grid.owned.hi[0]);
    slabs.push_back(
        {std::max<std::int64_t>(i - sweeps, 0), std::min(end + sweeps, grid.extents[0]), i, end});
  }
  return slabs;
}

/// The grid as the kernel sees it in a window: planes count from the window's first.
Grid window_grid(const Grid& grid, const Slab& slab) {
  Grid w = grid;
  w.extents[0] = slab.last - slab.first;
  w.interior.lo[0] = std::max<std::int64_t>(grid.interior.lo[0] - slab.first, 0);
  w.interior.hi[0] = std::min(grid.interior.hi[0] - slab.first, w.extents[0]);
  w.owned.lo[0] = slab.owned_first - slab.first;
  w.owned.hi[0] = slab.owned_last - slab.first;
  return w;
}

Tiling tiling(const Box& box) {
  constexpr Tile tile = single_tiles.front();
  return Tiling(box, tile.planes, tile.j, tile.k);
}

/// gosa of each sweep of some passes over all slabs. (A free function: nvcc takes no device lambda
/// in a private one.)
template <class Exec>
void add_slabs(const Exec& exec, const double* of_slabs, int slabs, int sweeps, int passes,
               double* out) {
  Kokkos::parallel_for(
      "jacobi: gosa", Kokkos::RangePolicy<Exec>(exec, 0, passes * sweeps), KOKKOS_LAMBDA(int s) {
        const double* const of_pass = of_slabs + s / sweeps * slabs * sweeps;
        double sum = 0.0;
        for (int n = 0; n < slabs; ++n) sum += of_pass[n * sweeps + s % sweeps];
        out[s] = sum;
      });
}

template <class Exec>
class StreamedSweep final : public Sweep<Exec> {
  using Near = Kokkos::View<float*, typename Exec::memory_space>;
  using Far = Kokkos::View<const float*, Kokkos::SharedHostPinnedSpace,
                           Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

public:
  StreamedSweep(const Exec& exec, const Grid& grid, int sweeps, std::int64_t planes)
      : grid_(grid),
        sweeps_(sweeps),
        planes_(planes),
        slabs_(cut(grid, sweeps, planes)),
        link_(Kokkos::Experimental::partition_space(exec, 1).front()),
        residuals_("jacobi: gosa of slabs", 2 * slabs_.size() * static_cast<std::size_t>(sweeps)) {
    std::int64_t most_planes = 0;
    int most_tiles = 0;
    for (const Slab& slab : slabs_) {
      most_planes = std::max(most_planes, slab.last - slab.first);
      const Grid w = window_grid(grid, slab);
      most_tiles = std::max(most_tiles, tiling(grown(w.owned, sweeps, w.interior)).tiles());
    }
    array_floats_ = static_cast<std::size_t>(most_planes) * plane_floats(grid);
    const auto allocated = [&](std::size_t arrays) {
      return Near(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: window"),
                  arrays * array_floats_);
    };
    for (Window& window : windows_)
      window = {allocated(coefficient_count), allocated(1), allocated(1)};
    sums_ =
        TileSums<Exec>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of the tiles"),
                       static_cast<std::size_t>(most_tiles));
  }

  int sweeps() const override { return sweeps_; }
  std::string describe() const override {
    return "streamed, slabs of " + std::to_string(planes_) + " planes";
  }

  void update(const Exec& queue, const Pass& pass, Part, int slot) override {
    queue.fence("jacobi: the arrays are what the last pass left");
    fill(pass, 0);
    link_.fence("jacobi: first slab");
    for (std::size_t n = 0; n < slabs_.size(); ++n) {
      if (n + 1 < slabs_.size()) fill(pass, n + 1);
      sweep(queue, pass, n, of_slabs(slot) + n * static_cast<std::size_t>(sweeps_));
      link_.fence("jacobi: next slab");
      queue.fence("jacobi: this slab");
    }
  }
  void add_up(const Exec& queue, Slots slots, double* out) override {
    add_slabs(queue, of_slabs(slots.first), static_cast<int>(slabs_.size()), sweeps_, slots.count,
              out);
  }

private:
  /// The slab's coefficients, in their layout, and its p twice.
  struct Window {
    Near coefficients, p, next;
  };

  /// gosa of each sweep of the slot's first slab, then of the next.
  double* of_slabs(int slot) const {
    return residuals_.data() +
           static_cast<std::size_t>(slot) * slabs_.size() * static_cast<std::size_t>(sweeps_);
  }

  /// Starts the copies of slab n into its window.
  void fill(const Pass& pass, std::size_t n) {
    const Slab& slab = slabs_[n];
    const Window& window = windows_[n % windows];
    const std::size_t offset = static_cast<std::size_t>(slab.first) * plane_floats(grid_);
    const std::size_t count =
        static_cast<std::size_t>(slab.last - slab.first) * plane_floats(grid_);
    const auto bring = [&](const Near& to, std::size_t first, const float* from,
                           std::size_t floats) {
      Kokkos::deep_copy(link_, Kokkos::subview(to, std::pair(first, first + floats)),
                        Far(from, floats));
    };
    const auto& from = pass.coefficients.arrays;
    if (pass.coefficients.layout == Layout::Packed)
      bring(window.coefficients, 0, from[0] + coefficient_count * offset,
            coefficient_count * count);
    else
      for (std::size_t a = 0; a < std::size(from); ++a)
        bring(window.coefficients, a * array_floats_, from[a] + offset, count);
    bring(window.p, 0, pass.p + offset, count);
  }

  Coefficients coefficients_in(const Window& window, Layout layout) const {
    const float* const first = window.coefficients.data();
    return {first, layout == Layout::Packed ? packed_points : array_floats_, layout};
  }

  /// All sweeps of slab n in its window; the last one writes to the array behind the link.
  void sweep(const Exec& queue, const Pass& pass, std::size_t n, double* residuals) {
    const Slab& slab = slabs_[n];
    const Grid w = window_grid(grid_, slab);
    const Window& window = windows_[n % windows];
    const Coefficients c = coefficients_in(window, pass.coefficients.layout);
    Near p = window.p;
    Near next = window.next;
    Kokkos::deep_copy(queue, next, p);  // for the fixed boundary
    for (int s = 1; s <= sweeps_; ++s) {
      const bool last = s == sweeps_;
      float* const target =
          last ? pass.p_next + static_cast<std::size_t>(slab.first) * plane_floats(grid_)
               : next.data();
      const Tiling points = tiling(grown(w.owned, sweeps_ - s, w.interior));
      sweep_tiles(queue, {w, c, p.data(), target}, points, w.owned, Stores::Cached, sums_);
      add_sums(queue, AddedSums<Exec>{sums_.data(), nullptr, points.tiles(), residuals + (s - 1)},
               1);
      std::swap(p, next);
    }
  }

  Grid grid_;
  int sweeps_;
  std::int64_t planes_;
  std::vector<Slab> slabs_;
  Exec link_;                     ///< its own stream: copies run beside the sweeps
  std::size_t array_floats_ = 0;  ///< of an array in a window
  std::array<Window, windows> windows_;
  TileSums<Exec> sums_;
  TileSums<Exec> residuals_;
};

}  // namespace

std::int64_t streamed_planes(const Grid& grid, int sweeps, std::size_t window_bytes) {
  const std::size_t plane = windows * window_arrays * plane_floats(grid) * sizeof(float);
  const auto planes =
      static_cast<std::int64_t>(window_bytes / plane) - 2 * static_cast<std::int64_t>(sweeps);
  return std::min(planes, grid.owned.hi[0] - grid.owned.lo[0]);
}

template <class Exec>
std::unique_ptr<Sweep<Exec>> make_streamed_sweep(const Exec& exec, const Grid& grid, int sweeps,
                                                 std::size_t window_bytes) {
  const std::int64_t planes = streamed_planes(grid, sweeps, window_bytes);
  if (planes < 1)
    throw std::runtime_error(
        "the window is too small for one plane of the grid and its neighbours");
  return std::make_unique<StreamedSweep<Exec>>(exec, grid, sweeps, planes);
}

#if defined(KOKKOS_ENABLE_CUDA)
template std::unique_ptr<Sweep<Kokkos::Cuda>> make_streamed_sweep(const Kokkos::Cuda&, const Grid&,
                                                                  int, std::size_t);
#endif

}  // namespace memstencil::jacobi
