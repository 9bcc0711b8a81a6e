// The memory of the other GPUs of a node: kernels of this rank store into it, and queues signal.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "kernels/peer_stores.hpp"
#include "memory_spaces/buffer.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace memstencil {

/// The most ranks that reach each other's memory: each stores into all others by one kernel.
inline constexpr int most_peers = most_peer_stores + 1;

/// Rows that another rank gets, in its memory.
struct StoredRows : PeerRows {
  int peer;
};

/// Between all ranks of a node, each with a GPU of its own. An interface, so that builds without
/// CUDA link, and tests put faults in.
class Peers {
public:
  virtual ~Peers() = default;
  /// Maps the buffers that the other ranks name at the same places of their lists. They must
  /// outlive the next call, which gives up the last one's; an empty list does that alone.
  /// Collective. @throws CollectiveFailure(Machine)
  virtual void connect(std::span<const Buffer* const> buffers) = 0;
  /// The place in another rank's buffer that `data` has in this one's, as kernels here see it.
  virtual char* reach(int rank, const void* data) const = 0;
  /// Stores all by a kernel in the stream of a queue (stream_of()), gives each rank a signal behind
  /// its rows and waits for one of each; returns at once. At most one for each rank. No handshake:
  /// the caller guarantees that the targets may be overwritten. Signals count as those below.
  virtual void store(std::span<const StoredRows> stores, void* stream) = 0;
  /// The other rank sees all work that the stream was given before, when it has waited as often.
  /// Without a kernel; returns at once.
  virtual void signal(int rank, void* stream) = 0;
  virtual void wait(int rank, void* stream) = 0;
};

/// The reason why the ranks do not reach each other's memory, the same on all; empty if they do.
/// Tried once in a process: each rank stores into the memory of all others. Collective.
std::string why_not_peers(const Communicator& communicator);
/// Only if nothing refuses it. Collective.
/// @throws CollectiveFailure(Machine)
std::shared_ptr<Peers> make_peers(const Communicator& communicator);

}  // namespace memstencil
