// A host's messages by MPI in the place of a GPU's exchange, with something done after them:
// faults.
#pragma once

#include "app/bench/gpu_exchange.hpp"

#include <functional>
#include <span>
#include <utility>

namespace memstencil {

class ExchangeByMpi final : public GpuExchange {
public:
  using After = std::function<void(std::span<const Message>)>;
  explicit ExchangeByMpi(After after = {}) : after_(std::move(after)) {}
  void exchange(std::span<const Message> messages, void*) override {
    communicator_.exchange(messages);
    if (after_) after_(messages);
  }
  void look() override {}
  void connect(std::span<const Buffer* const>) override {}

private:
  Communicator communicator_;
  After after_;
};

}  // namespace memstencil
