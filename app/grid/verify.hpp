// Verification of the messages between ranks and of the time loop: points 1, 3 and 4 of
// docs/reference/verification.md.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/grid/cone.hpp"
#include "app/grid/subdomain.hpp"
#include "kernels/grid/boxes.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// A side of this rank behind which another rank owns the points.
struct HashedSide {
  int direction, side, peer;
  Box inside, outside;                  ///< the layers on both sides of it
  std::uint64_t sent = 0, arrived = 0;  ///< their hashes
  std::uint64_t wanted = 0;             ///< the neighbour's hash in the place of `arrived`
};
std::vector<HashedSide> hashed_sides(const Subdomain& subdomain);
/// Asks the neighbours for their hashes, by MPI from host memory. Collective.
/// @throws CollectiveFailure(Verification) that names side, rank and sweep if one differs
void compare_hashes(std::vector<HashedSide> sides, int rank, std::int64_t sweep,
                    const Communicator& communicator);

/// All local points that other ranks own, or that a message brings with these. Edges and corners
/// are in several of the boxes. Not computed by the code of Halo.
std::vector<Box> halo_boxes(const Subdomain& subdomain);

/// The point of that number in a box of local indices, by its global index.
std::string point_text(const Subdomain& subdomain, const Box& box, std::int64_t number);

/// The seed of p in the check of the time loop.
inline constexpr std::uint64_t seed_of_loop = 1;

/// The checks of a rank, each collective but for compare().
/// @throws CollectiveFailure(Verification) that names rank, layer or point, and sweep
template <class RankArrays>
class GridChecks {
public:
  using Value = typename RankArrays::Value;

  explicit GridChecks(RankArrays& arrays)
      : arrays_(arrays), subdomain_(arrays.problem().plan().subdomain) {}

  /// Does p's halo have its owners' values? To be called before anything else is sent that would
  /// renew the halo.
  /// @param sweep after which the last messages were sent, for the error
  void messages(std::int64_t sweep) const {
    std::vector<HashedSide> sides = hashed_sides(subdomain_);
    collectively(ranks(), [&] {
      for (HashedSide& each : sides) {
        each.sent = hash_of_p(each.inside);
        each.arrived = hash_of_p(each.outside);
      }
    });
    compare_hashes(std::move(sides), subdomain_.rank(), sweep, ranks());
  }

  /// Does the last pass, made again from the other p, which it read, give p to the bit?
  /// @param sweep that this pass ended with, for the error
  /// @param again makes it from the other p into p
  void last_pass(std::int64_t sweep, const std::function<void()>& again) const {
    const Box& owned = subdomain_.grid.owned;
    const std::uint64_t timed = collectively(ranks(), [&] { return hash_of_p(owned); });
    collectively(ranks(),
                 [&] { spoil(arrays_.exec(), subdomain_.grid, owned, arrays_.arrays().p); });
    again();
    collectively(ranks(), [&] {
      if (hash_of_p(owned) != timed)
        throw Failure(
            ExitCode::Verification,
            fmt::format("verification failed: after sweep {} p of rank {} is not what the "
                        "last pass makes when it is made again",
                        sweep, subdomain_.rank()));
    });
  }

  /// Does an exchange bring every point of the halo, and change no other? Both p are filled with
  /// values of the global index, the halo with NaN, and sent by the run's transport; for two seeds.
  /// Leaves other values in both p.
  void transport() const {
    if (ranks().size() == 1) return;
    Value* sent = both_p()[0];
    Value* other = both_p()[1];
    for (const std::uint64_t seed : {0x5EED0001U, 0xFEED0002U}) {
      collectively(ranks(), [&] {
        for (Value* const p : both_p()) arrays_.problem().fill_p(arrays_.exec(), seed, p);
      });
      for (int buffer = 0; buffer < 2; ++buffer) {
        collectively(ranks(), [&] { spoil_halo(sent); });
        arrays_.halo().exchange_and_wait(sent);
        collectively(ranks(), [&] {
          const Box all = subdomain_.grid.all();
          if (const auto wrong =
                  first_difference(arrays_.exec(), subdomain_.grid, all, sent, other))
            throw Failure(
                ExitCode::Verification,
                fmt::format("verification failed: in an exchange before the loop of random "
                            "values {} is not what was sent there (seed {:#x})",
                            point_text(subdomain_, all, *wrong), seed));
        });
        std::swap(sent, other);
      }
    }
  }

  /// p gets random values, its halo by an exchange by the run's transport, and the other p NaN.
  /// Then p is to be compared.
  /// @param make_sweeps makes some, and leaves the result in p
  void loop(const std::function<void()>& make_sweeps) const {
    collectively(ranks(), [&] {
      for (Value* const p : both_p()) {
        arrays_.problem().fill_p(arrays_.exec(), seed_of_loop, p);
        spoil_halo(p);
      }
      // NaN: a point that no sweep writes is not right by chance.
      spoil(arrays_.exec(), subdomain_.grid, subdomain_.grid.owned, arrays_.arrays().p_next);
    });
    arrays_.halo().begin(arrays_.arrays().p, arrays_.arrays().p_next);
    make_sweeps();
  }

