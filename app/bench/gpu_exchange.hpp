// The paths of data from GPU to GPU without MPI: NCCL's messages (gpu_exchange_nccl.cpp), or stores
// into the memory of other GPUs (peers_cuda.cpp). gpu_exchange_none.cpp stands for those that a
// build lacks.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "kernels/peer_stores.hpp"
#include "kernels/queue.hpp"
#include "memory_spaces/buffer.hpp"

#include <memory>
#include <span>
#include <string>

namespace memstencil {

/// Messages between all ranks of the run, each with a GPU of its own.
class GpuExchange {
public:
  virtual ~GpuExchange() = default;
  /// Names the buffers that messages leave from and arrive in, so that the library needs no copies
  /// of its own. They must outlive the next call, which forgets them.
  virtual void connect(std::span<const Buffer* const> buffers) = 0;
  /// All messages at once, from and into memory of the GPU. They are submitted in the stream of a
  /// queue, stream_of(), after the kernels before and before those after them; returns at once. At
  /// most one message per peer; tags are ignored. One that is empty in one direction goes in the
  /// other alone.
  /// @throws Failure(Other) with the library's words
  virtual void exchange(std::span<const Message> messages, void* stream) = 0;
  /// Returns at once.
  /// @throws Failure(Other) if a message failed: waiting for it would never end
  virtual void look() = 0;
};

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

/// One of the two, or neither: then MPI carries messages.
struct GpuPaths {
  std::shared_ptr<GpuExchange> messages;
  std::shared_ptr<Peers> peers;

  /// Names the buffers to it: connect() of either. None: forgets the last ones.
  void connect(std::span<const Buffer* const> buffers) const {
    if (messages) messages->connect(buffers);
    if (peers) peers->connect(buffers);
  }
};

/// Returns when all that was submitted to the queue is done.
/// @throws Failure(Other) if a message failed
template <class Exec>
void wait_for(const Exec& queue, GpuExchange* gpu) {
  Event<Exec> end;
  end.record(queue);
  while (!end.query())
    if (gpu != nullptr) gpu->look();
}

/// "NCCL 2.28.3", as it was found on this machine. Only if nothing refuses it.
std::string gpu_exchange_library();
/// The reason why this process has no such library; empty if it has one.
std::string why_not_gpu_exchange();

/// The GPU must have been selected, by no other rank. Collective.
/// @throws CollectiveFailure(Machine)
std::unique_ptr<GpuExchange> make_gpu_exchange(const Communicator& communicator);

/// The reason why the ranks do not reach each other's memory, the same on all; empty if they do.
/// Tried once in a process: each rank stores into the memory of all others. Collective.
std::string why_not_peers(const Communicator& communicator);
/// Only if nothing refuses it. Collective.
/// @throws CollectiveFailure(Machine)
std::shared_ptr<Peers> make_peers(const Communicator& communicator);

}  // namespace memstencil
