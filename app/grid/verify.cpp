// Verification of what ranks send each other and of the time loop.
#include "app/grid/verify.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/grid/cone.hpp"
#include "kernels/grid/boxes.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

namespace memstencil {

/// A side of this rank behind which another rank owns the points. (Not in the namespace below:
/// templates that others instantiate hold it.)
struct HashedSide {
  int direction, side, peer;
  std::uint64_t sent, arrived;  ///< hashes of the slab inside this side, and of that outside
  std::uint64_t wanted = 0;     ///< what the neighbour has in the place of `arrived`

  std::string text() const {
    return fmt::format("{} in {}", side < 0 ? "below" : "above", "ijk"[direction]);
  }
};

namespace {

Box whole(const Grid& grid) {
  return {{0, 0, 0}, {grid.extents[0], grid.extents[1], grid.extents[2]}};
}

/// The points that this rank answers for in a direction: its own, and the grid's fixed boundary.
void leave_own(Box& box, int d, const Subdomain& part) {
  if (part.neighbour(d, -1)) box.lo[d] = part.grid.owned.lo[d];
  if (part.neighbour(d, 1)) box.hi[d] = part.grid.owned.hi[d];
}

/// The slab at a side, outside the owned points or inside them. In directions that are sent before
/// this one it is as wide as the local arrays, since what they brought goes on from here; in those
/// that are sent later it has no halo, which was old when this slab was sent.
Box hashed_slab(const Subdomain& part, int direction, int side, bool outside) {
  const Grid& grid = part.grid;
  Box box = whole(grid);
  for (int d = direction + 1; d < 3; ++d) leave_own(box, d, part);
  const std::int64_t edge = side < 0 ? grid.owned.lo[direction] : grid.owned.hi[direction];
  const bool above = (side > 0) == outside;
  box.lo[direction] = above ? edge : edge - part.halo;
  box.hi[direction] = above ? edge + part.halo : edge;
  return box;
}

template <class Exec, class Value>
std::vector<HashedSide> hashed_sides(const Exec& exec, const Subdomain& part, const Value* p) {
  std::vector<HashedSide> sides;
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1})
      if (const auto peer = part.neighbour(d, side))
        sides.push_back({.direction = d,
                         .side = side,
                         .peer = *peer,
                         .sent = hash(exec, part.grid, hashed_slab(part, d, side, false), p),
                         .arrived = hash(exec, part.grid, hashed_slab(part, d, side, true), p)});
  return sides;
}

/// Each side gets the hash that its neighbour has of the slab.
void exchange(std::vector<HashedSide>& sides, const Communicator& communicator) {
  std::vector<Message> messages;
  for (HashedSide& each : sides) {
    const int up = each.side > 0 ? 1 : 0;
    messages.push_back({.peer = each.peer,
                        .send_tag = 2 * each.direction + up,
                        .receive_tag = 2 * each.direction + 1 - up,
                        .send = &each.sent,
                        .receive = &each.wanted,
                        .send_bytes = sizeof each.sent,
                        .receive_bytes = sizeof each.wanted});
  }
  communicator.exchange(messages);
}

/// The point of that number in a box of local indices, by its global index.
std::string point(const Subdomain& part, const Box& box, std::int64_t number) {
  const std::int64_t k = box.hi[2] - box.lo[2], jk = k * (box.hi[1] - box.lo[1]);
  return fmt::format("p({}, {}, {}) of rank {}", part.origin[0] + box.lo[0] + number / jk,
                     part.origin[1] + box.lo[1] + number % jk / k,
                     part.origin[2] + box.lo[2] + number % k, part.rank());
}

/// The points of the boxes, one box after the other, on the host.
template <class Exec, class Value>
std::vector<Value> fetched(const Exec& exec, const Grid& grid, std::span<const Box> boxes,
                           const Value* p) {
  std::size_t points = 0;
  for (const Box& box : boxes) points += static_cast<std::size_t>(box.points());
  std::vector<Value> out(points);
  const Buffer packed(scratch_space(executor_of<Exec>), points * sizeof(Value));
  auto* to = static_cast<Value*>(packed.data());
  for (const Box& box : boxes) {
    memstencil::pack(exec, grid, box, p, to);
    to += box.points();
  }
  exec.fence("grid: points of the time loop");
  copy(out.data(), packed.data(), packed.bytes());
  return out;
}

}  // namespace

std::vector<Box> halo_boxes(const Subdomain& part) {
  std::vector<Box> out;
  for (int d = 0; d < 3; ++d) {
    Box own = whole(part.grid);
    leave_own(own, d, part);
    for (const int side : {-1, 1}) {
      Box box = whole(part.grid);
      (side < 0 ? box.hi[d] : box.lo[d]) = side < 0 ? own.lo[d] : own.hi[d];
      if (!box.empty()) out.push_back(box);
    }
  }
  return out;
}

