// A GPU's exchange that a host has not: its messages are under way until somebody looks for them.
#pragma once

#include "app/bench/gpu_exchange.hpp"

#include <cstring>
#include <vector>

namespace memstencil::transpose {

/// Sends what stands in the buffers when messages start, and lets it arrive at the next look().
/// Until then it spoils what they fill, and then what was sent: who reads too soon, or packs
/// too late, finds no numbers.
class LateExchange final : public GpuExchange {
public:
  explicit LateExchange(const Communicator& communicator) : communicator_(communicator) {}

  void exchange(std::span<const Message> messages, void*) override {
    look();
    for (const Message& message : messages) {
      arrived_.emplace_back(message.receive_bytes);
      std::memset(message.receive, 0xFF, message.receive_bytes);
    }
    under_way_.assign(messages.begin(), messages.end());
    std::vector<Message> aside = under_way_;
    for (std::size_t n = 0; n < aside.size(); ++n) aside[n].receive = arrived_[n].data();
    communicator_.exchange(aside);
    count_ += messages.size();
  }

  void look() override {
    for (std::size_t n = 0; n < under_way_.size(); ++n) {
      const Message& message = under_way_[n];
      // Empty messages may have no address, which memcpy and memset do not take.
      if (message.receive_bytes > 0)
        std::memcpy(message.receive, arrived_[n].data(), message.receive_bytes);
      if (message.send_bytes > 0)
        std::memset(const_cast<void*>(message.send), 0xFF, message.send_bytes);
    }
    under_way_.clear();
    arrived_.clear();
  }

  std::shared_ptr<void> enroll(const Buffer&) override { return nullptr; }

  std::size_t messages() const { return count_; }
  bool all_arrived() const { return under_way_.empty(); }

private:
  const Communicator& communicator_;
  std::vector<Message> under_way_;
  std::vector<std::vector<char>> arrived_;
  std::size_t count_ = 0;
};

}  // namespace memstencil::transpose
