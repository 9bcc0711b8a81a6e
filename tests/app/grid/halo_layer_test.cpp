// Pins the layers of an exchange for every decomposition of 2 to 12 ranks: stored in any order they
// bring each point of a halo once; received in order, the last one brings what its owner has.
#include "app/grid/halo_layer.hpp"

#include "tests/kernels/points.hpp"

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

/// Every decomposition of 2 to 12 ranks, with halos of 1 to 4 and parts hardly wider than those.
void for_every_decomposition(const std::function<void(const Case&)>& check) {
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
            its.parts.push_back(subdomain_of(extents, each, rank, ranks, halo));
          check(its);
        }
}

using Values = std::vector<std::int64_t>;  // of a local array

void for_offsets(const Box& box, const Grid& grid, const std::function<void(std::size_t)>& at) {
  for_points(box,
             [&](auto i, auto j, auto k) { at(grid.row(i, j) + static_cast<std::size_t>(k)); });
}

/// The points at neighbours, with the fixed boundary beside them.
Values halo_of(const Subdomain& subdomain) {
  Values out(subdomain.grid.elements(), 0);
  for_offsets(subdomain.grid.all(), subdomain.grid, [&](std::size_t at) { out[at] = 1; });
  Box own = subdomain.grid.all();
  for (int d = 0; d < 3; ++d) {
    if (subdomain.neighbour(d, -1)) own.lo[d] = subdomain.grid.owned.lo[d];
    if (subdomain.neighbour(d, 1)) own.hi[d] = subdomain.grid.owned.hi[d];
  }
  for_offsets(own, subdomain.grid, [&](std::size_t at) { out[at] = 0; });
  return out;
}

/// Global index of each point.
Values owners_values(const Subdomain& subdomain) {
  Values out(subdomain.grid.elements(), 0);
  const Box all = subdomain.grid.all(), global = subdomain.global_box(all);
  for_points(all, [&](auto i, auto j, auto k) {
    out[subdomain.grid.row(i, j) + static_cast<std::size_t>(k)] =
        ((global.lo[0] + i) * subdomain.global[1] + global.lo[1] + j) * subdomain.global[2] +
        global.lo[2] + k;
  });
  return out;
}

/// All ranks' points as their owners have them, and nothing in halos.
std::vector<Values> before_exchange(const Case& its) {
  std::vector<Values> arrays;
  for (const Subdomain& subdomain : its.parts) {
    arrays.push_back(owners_values(subdomain));
    const Values halo = halo_of(subdomain);
    for (std::size_t n = 0; n < halo.size(); ++n)
      if (halo[n] != 0) arrays.back()[n] = -1;
  }
  return arrays;
}

/// @param arrived gets one more at each point that the box brings
void bring(const Box& from, const Grid& here, const Values& source, const Box& to,
           const Grid& there, Values& target, Values* arrived = nullptr) {
  std::vector<std::int64_t> message;
  for_offsets(from, here, [&](std::size_t at) { message.push_back(source[at]); });
  ASSERT_EQ(from.points(), to.points());
  std::size_t next = 0;
  for_offsets(to, there, [&](std::size_t at) {
    target[at] = message[next++];
    if (arrived != nullptr) ++(*arrived)[at];
  });
}

TEST(HaloLayers, ThatRanksStoreBringEachPointOfAHaloOnce) {
  for_every_decomposition([](const Case& its) {
    const std::vector<Values> before = before_exchange(its);
    std::vector<Values> arrays = before, writers, halos, want;
    for (const Subdomain& subdomain : its.parts) {
      writers.emplace_back(subdomain.grid.elements(), 0);
      halos.push_back(halo_of(subdomain));
      want.push_back(owners_values(subdomain));
    }
    for (const Subdomain& from : its.parts)
      for (const StoredLayer& layer : stored_layers(from)) {
        const auto peer = static_cast<std::size_t>(layer.peer);
        bring(layer.here, from.grid, before[static_cast<std::size_t>(from.rank())], layer.there,
              its.parts[peer].grid, arrays[peer], &writers[peer]);
      }
    EXPECT_EQ(writers, halos) << its.text;
    EXPECT_EQ(arrays, want) << its.text;
  });
}

TEST(HaloLayers, OfMessagesInOrderBringLastWhatTheOwnerHas) {
  for_every_decomposition([](const Case& its) {
    std::vector<Values> arrays = before_exchange(its), want;
    for (const Subdomain& subdomain : its.parts) want.push_back(owners_values(subdomain));
    for (int d = 0; d < 3; ++d) {
      const std::vector<Values> before = arrays;
      for (const Subdomain& from : its.parts)
        for (const int side : {-1, 1}) {
          const auto peer = from.neighbour(d, side);
          if (!peer) continue;
          const auto to = static_cast<std::size_t>(*peer);
          bring(halo_layer(from, d, side, false, one).box, from.grid,
                before[static_cast<std::size_t>(from.rank())],
                halo_layer(its.parts[to], d, -side, true, one).box, its.parts[to].grid, arrays[to]);
        }
    }
    EXPECT_EQ(arrays, want) << its.text;
  });
}

TEST(HaloLayers, HaveTheirPointsInTheirPieces) {
  for_every_decomposition([](const Case& its) {
    for (const Subdomain& subdomain : its.parts)
      for (const int d : {0, 1})
        for (const int side : {-1, 1}) {
          if (!subdomain.neighbour(d, side)) continue;
          const HaloLayer layer = halo_layer(subdomain, d, side, true, one);
          Values in_pieces(subdomain.grid.elements(), 0), in_box = in_pieces;
          for (std::size_t n = 0; n < layer.pieces.count; ++n)
            for (std::size_t byte = 0; byte < layer.pieces.bytes; ++byte)
              ++in_pieces.at(layer.first + n * layer.step + byte);
          Box rows = layer.box;  // with their pads
          rows.hi[2] = subdomain.grid.pitch;
          for_offsets(rows, subdomain.grid, [&](std::size_t at) { ++in_box[at]; });
          EXPECT_EQ(in_pieces, in_box) << its.text << ", direction " << d;
        }
  });
}

}  // namespace
}  // namespace memstencil
