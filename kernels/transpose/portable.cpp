// The portable kernel, and the host's variants around it.
#include "kernels/portable.hpp"

#include "kernels/on_host.hpp"
#include "kernels/transpose/element_tile.hpp"
#include "kernels/transpose/host_tiles.hpp"
#include "kernels/transpose/variants.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

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

template <Operation operation, class T, class Exec>
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
    move_tile<operation>(DeviceTile<T>(memory, team.team_rank()), job,
                         order.place(static_cast<unsigned>(team.league_rank())),
                         TeamBarrier<Member>{team});
  }
};

template <Operation operation, class T, class Exec>
struct HostTeam {
  // In place the lower rows have less to do.
  using Schedule = Kokkos::Schedule<
      std::conditional_t<operation == Operation::InPlace, Kokkos::Dynamic, Kokkos::Static>>;
  using Policy = Kokkos::TeamPolicy<Exec, Schedule>;

  // A part prefetches the one below. In place it does not, and rows were up to a third faster.
  using Order = std::conditional_t<operation == Operation::InPlace, AlongRows, DownColumns>;

  Job<T> job;
  Stores stores;
  PartSize size;
  Order order;

  explicit HostTeam(const Job<T>& whole)
      : job(whole),
        stores(rows_start_at_lines(job) ? host_stores(job) : Stores::Cached),
        size(host_part(operation, stores)),
        order{tile_counts(job.rows, job.columns, size.rows, size.columns)} {}

  Policy policy(const Exec& exec) const {
    return Policy(exec, static_cast<int>(order.tiles.total()), 1);
  }

  void operator()(const typename Policy::member_type& team) const {
    const TileAt at = order.place(static_cast<unsigned>(team.league_rank()));
    const std::int64_t row = static_cast<std::int64_t>(at.row) * size.rows;
    const std::int64_t column = static_cast<std::int64_t>(at.column) * size.columns;
    const Part part{row, std::min(row + size.rows, job.rows), column,
                    std::min(column + size.columns, job.columns)};
    if constexpr (operation != Operation::InPlace)
      host_transpose(job, part, stores);
    else if (at.row <= at.column)
      host_swap(job, part);
  }
};

}  // namespace

template <class Exec, class T>
void portable(const Exec& exec, const Job<T>& job) {
  with_operation(job.operation, [&](auto operation) {
    using Team = std::conditional_t<on_host<Exec>, HostTeam<operation(), T, Exec>,
                                    DeviceTeam<operation(), T, Exec>>;
    const Team team(job);
    Kokkos::parallel_for("transpose: portable", team.policy(exec), team);
  });
}

template <class Exec, class T>
void naive_host(const Exec& exec, const Job<T>& job) {
  with_operation(job.operation, [&](auto operation) {
    Kokkos::parallel_for(
        "transpose: naive",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, job.rows),
        [=](const std::int64_t row) {
          const std::int64_t first = operation() == Operation::InPlace ? row + 1 : 0;
          for (std::int64_t column = first; column < job.columns; ++column) {
            T& target = job.b[column * job.b_pitch + row];
            if constexpr (operation() == Operation::InPlace)
              std::swap(target, job.b[row * job.b_pitch + column]);
            else if constexpr (operation() == Operation::Accumulate)
              target += job.a[row * job.a_pitch + column];
            else
              target = job.a[row * job.a_pitch + column];
          }
        });
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
