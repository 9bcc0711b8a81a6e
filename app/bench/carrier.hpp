// Messages that are under way while kernels run: by a GPU's own exchange, or by MPI on the host.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "kernels/queue.hpp"

#include <utility>
#include <vector>

namespace memstencil {

/// Returns when all that was submitted to the queue is done.
/// @throws Failure(Other) where a message failed
template <class Exec>
void wait_for(const Exec& queue, GpuExchange* gpu) {
  Event<Exec> end;
  end.record(queue);
  while (!end.query())
    if (gpu != nullptr) gpu->look();
}

/// Carries the messages of one step after the other, while `exec` works on other data. In
/// a step: start(), what `exec` has to do, finish().
template <class Exec>
class Carrier {
public:
  /// Messages go by `gpu` where it is given, otherwise by MPI. Both must outlive the carrier.
  Carrier(const Exec& exec, const Communicator& communicator, GpuExchange* gpu)
      : kernels_(exec), communicator_(communicator), gpu_(gpu) {}

  /// Work given to `exec` before ends before the messages leave; work given from now
  /// on finds those of the step before, and starts after these: a library's few blocks would
  /// wait for all of a kernel's.
  void start(std::vector<Message> messages) {
    messages_ = std::move(messages);
    if (gpu_ == nullptr) return kernels_.exec().fence("messages");  // MPI knows no queues
    ready_.record(kernels_.exec());
    queue_.wait_for(ready_);
    leaving_.record(queue_.exec());
    gpu_->exchange(messages_, stream_of(queue_.exec()));
    arrived_.record(queue_.exec());
    kernels_.wait_for(leaving_);
  }

  /// @throws Failure(Other) where a message failed
  void finish() {
    if (gpu_ != nullptr)
      gpu_->look();
    else
      communicator_.exchange(messages_);
  }

  /// After the last step: what `exec` is given from now on finds its messages.
  void join() const {
    if (gpu_ != nullptr) kernels_.wait_for(arrived_);
  }

  /// Returns when everything is done, kernels included. @throws as finish()
  void wait() const {
    if (gpu_ != nullptr)
      while (!arrived_.query()) gpu_->look();
    kernels_.exec().fence("messages");
  }

private:
  Queue<Exec> kernels_;
  const Communicator& communicator_;
  GpuExchange* gpu_;
  Queue<Exec> queue_;  ///< of messages, which so wait for no kernel that they need not
  Event<Exec> ready_, leaving_, arrived_;
  std::vector<Message> messages_;
};

}  // namespace memstencil