template <class Exec, class Value>
void GridChecks<Exec, Value>::messages(std::int64_t sweep) const {
  std::vector<HashedSide> sides =
      collectively(communicator_, [&] { return hashed_sides(exec_, part_, both_p_[0]); });
  exchange(sides, communicator_);
  collectively(communicator_, [&] {
    for (const HashedSide& each : sides)
      if (each.arrived != each.wanted)
        throw Failure(
            ExitCode::Verification,
            fmt::format("verification failed: after sweep {} rank {} has a wrong halo {}, "
                        "from rank {}",
                        sweep, part_.rank(), each.text(), each.peer));
  });
}

template <class Exec, class Value>
void GridChecks<Exec, Value>::last_pass(std::int64_t sweep,
                                        const std::function<void()>& again) const {
  const auto hash_of_p = [&] { return hash(exec_, part_.grid, part_.grid.owned, both_p_[0]); };
  const std::uint64_t timed = collectively(communicator_, hash_of_p);
  collectively(communicator_, [&] { spoil(exec_, part_.grid, part_.grid.owned, both_p_[0]); });
  again();
  collectively(communicator_, [&] {
    if (hash_of_p() != timed)
      throw Failure(ExitCode::Verification,
                    fmt::format("verification failed: after sweep {} p of rank {} is not what the "
                                "last pass makes when it is made again",
                                sweep, part_.rank()));
  });
}

template <class Exec, class Value>
void GridChecks<Exec, Value>::path() const {
  if (communicator_.size() == 1) return;
  auto [sent, other] = both_p_;
  for (const std::uint64_t seed : {0x5EED0001U, 0xFEED0002U}) {
    collectively(communicator_, [&] {
      for (Value* const p : both_p_) code_.fill(seed, p);
    });
    for (int buffer = 0; buffer < 2; ++buffer) {
      collectively(communicator_, [&, sent = sent] {
        for (const Box& box : halo_boxes(part_)) spoil(exec_, part_.grid, box, sent);
      });
      halo_.exchange_and_wait(sent);
      collectively(communicator_, [&, sent = sent, other = other] {
        const Box all = whole(part_.grid);
        if (const auto wrong = first_difference(exec_, part_.grid, all, sent, other))
          throw Failure(ExitCode::Verification,
                        fmt::format("verification failed: in an exchange before the loop of random "
                                    "values {} is not what was sent there (seed {:#x})",
                                    point(part_, all, *wrong), seed));
      });
      std::swap(sent, other);
    }
  }
}

template <class Exec, class Value>
void GridChecks<Exec, Value>::loop(int sweeps, std::span<const Box> patches,
                                   const std::function<const Value*()>& loop) const {
  constexpr std::uint64_t seed = 1;
  collectively(communicator_, [&] {
    for (Value* const p : both_p_) {
      code_.fill(seed, p);
      for (const Box& box : halo_boxes(part_)) spoil(exec_, part_.grid, box, p);
    }
    // What no sweep writes is not found right by chance: it is NaN.
    spoil(exec_, part_.grid, part_.grid.owned, both_p_[1]);
  });
  halo_.exchange_and_wait(both_p_[0]);
  const Value* const p = loop();
  collectively(communicator_, [&] { compare(seed, patches, sweeps, p); });
}

template <class Exec, class Value>
void GridChecks<Exec, Value>::small_run(std::int64_t sweeps) const {
  if (!code_.evaluates_runs) return;
  collectively(communicator_, [&] {
    if (evaluated_quickly(part_, sweeps))
      compare({}, {&part_.grid.owned, 1}, static_cast<int>(sweeps), both_p_[0]);
  });
}

template <class Exec, class Value>
void GridChecks<Exec, Value>::compare(const std::optional<std::uint64_t>& seed,
                                      std::span<const Box> boxes, int sweeps,
                                      const Value* p) const {
  // So many tell any two values apart: these may differ in the last bit alone.
  constexpr int digits = std::numeric_limits<Value>::max_digits10;
  const std::vector<Value> all = fetched(exec_, part_.grid, boxes, p);
  const Value* got = all.data();
  for (const Box& box : boxes) {
    const std::vector<Value> want = code_.evaluate(seed, part_.global_box(box), sweeps);
    for (std::size_t n = 0; n < want.size(); ++n, ++got)
      if (std::memcmp(got, &want[n], sizeof(Value)) != 0)
        throw Failure(
            ExitCode::Verification,
            fmt::format("verification failed: {} is {:.{}g} after {} sweeps{}, evaluated on the "
                        "host {:.{}g}",
                        point(part_, box, static_cast<std::int64_t>(n)), *got, digits, sweeps,
                        seed ? " of random values" : "", want[n], digits));
  }
}

#define MEMSTENCIL_INSTANTIATE(Exec)      \
  template class GridChecks<Exec, float>; \
  template class GridChecks<Exec, double>;
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil
