// Verification of what ranks send each other: the messages of the timed part, and their path.
#include "app/himeno/verify_messages.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "kernels/grid/boxes.hpp"
#include "kernels/jacobi/initialise.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace memstencil::himeno {

/// A side of this rank behind which another rank owns the points.
struct Side {
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
Box slab(const Subdomain& part, int direction, int side, bool outside) {
  const Grid& grid = part.grid;
  Box box = whole(grid);
  for (int d = direction + 1; d < 3; ++d) leave_own(box, d, part);
  const std::int64_t edge = side < 0 ? grid.owned.lo[direction] : grid.owned.hi[direction];
  const bool above = (side > 0) == outside;
  box.lo[direction] = above ? edge : edge - part.halo;
  box.hi[direction] = above ? edge + part.halo : edge;
  return box;
}

template <class Exec>
std::vector<Side> hashed_sides(const Exec& exec, const Subdomain& part, const float* p) {
  std::vector<Side> sides;
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1})
      if (const auto peer = part.neighbour(d, side))
        sides.push_back({.direction = d,
                         .side = side,
                         .peer = *peer,
                         .sent = hash(exec, part.grid, slab(part, d, side, false), p),
                         .arrived = hash(exec, part.grid, slab(part, d, side, true), p)});
  return sides;
}

/// Each side gets the hash that its neighbour has of the slab.
void exchange(std::vector<Side>& sides, const Communicator& communicator) {
  std::vector<Message> messages;
  for (Side& each : sides) {
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

/// The point of that number in the local arrays, by its global index.
std::string point(const Subdomain& part, std::int64_t number) {
  const std::int64_t k = part.grid.extents[2], jk = k * part.grid.extents[1];
  return fmt::format("p({}, {}, {})", part.origin[0] + number / jk,
                     part.origin[1] + number % jk / k, part.origin[2] + number % k);
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

template <class Exec>
void verify_messages(const Exec& exec, const Subdomain& part, const float* p, std::int64_t sweep,
                     const Communicator& communicator) {
  std::vector<Side> sides = collectively(communicator, [&] { return hashed_sides(exec, part, p); });
  exchange(sides, communicator);
  collectively(communicator, [&] {
    for (const Side& each : sides)
      if (each.arrived != each.wanted)
        throw Failure(
            ExitCode::Verification,
            fmt::format("verification failed: after sweep {} rank {} has a wrong halo {}, "
                        "from rank {}",
                        sweep, part.rank(), each.text(), each.peer));
  });
}

template <class Exec>
void verify_path(const Exec& exec, const Subdomain& part, const Halo<Exec>& halo,
                 const jacobi::Arrays& arrays, const Communicator& communicator) {
  if (communicator.size() == 1) return;
  float *sent = arrays.p, *other = arrays.p_next;
  for (const std::uint64_t seed : {0x5EED0001U, 0xFEED0002U}) {
    collectively(communicator, [&] {
      for (float* const p : {sent, other})
        jacobi::initialise(exec, part.grid, part.filling(seed), jacobi::P, p);
    });
    for (int buffer = 0; buffer < 2; ++buffer) {
      collectively(communicator, [&] {
        for (const Box& box : halo_boxes(part)) memstencil::spoil(exec, part.grid, box, sent);
      });
      halo.exchange_and_wait(sent);
      collectively(communicator, [&] {
        if (const auto wrong = first_difference(exec, part.grid, whole(part.grid), sent, other))
          throw Failure(
              ExitCode::Verification,
              fmt::format("verification failed: in an exchange before the loop of random values {} "
                          "of rank {} is not what was sent there (seed {:#x})",
                          point(part, *wrong), part.rank(), seed));
      });
      std::swap(sent, other);
    }
  }
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                       \
  template void verify_messages(const Exec&, const Subdomain&, const float*, std::int64_t, \
                                const Communicator&);                                      \
  template void verify_path(const Exec&, const Subdomain&, const Halo<Exec>&,              \
                            const jacobi::Arrays&, const Communicator&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
