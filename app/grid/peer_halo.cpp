// The halo between GPUs of a node without messages: each rank stores its points straight into the
// halos of all ranks around it, in no order.
#include "app/grid/peer_halo.hpp"

#include <array>
#include <utility>

namespace memstencil {

namespace {

/// Without addresses. If k is not divided, rows have their pads.
StoredRows rows_of(const StoredLayer& layer, const Grid& here, const Grid& there,
                   std::size_t value) {
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

PeerHalo::PeerHalo(const Subdomain& subdomain, std::size_t value, std::shared_ptr<Peers> peers)
    : peers_(std::move(peers)) {
  const std::array<int, 3>& ranks = subdomain.ranks;
  for (const StoredLayer& layer : stored_layers(subdomain)) {
    const Grid its = subdomain_of(subdomain.global, ranks, layer.peer,
                                  ranks[0] * ranks[1] * ranks[2], subdomain.halo)
                         .grid;
    stores_.push_back({layer.here, memstencil::rows_of(layer, subdomain.grid, its, value),
                       first_of(layer.here, subdomain.grid, value),
                       first_of(layer.there, its, value)});
  }
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
