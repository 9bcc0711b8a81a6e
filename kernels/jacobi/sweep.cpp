// The kinds of sweep that an execution space has for a grid, and making one of them.
#include "kernels/jacobi/sweep.hpp"

#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/temporal_host.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "kernels/jacobi/streamed_sweep.hpp"
#include "kernels/jacobi/temporal_cuda.hpp"
#include "kernels/l2_halves.hpp"
#endif

#include <Kokkos_Core.hpp>

#include <array>
#include <stdexcept>

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

/// The tile of that text, or the first where the kind names none. On a host any of them serves.
template <class Exec>
Tile single_tile(const SweepKind& kind) {
  if constexpr (on_host<Exec>) {
    if (is_tile(host_single_tile, kind)) return single_tiles.front();
  } else {
    for (const Tile& tile : single_tiles)
      if (is_tile(tile.text(), kind)) return tile;
  }
  not_offered(kind);
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

std::vector<OfferedSweep> offered_on_host() {
  std::vector<OfferedSweep> out;
  offer(out, Method::Single, 1, host_single_tile);
  for (int sweeps = 2; sweeps <= most_host_sweeps; ++sweeps)
    offer(out, Method::Fused, sweeps, host_fused_tile);
  return out;
}

#if defined(KOKKOS_ENABLE_CUDA)

/// One of the native fused sweeps behind the common contract.
class TemporalCudaSweep final : public Sweep {
public:
  TemporalCudaSweep(const Kokkos::Cuda& exec, const Grid& grid, std::size_t tile,
                    const Instances<Kokkos::Cuda>* beside)
      : exec_(exec),
        residuals_(beside != nullptr ? beside->residuals : exec),
        tile_(tile),
        doubles_(temporal_cuda_scratch_doubles(grid, tile)),
        rounds_(most_kept_passes<Kokkos::Cuda>(doubles_ * sizeof(double))),
        scratch_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of fused tiles"),
                 static_cast<std::size_t>(rounds_.slots()) * doubles_) {
    l2_halves();  // the first pass would ask, and its time would count that
    temporal_cuda_ready(grid, rounds_.slots(), tile_, scratch_.data(), exec_.cuda_stream());
  }
  int sweeps() const override { return temporal_tiles[tile_].sweeps; }
  std::string describe() const override {
    return std::string("tile ") + temporal_tiles[tile_].name;
  }
  void run(const Pass& pass) override {
    update(pass);
    add_up_in(exec_, pass);
  }
  int most_kept() const override { return rounds_.most(); }
  void update(const Pass& pass) override {
    temporal_cuda(pass, tile_, scratch(rounds_.next()), exec_.cuda_stream());
  }
  void add_up(const Pass& last) override { add_up_in(residuals_, last); }

private:
  double* scratch(int slot) const {
    return scratch_.data() + static_cast<std::size_t>(slot) * doubles_;
  }
  void add_up_in(const Kokkos::Cuda& exec, const Pass& last) {
    temporal_cuda_sums(last, rounds_.filled(), tile_, scratch(rounds_.first()), exec.cuda_stream());
    rounds_.turn();
  }

  Kokkos::Cuda exec_, residuals_;
  std::size_t tile_, doubles_;  ///< doubles of scratch memory a pass
  Rounds rounds_;
  Kokkos::View<double*, Kokkos::CudaSpace> scratch_;
};

std::size_t temporal_tile(const SweepKind& kind) {
  for (std::size_t n = 0; n < temporal_tiles.size(); ++n)
    if (temporal_tiles[n].sweeps == kind.sweeps && is_tile(temporal_tiles[n].name, kind)) return n;
  not_offered(kind);
}

/// Behind a link only the sweeps a pass count; a device makes this many
/// while the next slab arrives.
constexpr int streamed_sweeps[] = {2, 3, 4, 6, 8, 12, 16};

std::vector<OfferedSweep> offered_on_device(const Grid& grid, std::size_t window_bytes) {
  std::vector<OfferedSweep> out;
  for (const Tile& tile : single_tiles) offer(out, Method::Single, 1, tile.text(), "");
  if (window_bytes > 0) {
    // Fused tiles overlap, and would bring the points they share over the link several times.
    for (const int sweeps : streamed_sweeps) {
      const bool fits = streamed_planes(grid, sweeps, window_bytes) >= 1;
      offer(out, Method::Streamed, sweeps, "streamed",
            fits ? "" : "the window in device memory is too small");
    }
    return out;
  }
  for (std::size_t n = 0; n < temporal_tiles.size(); ++n) {
    const TemporalTile& tile = temporal_tiles[n];
    offer(out, Method::Fused, tile.sweeps, tile.name, refuse_temporal_cuda(grid, tile.sweeps, n));
  }
  return out;
}

#endif

}  // namespace

std::string name(const SweepKind& kind) {
  return kind.sweeps == 1 ? "single" : "temporal:" + std::to_string(kind.sweeps);
}

template <class Exec>
std::vector<OfferedSweep> sweeps_offered([[maybe_unused]] const Grid& grid,
                                         [[maybe_unused]] std::size_t window_bytes) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) return offered_on_device(grid, window_bytes);
#endif
  return offered_on_host();
}

template <class Exec>
std::unique_ptr<Sweep> make_sweep(const Exec& exec, const Grid& grid, const SweepKind& kind,
                                  [[maybe_unused]] std::size_t window_bytes,
                                  const Instances<Exec>* beside) {
  if (kind.method == Method::Single)
    return std::make_unique<SingleSweep<Exec>>(exec, grid, single_tile<Exec>(kind), beside);
  if constexpr (on_host<Exec>) {
    if (kind.method == Method::Fused && is_tile(host_fused_tile, kind))
      return std::make_unique<TemporalHostSweep<Exec>>(exec, grid, kind.sweeps);
  }
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) {
    if (kind.method == Method::Streamed)
      return make_streamed_sweep(exec, grid, kind.sweeps, window_bytes);
    return std::make_unique<TemporalCudaSweep>(exec, grid, temporal_tile(kind), beside);
  }
#endif
  not_offered(kind);
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                     \
  template std::vector<OfferedSweep> sweeps_offered<Exec>(const Grid&, std::size_t);     \
  template std::unique_ptr<Sweep> make_sweep(const Exec&, const Grid&, const SweepKind&, \
                                             std::size_t, const Instances<Exec>*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::jacobi
