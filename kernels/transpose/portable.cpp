// The portable kernel, and the host's variants around it.
#include "kernels/portable.hpp"

#include "kernels/on_host.hpp"
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/host_tiles.hpp"
#include "kernels/transpose/variants.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <type_traits>

namespace memstencil::transpose {
namespace {

constexpr int device_threads = 256;
template <class T>
using DeviceTile = ElementTile<T, 64, 1, device_threads, Once>;

template <class Member>
struct TeamBarrier {
  const Member& team;
  KOKKOS_FUNCTION void operator()() const { team.team_barrier(); }
};

template <class T, class Exec>
struct DeviceTeam {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<device_threads, 4>>;
  using Member = typename Policy::member_type;

  Job<T> job;
  DownColumns order;

  explicit DeviceTeam(const Job<T>& whole)
      : job(whole),
        order{tile_counts(job.rows, job.columns, DeviceTile<T>::rows, DeviceTile<T>::columns)} {}

  Policy policy(const Exec& exec) const {
    return Policy(exec, static_cast<int>(order.tiles.total()), device_threads)
        .set_scratch_size(0, Kokkos::PerTeam(DeviceTile<T>::shared_bytes + 16));
  }
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    void* const memory =
        team.team_shmem().get_shmem_aligned(std::size_t{DeviceTile<T>::shared_bytes}, 16);
    move_tile(DeviceTile<T>(memory, team.team_rank()), job,
              order.at(static_cast<unsigned>(team.league_rank())), TeamBarrier<Member>{team});
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

}  // namespace

template <class Exec, class T>
void portable(const Exec& exec, const Job<T>& job) {
  using Team = std::conditional_t<on_host<Exec>, HostTeam<T, Exec>, DeviceTeam<T, Exec>>;
  const Team team(job);
  Kokkos::parallel_for("transpose: portable", team.policy(exec), team);
}

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

template <class Exec, class T>
void copy_host(const Exec& exec, const Job<T>& job) {
  const Stores stores = host_stores(job);
  Kokkos::parallel_for(
      "transpose: copy",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, job.rows),
      [=](const std::int64_t row) { host_copy_row(job, row, stores); });
}

using Host = Kokkos::DefaultHostExecutionSpace;
template void naive_host(const Host&, const Job<float>&);
template void naive_host(const Host&, const Job<double>&);
template void copy_host(const Host&, const Job<float>&);
template void copy_host(const Host&, const Job<double>&);
#define MEMSTENCIL_INSTANTIATE(Exec)                      \
  template void portable(const Exec&, const Job<float>&); \
  template void portable(const Exec&, const Job<double>&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
