// Messages between the GPUs of one node by stores of a kernel: no library carries them.
#include "app/bench/gpu_exchange.hpp"

#include "app/base/ranks/collectively.hpp"
#include "kernels/peer_messages.hpp"
#include "kernels/peer_stores.hpp"
#include "kernels/queue_counters.hpp"
#include "memory_spaces/movement.hpp"
#include "memory_spaces/peer_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <vector>

namespace memstencil {

namespace {

/// This rank's buffer as a region of all: each rank reaches those of the others.
class Region {
public:
  /// Collective. @throws CollectiveFailure(Machine)
  Region(const Communicator& ranks, const Buffer& own) : ranks_(ranks), own_(own) {
    const auto shared = ranks.all_gather(collectively(ranks, [&] { return share(own); }));
    try {
      collectively(ranks, [&] {
        for (int rank = 0; rank < ranks.size(); ++rank) {
          others_.emplace_back();
          if (rank != ranks.rank()) others_.back().emplace(shared[static_cast<std::size_t>(rank)]);
        }
      });
    } catch (const CollectiveFailure&) {
      leave();
      throw;
    }
  }

  /// Collective, but after an error of this rank alone, which ends the program.
  ~Region() {
    if (std::uncaught_exceptions() == 0) leave();
  }
  /// Returns when no rank reaches another's any more: memory that others still reach must not be
  /// freed. Collective.
  void leave() {
    others_.clear();
    ranks_.barrier();
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// The other rank's, as this GPU sees it.
  char* of(int rank) const { return others_.at(static_cast<std::size_t>(rank))->data(); }
  /// Where in it this address is; nothing where it is elsewhere.
  std::optional<std::size_t> offset(const void* data) const {
    const char* const first = static_cast<const char*>(own_.data());
    const char* const at = static_cast<const char*>(data);
    if (at < first || at >= first + own_.bytes()) return {};
    return static_cast<std::size_t>(at - first);
  }

private:
  const Communicator& ranks_;
  const Buffer& own_;
  std::vector<std::optional<PeerMemory>> others_;
};

class PeerExchange final : public GpuExchange {
public:
  explicit PeerExchange(const Communicator& ranks)
      : ranks_(ranks),
        mail_(zeros(sizeof(PeerMail))),
        ends_(zeros(sizeof(std::uint32_t))),
        tables_(zeros(PeerAddress::most_regions * sizeof(char*))),
        counts_(static_cast<std::size_t>(ranks.size())),
        regions_(PeerAddress::most_regions),
        mail_of_others_(ranks, mail_) {}

  PeerExchange(const PeerExchange&) = delete;
  PeerExchange& operator=(const PeerExchange&) = delete;

  void exchange(std::span<const Message> messages, void* stream) override {
    std::vector<Message> ordered(messages.begin(), messages.end());
    // The next rank's first: otherwise all would store into the same GPU at a time.
    const auto distance = [this](const Message& message) {
      return (message.peer - ranks_.rank() + ranks_.size()) % ranks_.size();
    };
    std::sort(ordered.begin(), ordered.end(),
              [&](const Message& a, const Message& b) { return distance(a) < distance(b); });
    std::vector<PeerMessage> batch;
    for (const Message& message : ordered) batch.push_back(to_peer(message));
    if (!batch.empty()) start_peer_messages(batch.data(), static_cast<int>(batch.size()), stream);
  }

  void look() override {}  // a store that fails ends the kernel, and CUDA says so

  std::shared_ptr<void> enroll(const Buffer& buffer) override {
    const auto slot = std::find(regions_.begin(), regions_.end(), nullptr);
    if (slot == regions_.end())
      throw Failure(ExitCode::Other, "messages between GPUs: too many regions of memory");
    const auto index = static_cast<std::size_t>(slot - regions_.begin());
    std::shared_ptr<Region> region;
    try {
      region = std::make_shared<Region>(ranks_, buffer);
    } catch (const CollectiveFailure& failure) {
      // All ranks are here. Whoever enrolled these will free the memory while the error goes on its
      // way, where nobody can wait for the others.
      for (Region* const each : regions_)
        if (each != nullptr) each->leave();
      mail_of_others_.leave();
      throw CollectiveFailure(failure.code(),
                              fmt::format("{}; choose another path than peer", failure.what()));
    }
    for (int rank = 0; rank < ranks_.size(); ++rank)
      if (rank != ranks_.rank()) {
        char* const base = region->of(rank);
        copy(table(rank) + index, &base, sizeof base);
      }
    *slot = region.get();
    return {region.get(), [this, index, region](void*) mutable {
              regions_[index] = nullptr;
              region.reset();
            }};
  }

  void* reach(int rank, const std::shared_ptr<void>& enrolled) const override {
    return static_cast<const Region*>(enrolled.get())->of(rank);
  }

