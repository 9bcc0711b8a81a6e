// What carries data from GPU to GPU in place of MPI: NCCL's messages (gpu_exchange_nccl.cpp), or
// stores into the memory of other GPUs (peers.hpp). gpu_exchange_none.cpp stands for those that a
// build lacks.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/peers.hpp"
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

}  // namespace memstencil
