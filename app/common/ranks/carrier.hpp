// Messages that are under way while kernels run: by a GPU's own exchange, or by MPI on the host.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/ranks/gpu_exchange.hpp"
#include "kernels/second_queue.hpp"

#include <utility>
#include <vector>

namespace memstencil {

/// Carries the messages of one step after the other. What `exec` is given before start() is done before they
/// leave, and what it is given after finish() finds what has arrived. In between it works beside them, on
/// other data.
template <class Exec>
class Carrier {
public:
  /// Messages go by `gpu` where it is given, otherwise by MPI. Both must outlive the carrier.
  Carrier(const Exec& exec, const Communicator& communicator, GpuExchange* gpu)
      : exec_(exec), communicator_(communicator), gpu_(gpu) {}

  void start(std::vector<Message> messages) {
    messages_ = std::move(messages);
    if (gpu_ == nullptr) return exec_.fence("messages");  // MPI knows no queues
    ready_.set(exec_);
    ready_.hold(queue_.exec());
    gpu_->exchange(messages_, queue_.stream());
    arrived_.set(queue_.exec());
  }

  /// @throws Failure(Other) where a message failed
  void finish() {
    if (gpu_ == nullptr) return communicator_.exchange(messages_);
    gpu_->look();
    arrived_.hold(exec_);
  }

  /// Returns when everything is done, kernels included. @throws as finish()
  void wait() const {
    if (gpu_ != nullptr)
      while (!arrived_.reached()) gpu_->look();
    exec_.fence("messages");
  }

private:
  Exec exec_;
  const Communicator& communicator_;
  GpuExchange* gpu_;
  SecondQueue<Exec> queue_;  ///< of messages, which so wait for no kernel that they need not
  QueueMark<Exec> ready_, arrived_;
  std::vector<Message> messages_;
};

}  // namespace memstencil
