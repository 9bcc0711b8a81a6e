// The layers of points that other ranks own, and their hashes compared with these ranks'.
#include "app/grid/verify.hpp"

#include <fmt/format.h>

namespace memstencil {

namespace {

/// The layer at a side, outside the owned points or inside them. In directions that are sent before
/// this one it is as wide as the local arrays, since what they brought goes on from here; in those
/// that are sent later it has no halo, which was old when this layer was sent.
Box hashed_layer(const Subdomain& subdomain, int direction, int side, bool outside) {
  const Grid& grid = subdomain.grid;
  const Box own = subdomain.answered();
  Box box = grid.all();
  for (int d = direction + 1; d < 3; ++d) box.lo[d] = own.lo[d], box.hi[d] = own.hi[d];
  const std::int64_t edge = side < 0 ? grid.owned.lo[direction] : grid.owned.hi[direction];
  const bool above = (side > 0) == outside;
  box.lo[direction] = above ? edge : edge - subdomain.halo;
  box.hi[direction] = above ? edge + subdomain.halo : edge;
  return box;
}

}  // namespace

std::vector<HashedSide> hashed_sides(const Subdomain& subdomain) {
  std::vector<HashedSide> sides;
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1})
      if (const auto peer = subdomain.neighbour(d, side))
        sides.push_back({.direction = d,
                         .side = side,
                         .peer = *peer,
                         .inside = hashed_layer(subdomain, d, side, false),
                         .outside = hashed_layer(subdomain, d, side, true)});
  return sides;
}

void compare_hashes(std::vector<HashedSide> sides, int rank, std::int64_t sweep,
                    const Communicator& communicator) {
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
  collectively(communicator, [&] {
    for (const HashedSide& each : sides)
      if (each.arrived != each.wanted)
        throw Failure(
            ExitCode::Verification,
            fmt::format("verification failed: after sweep {} rank {} has a wrong halo {} in {}, "
                        "from rank {}",
                        sweep, rank, each.side < 0 ? "below" : "above", "ijk"[each.direction],
                        each.peer));
  });
}

std::vector<Box> halo_boxes(const Subdomain& subdomain) {
  const Box own = subdomain.answered();
  std::vector<Box> out;
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1}) {
      Box box = subdomain.grid.all();
      (side < 0 ? box.hi[d] : box.lo[d]) = side < 0 ? own.lo[d] : own.hi[d];
      if (!box.empty()) out.push_back(box);
    }
  return out;
}

std::string point_text(const Subdomain& subdomain, const Box& box, std::int64_t number) {
  const std::int64_t k = box.hi[2] - box.lo[2], jk = k * (box.hi[1] - box.lo[1]);
  return fmt::format("p({}, {}, {}) of rank {}", subdomain.origin[0] + box.lo[0] + number / jk,
                     subdomain.origin[1] + box.lo[1] + number % jk / k,
                     subdomain.origin[2] + box.lo[2] + number % k, subdomain.rank());
}

}  // namespace memstencil
