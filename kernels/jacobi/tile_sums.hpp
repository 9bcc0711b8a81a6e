// gosa's first level: each tile's sum, kept in slots of passes, and the kernel that adds them up.
//
// A sum after each pass would hold a GPU up by a kernel of some microseconds: 5 % of a pass at M.
#pragma once

#include "kernels/jacobi/sweep.hpp"
#include "kernels/on_host.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace memstencil::jacobi {

template <class Exec>
using TileSums = Kokkos::View<double*, typename Exec::memory_space>;

/// Slots for sums of `bytes` bytes a pass: on a device up to 16, of 32 MiB at most.
template <class Exec>
int slots_for(std::size_t bytes) {
  if constexpr (on_host<Exec>) return 1;
  constexpr std::size_t most_bytes = std::size_t{32} << 20, most_passes = 16;
  return static_cast<int>(
      std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1), 1, most_passes));
}

/// No KOKKOS_LAMBDA: nvcc calls one of a template in several files by a pointer that may be null.
template <class Exec>
struct AddedSums {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  const double* sums;  ///< passes x tiles
  int tiles;
  double* residuals;  ///< one a pass

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const double* const its = sums + static_cast<std::int64_t>(team.league_rank()) * tiles;
    double sum = 0.0;
    for (int n = team.team_rank(); n < tiles; n += team.team_size()) sum += its[n];
    team.team_reduce(Kokkos::Sum<double>(sum));
    Kokkos::single(Kokkos::PerTeam(team), [&]() { residuals[team.league_rank()] = sum; });
  }
};

/// Adds up the sums of each of `passes` passes, which stand one after the other, always in one
/// order.
template <class Exec>
void add_sums(const Exec& exec, const AddedSums<Exec>& sums, int passes) {
  constexpr bool on_device = !on_host<Exec>;
  constexpr int threads = on_device ? 1024 : 1;
  Kokkos::parallel_for(
      "jacobi: gosa",
      Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, 1>>(exec, passes, threads), sums);
}

/// The sums of a sweep's tiles, in slots of passes.
template <class Exec>
class SlottedSums {
public:
  explicit SlottedSums(int tiles)
      : tiles_(tiles),
        slots_(slots_for<Exec>(static_cast<std::size_t>(tiles) * sizeof(double))),
        sums_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of the tiles"),
              static_cast<std::size_t>(slots_) * static_cast<std::size_t>(tiles)) {}

  int slots() const { return slots_; }
  /// The sums of a slot, by the tiles' numbers.
  double* of(int slot) const { return sums_.data() + std::int64_t{slot} * tiles_; }
  /// Adds up each of the first `slots` slots.
  void add_up(const Exec& queue, int slots, double* out) const {
    add_sums(queue, {of(0), tiles_, out}, slots);
  }

private:
  int tiles_, slots_;
  TileSums<Exec> sums_;
};

}  // namespace memstencil::jacobi
