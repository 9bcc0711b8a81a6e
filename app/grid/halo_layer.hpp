// Halo layers: the points that messages and stores take and bring, how they lie in arrays, and the
// stores between GPUs of a node, which take the place of messages.
#pragma once

#include "app/bench/gpu_exchange.hpp"
#include "app/grid/subdomain.hpp"
#include "kernels/grid/sweep.hpp"
#include "memory_spaces/movement.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace memstencil {

/// Points that a message brings or takes. Planes of i and whole rows of j lie in the array in
/// pieces; faces of k have none.
struct HaloLayer {
  Box box;
  std::size_t first = 0, step = 0;  ///< in values, and in bytes
  Pieces pieces{0, 0};
};

/// The layer at one side of a direction, as wide as the halo, over the whole local array in the
/// others: the neighbour there gets the one inside the owned points by a message, and the one
/// outside comes from there. Edges and corners come several times: the last message of a rank that
/// receives direction after direction brings the right ones.
/// @param value bytes of one
HaloLayer halo_layer(const Subdomain& subdomain, int direction, int side, bool outside,
                     std::size_t value);

/// Points that a rank stores into the halo of another, all in no order: those it owns, and the
/// fixed boundary next to them. So each point of a halo comes from one rank.
struct StoredLayer {
  int peer;
  Grid its;         ///< the other rank's
  Box here, there;  ///< local indices of each, of the same extents
};
/// For all ranks around this one, those at its edges and corners, too; those at its faces come
/// first.
std::vector<StoredLayer> stored_layers(const Subdomain& subdomain);

/// Each rank stores its points straight into the halos of all ranks around it, in no order. p lies
/// in buffers that are connected to `peers`. A neighbour's halo may be written: its kernels have
/// read the values before when they signal their edges, and that signal has been waited for.
/// Nothing else reads the halo.
class PeerHalo {
public:
  /// @param value bytes of one
  PeerHalo(const Subdomain& subdomain, std::size_t value, std::shared_ptr<Peers> peers);

  /// Stores p's points by a kernel in the stream, which then waits for the others' stores.
  void store(const void* p, void* stream) const;
  /// The boxes that a pass which makes p can store itself in place of store().
  std::vector<HaloStore> boxes(const void* p) const;
  /// After such a pass: signals in the stream, and has it wait for the others' signals.
  /// @param early the pass may go on and have every multiprocessor: the queue signals, without a
  ///        kernel. After its end a kernel takes less time.
  void signal(bool early, void* stream) const;

private:
  /// The points of one other rank, at offsets in bytes in p here and there.
  struct Store {
    Box box;  ///< here
    StoredRows rows;
    std::size_t from, to;
  };
  std::vector<StoredRows> rows_of(const void* p) const;

  std::shared_ptr<Peers> peers_;
  std::vector<Store> stores_;
};

}  // namespace memstencil
