// All transposes, and the reasons why some of them cannot do a job here; and those that are
// portable or of a host.
#include "kernels/transpose/variants.hpp"

#include "kernels/on_host.hpp"
#include "kernels/portable.hpp"
#include "kernels/queue.hpp"
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/host_tiles.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace memstencil::transpose {
namespace {

constexpr int device_threads = 256;
template <class T>
using DeviceTile = ElementTile<T, 64, 1, device_threads, true>;

/// Team n moves tile n / count of job n % count.
/// @param most jobs; with 1 the count is a constant, and the kernel's arguments stay few
template <class T, class Exec, std::size_t most>
struct DeviceTeams {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<device_threads, 4>>;
  using Member = typename Policy::member_type;

  Job<T> jobs[most];
  DownColumns orders[most];
  unsigned count = 0, most_tiles = 0;

  explicit DeviceTeams(std::span<const Job<T>> given) {
    for (const Job<T>& job : given) {
      const TileCounts tiles =
          tile_counts(job.rows, job.columns, DeviceTile<T>::side, DeviceTile<T>::side);
      jobs[count] = job;
      orders[count++] = {tiles};
      most_tiles = std::max(most_tiles, tiles.total());
    }
  }

  Policy policy(const Exec& exec) const {
    return Policy(exec, static_cast<int>(most_tiles * count), device_threads)
        .set_scratch_size(0, Kokkos::PerTeam(DeviceTile<T>::shared_bytes + 16));
  }
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto n = static_cast<unsigned>(team.league_rank());
    const unsigned job = most == 1 ? 0 : n % count, of_job = most == 1 ? n : n / count;
    if (most > 1 && of_job >= orders[job].tiles.total()) return;
    void* const memory =
        team.team_shmem().get_shmem_aligned(std::size_t{DeviceTile<T>::shared_bytes}, 16);
    const DeviceTile<T> tile(memory, team.team_rank());
    const Corner from = tile.corner(orders[job].at(of_job));
    tile.read(jobs[job], from);
    team.team_barrier();
    tile.write(jobs[job], from);
  }
};

template <class T, class Exec>
struct HostTeam {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::Schedule<Kokkos::Static>>;

  Job<T> job;
  Stores stores;
  PartSize size;
  DownColumns order;  // a part prefetches the one below

  explicit HostTeam(const Job<T>& whole)
      : job(whole),
        stores(rows_start_at_lines(job) ? host_stores(job) : Stores::Cached),
        size(host_part(stores)),
        order{tile_counts(job.rows, job.columns, size.rows, size.columns)} {}

  Policy policy(const Exec& exec) const {
    return Policy(exec, static_cast<int>(order.tiles.total()), 1);
  }

  void operator()(const typename Policy::member_type& team) const {
    const TileAt at = order.at(static_cast<unsigned>(team.league_rank()));
    const std::int64_t row = static_cast<std::int64_t>(at.row) * size.rows;
    const std::int64_t column = static_cast<std::int64_t>(at.column) * size.columns;
    const Part part{row, std::min(row + size.rows, job.rows), column,
                    std::min(column + size.columns, job.columns)};
    host_transpose(job, part, stores);
  }
};

/// Written once for hosts and devices: one kernel of teams with scratch memory. On a device a team
/// of 256 threads moves a padded 64 x 64 tile, and all jobs share a kernel, a tile of each in turn;
/// on a host a team of one thread moves a part of the matrix that its caches hold, by SIMD.
template <class Exec, class T>
void portable(const Exec& exec, std::span<const Job<T>> jobs) {
  const auto start = [&](const auto& team) {
    Kokkos::parallel_for("transpose: portable", team.policy(exec), team);
  };
  if constexpr (on_host<Exec>) {
    for (const Job<T>& job : jobs) start(HostTeam<T, Exec>(job));
  } else if (jobs.size() == 1) {
    start(DeviceTeams<T, Exec, 1>(jobs));
  } else if (!jobs.empty()) {
    start(DeviceTeams<T, Exec, most_jobs_together>(jobs));
  }
}

/// Element by element, rows of A in order.
template <class Exec, class T>
void naive_host(const Exec& exec, const Job<T>& job) {
  Kokkos::parallel_for(
      "transpose: naive",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, job.rows),
      [=](const std::int64_t row) {
        for (std::int64_t column = 0; column < job.columns; ++column)
          job.b[column * job.b_pitch + row] = job.a[row * job.a_pitch + column];
      });
}

/// The yardstick on a host: the same matrix read and written in order, past the caches
/// where it does not fit them.
template <class Exec, class T>
void copy_host(const Exec& exec, const Job<T>& job) {
  const Stores stores = host_stores(job);
  Kokkos::parallel_for(
      "transpose: copy",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, job.rows),
      [=](const std::int64_t row) { host_copy_row(job, row, stores); });
}

constexpr const char* needs_gpu = "needs a GPU: it is native CUDA";

bool runs_on_host(Variant variant) {
  return variant == Variant::Copy || variant == Variant::Naive || variant == Variant::Portable;
}

template <class Exec, class T>
std::string why_not(Variant variant, const Job<T>& job) {
  if (on_host<Exec> && !runs_on_host(variant)) return needs_gpu;
  if (job.tile != 32 && variant != Variant::Copy && (on_host<Exec> || !has_tiles(variant)))
    return std::string(no_choice_of_tiles);
  if constexpr (!on_host<Exec>)
    if (variant == Variant::Vendor) return why_not_vendor_cuda(job);
  return {};
}

}  // namespace

std::string_view name(Variant variant) {
  constexpr std::array names{
      "copy", "naive", "tiled", "padded", "diagonal", "diagonal-conflicts", "portable", "vendor"};
  return names.at(static_cast<std::size_t>(variant));
}

template <class Exec, class T>
std::vector<OfferedVariant> variants_offered(const Job<T>& job) {
  std::vector<OfferedVariant> out;
  for (const Variant variant : all_variants) out.push_back({variant, why_not<Exec>(variant, job)});
  return out;
}

template <class Exec, class T>
void run(const Exec& exec, Variant variant, const Job<T>& job) {
  if (variant == Variant::Portable) return portable(exec, std::span<const Job<T>>(&job, 1));
  if constexpr (on_host<Exec>) {
    if (variant == Variant::Copy) return copy_host(exec, job);
    if (variant == Variant::Naive) return naive_host(exec, job);
    throw std::invalid_argument(std::string(name(variant)) + ": " + needs_gpu);
  } else {
    void* const stream = stream_of(exec);
    if (variant == Variant::Copy) return copy_cuda(job, stream);
    if (variant == Variant::Vendor) return vendor_cuda(job, stream);
    thesis_cuda(variant, job, stream);
  }
}

template <class Exec, class T>
void run_together(const Exec& exec, Variant variant, const std::vector<Job<T>>& jobs) {
  if (variant == Variant::Portable)
    return portable(exec, std::span<const Job<T>>(jobs.data(), jobs.size()));
  for (const Job<T>& job : jobs) run(exec, variant, job);
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                \
  template std::vector<OfferedVariant> variants_offered<Exec>(const Job<float>&);   \
  template std::vector<OfferedVariant> variants_offered<Exec>(const Job<double>&);  \
  template void run(const Exec&, Variant, const Job<float>&);                       \
  template void run(const Exec&, Variant, const Job<double>&);                      \
  template void run_together(const Exec&, Variant, const std::vector<Job<float>>&); \
  template void run_together(const Exec&, Variant, const std::vector<Job<double>>&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
