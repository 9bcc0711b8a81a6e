// Messages straight from GPU to GPU, without MPI: by NCCL (gpu_exchange_nccl.cpp), or between the
// GPUs of one node by stores of a kernel (peer_exchange_cuda.cpp). A build without NCCL or CUDA has
// gpu_exchange_none.cpp instead.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "kernels/peer_stores.hpp"
#include "kernels/queue.hpp"
#include "memory_spaces/buffer.hpp"

#include <memory>
#include <span>
#include <string>

namespace memstencil {

/// Rows that another rank gets, in memory that this one can reach().
struct StoredRows : PeerRows {
  int peer;
};

/// Between all ranks of the run, each with a GPU of its own.
class GpuExchange {
public:
  virtual ~GpuExchange() = default;
  /// All messages at once, from and into memory of the GPU. They are submitted in the stream of a
  /// queue, stream_of(), so after the kernels before and before those after them, and this returns
  /// at once. At most one message per peer; tags are ignored. One that is empty in one direction
  /// goes in the other alone.
  /// @throws Failure(Other) with the library's words
  virtual void exchange(std::span<const Message> messages, void* stream) = 0;
  /// For whoever waits for messages: it returns at once.
  /// @throws Failure(Other) where a message failed: those who wait would do so for ever
  virtual void look() = 0;
  /// Tells the exchange of a buffer of the GPU that messages leave from or arrive in. All ranks
  /// tell theirs in the same order. It counts as long as the result lives, which the buffer must
  /// outlive. Then NCCL may do without copies of its own, and stores find where they belong.
  /// Collective, as is the result's end.
  virtual std::shared_ptr<void> enroll(const Buffer& buffer) = 0;
  /// The other rank's buffer of that enroll(), as kernels of this GPU see it; null where only
  /// messages get there.
  virtual void* reach(int /*rank*/, const std::shared_ptr<void>& /*enrolled*/) const {
    return nullptr;
  }
  /// Can queues give each other signals, where a rank copies or stores into what it can reach()?
  virtual bool signals() const { return false; }
  /// Stores all by a kernel in the stream (as of exchange()), gives each rank a signal behind its
  /// rows and waits for one of each; returns at once. At most one for each rank. Who calls it knows
  /// that the others may be written. Signals count as those below.
  virtual void store(std::span<const StoredRows> /*stores*/, void* /*stream*/) {}
  /// All that the stream (as of exchange()) was given before is seen by the other rank behind its
  /// wait_for_signal() that comes as often. Without a kernel; returns at once.
  virtual void give_signal(int /*rank*/, void* /*stream*/) {}
  virtual void wait_for_signal(int /*rank*/, void* /*stream*/) {}
};

/// Returns when all that was submitted to the queue is done.
/// @throws Failure(Other) where a message failed
template <class Exec>
void wait_for(const Exec& queue, GpuExchange* gpu) {
  Event<Exec> end;
  end.record(queue);
  while (!end.query())
    if (gpu != nullptr) gpu->look();
}

/// "NCCL 2.28.3", as it was found on this machine. Only where nothing refuses it.
std::string gpu_exchange_library();
/// The reason why this process has no such library; empty if it has one.
std::string why_not_gpu_exchange();

/// The GPU must have been selected, by no other rank. Collective.
/// @throws CollectiveFailure(Machine)
std::unique_ptr<GpuExchange> make_gpu_exchange(const Communicator& communicator);

/// The reason why the ranks do not reach each other's memory, the same on all; empty if they do.
/// Tried once in a process: each rank stores into the memory of all others. Collective.
std::string why_not_peer_exchange(const Communicator& communicator);
/// Only where nothing refuses it. Collective.
/// @throws CollectiveFailure(Machine)
std::unique_ptr<GpuExchange> make_peer_exchange(const Communicator& communicator);

}  // namespace memstencil
