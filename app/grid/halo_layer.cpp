// Halo layers: the points that messages and stores take and bring, how they lie in arrays, and the
// stores between GPUs of a node.
#include "app/grid/halo_layer.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace memstencil {

namespace {

/// Without addresses. If k is not divided, rows have their pads.
StoredRows rows_of(const StoredLayer& layer, const Grid& here, std::size_t value) {
  const Grid& there = layer.its;
  const auto extent = [&](int d) {
    return static_cast<std::size_t>(layer.here.hi[d] - layer.here.lo[d]);
  };
  const bool whole = layer.here.hi[2] - layer.here.lo[2] == here.extents[2];
  return {{.from = nullptr,
           .to = nullptr,
           .row = (whole ? static_cast<std::size_t>(here.pitch) : extent(2)) * value,
           .rows = extent(1),
           .planes = extent(0),
           .from_row = here.row(0, 1) * value,
           .from_plane = here.row(1, 0) * value,
           .to_row = there.row(0, 1) * value,
           .to_plane = there.row(1, 0) * value},
          layer.peer};
}

/// In bytes.
std::size_t first_of(const Box& box, const Grid& grid, std::size_t value) {
  return (grid.row(box.lo[0], box.lo[1]) + static_cast<std::size_t>(box.lo[2])) * value;
}

}  // namespace

HaloLayer halo_layer(const Subdomain& subdomain, int direction, int side, bool outside,
                     std::size_t value) {
  const Grid& grid = subdomain.grid;
  HaloLayer out{.box = grid.all()};
  Box& box = out.box;
  const std::int64_t edge = side < 0 ? grid.owned.lo[direction] : grid.owned.hi[direction];
  box.lo[direction] = (side > 0) == outside ? edge : edge - subdomain.halo;
  box.hi[direction] = box.lo[direction] + subdomain.halo;
  const std::size_t plane = grid.row(1, 0) * value;
  if (direction == 0) {
    out.first = grid.row(box.lo[0], 0);
    out.step = plane * static_cast<std::size_t>(subdomain.halo);
    out.pieces = {out.step, 1};
  } else if (direction == 1) {
    out.first = grid.row(0, box.lo[1]);
    out.step = plane;
    out.pieces = {grid.row(0, subdomain.halo) * value, static_cast<std::size_t>(grid.extents[0])};
  }
  return out;
}

std::vector<StoredLayer> stored_layers(const Subdomain& subdomain) {
  const Grid& grid = subdomain.grid;
  const int ranks = subdomain.ranks[0] * subdomain.ranks[1] * subdomain.ranks[2];
  std::vector<StoredLayer> out;
  for (const int directions : {1, 2, 3})
    for (int place = 0; place < 27; ++place) {
      const std::array<int, 3> sides{place / 9 - 1, place / 3 % 3 - 1, place % 3 - 1};
      if (std::abs(sides[0]) + std::abs(sides[1]) + std::abs(sides[2]) != directions) continue;
      const auto peer = subdomain.neighbour(sides);
      if (!peer) continue;
      const Grid its =
          subdomain_of(subdomain.global, subdomain.ranks, *peer, ranks, subdomain.halo).grid;
      StoredLayer layer{.peer = *peer, .its = its, .here = grid.all(), .there = its.all()};
      for (int d = 0; d < 3; ++d) {
        const int side = sides[static_cast<std::size_t>(d)];
        if (side != 0) {
          layer.here.lo[d] = side < 0 ? grid.owned.lo[d] : grid.owned.hi[d] - subdomain.halo;
          layer.here.hi[d] = layer.here.lo[d] + subdomain.halo;
          layer.there.lo[d] = side < 0 ? its.owned.hi[d] : its.owned.lo[d] - subdomain.halo;
          layer.there.hi[d] = layer.there.lo[d] + subdomain.halo;
          continue;
        }
        // Both are at the same place in this direction, with equally many points.
        for (auto [box, of] : {std::pair{&layer.here, &grid}, std::pair{&layer.there, &its}}) {
          if (subdomain.neighbour(d, -1)) box->lo[d] = of->owned.lo[d];
          if (subdomain.neighbour(d, 1)) box->hi[d] = of->owned.hi[d];
        }
      }
      out.push_back(layer);
    }
  return out;
}

PeerHalo::PeerHalo(const Subdomain& subdomain, std::size_t value, std::shared_ptr<Peers> peers)
    : peers_(std::move(peers)) {
  for (const StoredLayer& layer : stored_layers(subdomain))
    stores_.push_back({layer.here, memstencil::rows_of(layer, subdomain.grid, value),
                       first_of(layer.here, subdomain.grid, value),
                       first_of(layer.there, layer.its, value)});
}

std::vector<StoredRows> PeerHalo::rows_of(const void* p) const {
  std::vector<StoredRows> out;
  for (const Store& each : stores_) {
    StoredRows& rows = out.emplace_back(each.rows);
    rows.from = static_cast<const char*>(p) + each.from;
    rows.to = peers_->reach(rows.peer, p) + each.to;
  }
  return out;
}

void PeerHalo::store(const void* p, void* stream) const { peers_->store(rows_of(p), stream); }

std::vector<HaloStore> PeerHalo::boxes(const void* p) const {
  std::vector<HaloStore> out;
  for (const StoredRows& rows : rows_of(p))
    out.push_back({stores_[out.size()].box, rows.to, rows.to_row, rows.to_plane});
  return out;
}

void PeerHalo::signal(bool early, void* stream) const {
  if (early) {
    for (const Store& each : stores_) peers_->signal(each.rows.peer, stream);
    for (const Store& each : stores_) peers_->wait(each.rows.peer, stream);
    return;
  }
  std::vector<StoredRows> nothing;
  for (const Store& each : stores_) nothing.emplace_back(each.rows).planes = 0;
  peers_->store(nothing, stream);
}

}  // namespace memstencil
