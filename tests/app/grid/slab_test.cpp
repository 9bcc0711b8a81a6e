// Pins the slabs of an exchange for every division of 2 to 12 ranks: stored in any order they bring
// each point of a halo once; received in order, the last one brings what its owner has.
#include "app/grid/slab.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace memstencil {
namespace {

using Ranks = std::array<int, 3>;
constexpr std::size_t one = 1;  // byte a value: pieces count values

struct Case {
  Ranks ranks;
  int halo;
  std::vector<Subdomain> parts;  // of all ranks
  std::string text;
};

/// Every division of 2 to 12 ranks, with halos of 1 to 4 and parts hardly wider than those.
void for_every_division(const std::function<void(const Case&)>& check) {
  for (int ranks = 2; ranks <= 12; ++ranks)
    for (int halo = 1; halo <= 4; ++halo)
      for (int i = 1; i <= ranks; ++i)
        for (int j = 1; j <= ranks / i; ++j) {
          const Ranks each{i, j, ranks / i / j};
          if (each[0] * each[1] * each[2] != ranks) continue;
          Triple extents{};
          for (std::size_t d = 0; d < 3; ++d)
            extents[d] = 2 + std::int64_t{each[d]} * halo + (each[d] > 1 ? 1 : 2);
          Case its{each, halo, {}, ranks_text(each) + ", halo of " + std::to_string(halo)};
          for (int rank = 0; rank < ranks; ++rank)
            its.parts.push_back(subdomain(extents, each, rank, ranks, halo));
          check(its);
        }
}

using Values = std::vector<std::int64_t>;  // of a local array

void for_points(const Box& box, const Grid& grid, const std::function<void(std::size_t)>& at) {
  for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
      for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k)
        at(grid.row(i, j) + static_cast<std::size_t>(k));
}

/// The points at neighbours, with the fixed boundary beside them.
Values halo_of(const Subdomain& part) {
  Values out(part.grid.elements(), 0);
  for_points(part.grid.all(), part.grid, [&](std::size_t at) { out[at] = 1; });
  Box own = part.grid.all();
  for (int d = 0; d < 3; ++d) {
    if (part.neighbour(d, -1)) own.lo[d] = part.grid.owned.lo[d];
    if (part.neighbour(d, 1)) own.hi[d] = part.grid.owned.hi[d];
  }
  for_points(own, part.grid, [&](std::size_t at) { out[at] = 0; });
  return out;
}

/// Global index of each point.
Values owners_values(const Subdomain& part) {
  Values out(part.grid.elements(), 0);
  const Box all = part.grid.all(), global = part.global_box(all);
  for (std::int64_t i = 0; i < all.hi[0]; ++i)
    for (std::int64_t j = 0; j < all.hi[1]; ++j)
      for (std::int64_t k = 0; k < all.hi[2]; ++k)
        out[part.grid.row(i, j) + static_cast<std::size_t>(k)] =
            ((global.lo[0] + i) * part.global[1] + global.lo[1] + j) * part.global[2] +
            global.lo[2] + k;
  return out;
}

/// Every message of a direction after those of the directions before, all out of the arrays as they
/// are then. @param arrive (receiver, place in its array, value)
void exchange(const Case& its, Slabs which, std::vector<Values>& arrays,
              const std::function<void(std::size_t, std::size_t)>& arrive) {
  for (int d = 0; d < 3; ++d) {
    const std::vector<Values> before = arrays;
    for (const Subdomain& from : its.parts)
      for (const int side : {-1, 1}) {
        const auto peer = from.neighbour(d, side);
        if (!peer) continue;
        const auto receiver = static_cast<std::size_t>(*peer);
        const Subdomain& to = its.parts[receiver];
        const Box sent = sent_slab(from, d, side, which, one).box;
        const Box received = received_slab(to, d, -side, which, one).box;
        std::vector<std::int64_t> message;
        for_points(sent, from.grid, [&](std::size_t at) {
          message.push_back(before[static_cast<std::size_t>(from.rank())][at]);
        });
        ASSERT_EQ(sent.points(), received.points()) << its.text;
        std::size_t next = 0;
        for_points(received, to.grid, [&](std::size_t at) {
          arrays[receiver][at] = message[next++];
          arrive(receiver, at);
        });
      }
  }
}

/// What all ranks have after an exchange where halos had nothing before.
void expect_owners_values(const Case& its, Slabs which,
                          const std::function<void(std::size_t, std::size_t)>& arrive) {
  std::vector<Values> arrays, want;
  for (const Subdomain& part : its.parts) {
    want.push_back(owners_values(part));
    arrays.push_back(want.back());
    const Values halo = halo_of(part);
    for (std::size_t n = 0; n < halo.size(); ++n)
      if (halo[n] != 0) arrays.back()[n] = -1;
  }
  exchange(its, which, arrays, arrive);
  EXPECT_EQ(arrays, want) << its.text;
}

TEST(Slabs, OfStoresBringEachPointOfAHaloOnce) {
  for_every_division([](const Case& its) {
    std::vector<Values> writers, want;
    for (const Subdomain& part : its.parts) {
      writers.emplace_back(part.grid.elements(), 0);
      want.push_back(halo_of(part));
    }
    expect_owners_values(its, Slabs::Disjoint,
                         [&](std::size_t receiver, std::size_t at) { ++writers[receiver][at]; });
    EXPECT_EQ(writers, want) << its.text;
  });
}

TEST(Slabs, OfMessagesInOrderBringLastWhatTheOwnerHas) {
  for_every_division(
      [](const Case& its) { expect_owners_values(its, Slabs::Whole, [](auto, auto) {}); });
}

TEST(Slabs, HaveTheirPointsInTheirPieces) {
  for_every_division([](const Case& its) {
    for (const Subdomain& part : its.parts)
      for (const Slabs which : {Slabs::Whole, Slabs::Disjoint})
        for (const int d : {0, 1})
          for (const int side : {-1, 1}) {
            if (!part.neighbour(d, side)) continue;
            const Slab slab = received_slab(part, d, side, which, one);
            Values in_pieces(part.grid.elements(), 0), in_box = in_pieces;
            for (std::size_t n = 0; n < slab.pieces.count; ++n)
              for (std::size_t byte = 0; byte < slab.pieces.bytes; ++byte)
                ++in_pieces.at(slab.first + n * slab.step + byte);
            Box rows = slab.box;  // with their pads
            rows.lo[2] = 0, rows.hi[2] = part.grid.pitch;
            for_points(rows, part.grid, [&](std::size_t at) { ++in_box[at]; });
            EXPECT_EQ(in_pieces, in_box) << its.text << ", direction " << d;
          }
  });
}

}  // namespace
}  // namespace memstencil
