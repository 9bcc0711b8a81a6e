// The halo between GPUs of a node without messages: each rank stores its points straight into the
// halos of all ranks around it, in no order.
#pragma once

#include "app/bench/peers.hpp"
#include "app/grid/halo_layer.hpp"
#include "kernels/grid/sweep.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace memstencil {

/// p lies in buffers that are connected to `peers`. A neighbour's halo may be written: its kernels
/// have read the values before when they signal their edges, and that signal has been waited for.
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