  /// Does p have at the points of the boxes the values that the host evaluates after `sweeps`
  /// sweeps of the values of this seed, or of a run's first values?
  /// @throws Failure(Verification)
  void compare(const std::optional<std::uint64_t>& seed, std::span<const Box> boxes,
               int sweeps) const {
    // Enough for two values that differ in the last bit alone.
    constexpr int digits = std::numeric_limits<Value>::max_digits10;
    const std::vector<Value> all = fetched(boxes);
    const Value* got = all.data();
    for (const Box& box : boxes) {
      const std::vector<Value> want =
          arrays_.problem().evaluate(seed, subdomain_.global_box(box), sweeps);
      for (std::size_t n = 0; n < want.size(); ++n, ++got)
        if (std::memcmp(got, &want[n], sizeof(Value)) != 0)
          throw Failure(
              ExitCode::Verification,
              fmt::format("verification failed: {} is {:.{}g} after {} sweeps{}, evaluated on the "
                          "host {:.{}g}",
                          point_text(subdomain_, box, static_cast<std::int64_t>(n)), *got, digits,
                          sweeps, seed ? " of random values" : "", want[n], digits));
    }
  }

private:
  const Communicator& ranks() const { return arrays_.communicator(); }
  std::array<Value*, 2> both_p() const { return {arrays_.arrays().p, arrays_.arrays().p_next}; }
  std::uint64_t hash_of_p(const Box& box) const {
    return hash(arrays_.exec(), subdomain_.grid, box, arrays_.arrays().p);
  }
  void spoil_halo(Value* p) const {
    for (const Box& box : halo_boxes(subdomain_)) spoil(arrays_.exec(), subdomain_.grid, box, p);
  }

  /// p at the points of the boxes, one box after the other, on the host.
  std::vector<Value> fetched(std::span<const Box> boxes) const {
    std::size_t points = 0;
    for (const Box& box : boxes) points += static_cast<std::size_t>(box.points());
    std::vector<Value> out(points);
    const Buffer packed(scratch_space(executor_of<typename RankArrays::Space>),
                        points * sizeof(Value), "verification");
    auto* to = static_cast<Value*>(packed.data());
    for (const Box& box : boxes) {
      pack(arrays_.exec(), subdomain_.grid, box, arrays_.arrays().p, to);
      to += box.points();
    }
    arrays_.exec().fence("grid: points of the time loop");
    copy(out.data(), packed.data(), packed.bytes());
    return out;
  }

  RankArrays& arrays_;
  const Subdomain& subdomain_;
};

/// Sweeps that the check of the time loop makes: three passes, and the single sweeps that are left
/// over of `timed` ones; of streamed passes, which may be shorter, one of each length. The solver
/// needs room for them, too, and for the last pass again.
inline int verified_sweeps(int fused, std::int64_t timed, bool streamed = false) {
  return (streamed ? fused + 1 : 3 * fused) + static_cast<int>(timed % fused);
}

/// These checks, in an order in which none renews the data of a later one. To be called before
/// anything is sent after the timed sweeps. Overwrites both p. Collective.
/// @param solver has made the sweeps
/// @param streamed passes may be shorter, and the caller compares p after the time loop, which has
///        made verified_sweeps()
/// @param own (checks) checks p itself, after the last pass was made again and before p is
///        overwritten
/// @throws CollectiveFailure(Verification)
template <class RankArrays, class Own>
void verify_grid(RankArrays& arrays, typename RankArrays::Solver& solver, std::int64_t timed,
                 bool streamed, const Own& own) {
  const Subdomain& subdomain = arrays.problem().plan().subdomain;
  const Communicator& communicator = arrays.communicator();
  // Do sums over the ranks, as gosa's, have all points?
  if (communicator.sum(static_cast<double>(subdomain.grid.owned.points())) !=
      updated_points(subdomain.global))
    throw CollectiveFailure(ExitCode::Verification,
                            "verification failed: the ranks' points do not add up to the grid's");
  const GridChecks checks(arrays);
  const int fused = arrays.problem().sweeps_of_pass(), rest = static_cast<int>(timed % fused);
  checks.messages(timed);
  checks.last_pass(timed, [&] {
    std::swap(arrays.arrays().p, arrays.arrays().p_next);
    solver.run(rest == 0 ? fused : streamed ? rest : 1);
  });
  collectively(communicator, [&] { own(checks); });
  checks.transport();
  const int sweeps = verified_sweeps(fused, timed, streamed);
  checks.loop([&] { solver.run(sweeps); });
  if (!streamed)
    collectively(communicator,
                 [&] { checks.compare(seed_of_loop, patches(subdomain, sweeps), sweeps); });
}

}  // namespace memstencil