  bool signals() const override { return why_not_queue_counters().empty(); }
  void store(std::span<const StoredRows> stores, void* stream) override {
    std::vector<PeerStore> batch;
    for (const StoredRows& each : stores)
      batch.push_back({each, &mail_there(each.peer)->signals,
                       &of<PeerMail>(mail_, each.peer)->signals, ++counts(each.peer).given,
                       ++counts(each.peer).awaited, of<std::uint32_t>(ends_, each.peer)});
    start_peer_stores(batch.data(), static_cast<int>(batch.size()), stream);
  }
  void give_signal(int rank, void* stream) override {
    set_counter(&mail_there(rank)->signals, ++counts(rank).given, stream);
  }
  void wait_for_signal(int rank, void* stream) override {
    wait_for_counter(&of<PeerMail>(mail_, rank)->signals, ++counts(rank).awaited, stream);
  }

private:
  /// What has passed between this rank and another.
  struct Counts {
    std::uint32_t messages = 0xFFF0;  ///< near the end of 16 bits, so that every run begins anew
    std::uint32_t given = 0, awaited = 0;  ///< signals
  };
  Counts& counts(int rank) { return counts_.at(static_cast<std::size_t>(rank)); }

  /// Of this rank, at the other.
  PeerMail* mail_there(int rank) const {
    return reinterpret_cast<PeerMail*>(mail_of_others_.of(rank)) + ranks_.rank();
  }

  /// For each rank so many bytes.
  Buffer zeros(std::size_t bytes) const {
    Buffer out(MemorySpace::Device, bytes * static_cast<std::size_t>(ranks_.size()), "peers");
    fill(out.data(), 0, out.bytes());
    return out;
  }

  template <class T>
  T* of(const Buffer& buffer, int rank) const {
    return static_cast<T*>(buffer.data()) + rank;
  }
  char** table(int rank) const {
    return static_cast<char**>(tables_.data()) + rank * PeerAddress::most_regions;
  }

  PeerMessage to_peer(const Message& message) {
    const int rank = message.peer;
    std::uint32_t& number = counts(rank).messages;
    number = number % 0xFFFF + 1;  // in 16 bits, and never 0, as which mail begins
    return {.send = message.send,
            .send_bytes = message.send_bytes,
            .receive_bytes = message.receive_bytes,
            .address = message.receive_bytes > 0 ? address_of(message.receive, number) : 0,
            .number = number,
            .here = of<PeerMail>(mail_, rank),
            .there = mail_there(rank),
            .regions = table(rank),
            .ends = of<std::uint32_t>(ends_, rank)};
  }

  std::uint64_t address_of(const void* data, std::uint32_t number) const {
    for (std::size_t n = 0; n < regions_.size(); ++n)
      if (regions_[n] != nullptr)
        if (const auto offset = regions_[n]->offset(data))
          return PeerAddress::word(number, static_cast<int>(n), *offset);
    throw Failure(ExitCode::Other, "messages between GPUs: memory that is not enrolled");
  }

  const Communicator& ranks_;
  Buffer mail_, ends_, tables_;  ///< one for each rank
  std::vector<Counts> counts_;
  std::vector<Region*> regions_;  ///< null where none is enrolled
  Region mail_of_others_;
};

/// The least that an exchange needs, tried without a kernel.
void store_into_all(const Communicator& ranks) {
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<int> got(size, -1), want(size);
  // Never released: that fences by Kokkos, which need not have started.
  static Buffer* own = nullptr;
  collectively(ranks, [&] {
    own = new Buffer(MemorySpace::Device, size * sizeof(int), "peers");
    fill(own->data(), 0xFF, own->bytes());
  });
  const Region region(ranks, *own);
  collectively(ranks, [&] {
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const int mine = ranks.rank();
      want[static_cast<std::size_t>(rank)] = rank == mine ? -1 : rank;
      if (rank != mine) copy(reinterpret_cast<int*>(region.of(rank)) + mine, &mine, sizeof mine);
    }
  });
  collectively(ranks, [&] {
    copy(got.data(), own->data(), own->bytes());
    if (got != want)
      throw Failure(ExitCode::Machine, "what a rank stores in another's memory does not arrive");
  });
}

std::string tried(const Communicator& communicator) {
  if (!communicator.all(communicator.node_size() == communicator.size()))
    return "the ranks are not all on one node";
  if (communicator.size() > most_peer_messages)
    return fmt::format("of one node it takes {} ranks at most", most_peer_messages);
  try {
    store_into_all(communicator);
    communicator.barrier();
    return {};
  } catch (const CollectiveFailure& failure) {
    return failure.what();
  }
}

}  // namespace

std::string why_not_peer_exchange(const Communicator& communicator) {
  static const std::string reason = tried(communicator);
  return reason;
}

std::unique_ptr<GpuExchange> make_peer_exchange(const Communicator& communicator) {
  return std::make_unique<PeerExchange>(communicator);
}

}  // namespace memstencil
