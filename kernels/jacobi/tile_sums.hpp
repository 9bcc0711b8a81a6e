// gosa's first level: each tile's sum, kept for some passes, and the kernel that adds them up.
//
// A sum after each pass would hold a GPU up by a kernel of some microseconds: 5 % of a pass at M.
#pragma once

#include "kernels/on_host.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace memstencil::jacobi {

template <class Exec>
using TileSums = Kokkos::View<double*, typename Exec::memory_space>;
/// Where the sum of each tile stands; empty: in the order of the tiles.
template <class Exec>
using TilePlaces = Kokkos::View<int*, typename Exec::memory_space>;

/// Passes whose sums are kept, where one pass takes so many bytes: on a device up to 16, in two
/// rounds of 32 MiB at most.
template <class Exec>
int most_kept_passes(std::size_t bytes) {
  if constexpr (on_host<Exec>) return 1;
  constexpr std::size_t most_bytes = std::size_t{32} << 20, most_passes = 16;
  return static_cast<int>(
      std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1), 1, most_passes));
}

/// Two rounds of slots: while the sums of one are added up, passes fill the other.
class Rounds {
public:
  explicit Rounds(int most) : most_(most) {}
  int most() const { return most_; }
  int slots() const { return 2 * most_; }
  /// The slot of the pass that begins.
  /// @throws std::logic_error where the sums of a full round were not added up
  int next() {
    if (filled_ == most_) throw std::logic_error("sums of passes that nobody has added up");
    return first() + filled_++;
  }
  int current() const { return first() + filled_ - 1; }
  int first() const { return round_ * most_; }
  int filled() const { return filled_; }
  void turn() {
    round_ = 1 - round_;
    filled_ = 0;
  }

private:
  int most_, round_ = 0, filled_ = 0;
};

/// No KOKKOS_LAMBDA: nvcc calls one of a template in several files by a pointer that may be null.
template <class Exec>
struct AddedSums {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  const double* sums;  ///< passes x tiles
  const int* places;   ///< null: as they are
  int tiles;
  double* residuals;  ///< one a pass

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const double* const its = sums + static_cast<std::int64_t>(team.league_rank()) * tiles;
    double sum = 0.0;
    for (int n = team.team_rank(); n < tiles; n += team.team_size())
      sum += its[places != nullptr ? places[n] : n];
    team.team_reduce(Kokkos::Sum<double>(sum));
    Kokkos::single(Kokkos::PerTeam(team), [&]() { residuals[team.league_rank()] = sum; });
  }
};

/// Adds up `tiles` sums of each of so many passes, which stand one after the other, always in one
/// order. `residuals` gets one value a pass.
template <class Exec>
void add_sums(const Exec& exec, const AddedSums<Exec>& sums, int passes) {
  constexpr bool on_device = !on_host<Exec>;
  constexpr int threads = on_device ? 1024 : 1;
  Kokkos::parallel_for(
      "jacobi: gosa",
      Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, 1>>(exec, passes, threads), sums);
}

/// The sums of a sweep's tiles, of the passes that are not added up yet.
template <class Exec>
class KeptSums {
public:
  explicit KeptSums(int tiles)
      : tiles_(tiles),
        rounds_(most_kept_passes<Exec>(static_cast<std::size_t>(tiles) * sizeof(double))),
        sums_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "jacobi: sums of the tiles"),
              static_cast<std::size_t>(rounds_.slots()) * static_cast<std::size_t>(tiles)) {}

  int most() const { return rounds_.most(); }
  void begin_pass() { rounds_.next(); }
  /// Of the pass that has begun: `count` of them from `place` on.
  TileSums<Exec> part(int place, int count) const {
    const auto first =
        static_cast<std::size_t>(rounds_.current()) * static_cast<std::size_t>(tiles_) +
        static_cast<std::size_t>(place);
    return Kokkos::subview(sums_, std::pair(first, first + static_cast<std::size_t>(count)));
  }
  /// Adds up those of all passes of the round, each in the same order wherever its sums lie.
  /// @param last where the residual of the last pass goes; those of the others stand before it
  void add_up(const Exec& exec, const TilePlaces<Exec>& places, double* last) {
    const int passes = rounds_.filled();
    const std::int64_t first = static_cast<std::int64_t>(rounds_.first()) * tiles_;
    add_sums(exec, {sums_.data() + first, places.data(), tiles_, last - (passes - 1)}, passes);
    rounds_.turn();
  }

private:
  int tiles_;
  Rounds rounds_;
  TileSums<Exec> sums_;
};

}  // namespace memstencil::jacobi
