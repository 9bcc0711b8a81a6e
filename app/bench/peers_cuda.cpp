// The memory of the other GPUs of a node: kernels of this rank store into it, and queues signal.
#include "app/bench/gpu_exchange.hpp"

#include "app/base/ranks/collectively.hpp"
#include "kernels/queue.hpp"
#include "memory_spaces/cuda_gpu.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>

namespace memstencil {

namespace {

/// The other ranks' buffers by rank, as kernels of this process see them (CUDA IPC), for as long as
/// this is kept; nothing of this rank.
using Mapped = std::vector<std::shared_ptr<char>>;

std::string shared_with_others(const Buffer& buffer) {
  cudaIpcMemHandle_t handle{};
  check_gpu(cudaIpcGetMemHandle(&handle, buffer.data()),
            "memory of this GPU cannot be shared with another process");
  return {reinterpret_cast<const char*>(&handle), sizeof handle};
}

/// @param shared as shared_with_others() gave it to the owner, who must keep the buffer longer
std::shared_ptr<char> reached(const std::string& shared) {
  cudaIpcMemHandle_t handle{};
  std::memcpy(&handle, shared.data(), sizeof handle);
  void* data = nullptr;
  check_gpu(cudaIpcOpenMemHandle(&data, handle, cudaIpcMemLazyEnablePeerAccess),
            "memory of another process's GPU cannot be reached");
  return {static_cast<char*>(data), [](char* opened) { cudaIpcCloseMemHandle(opened); }};
}

/// Collective. @throws CollectiveFailure(Machine)
Mapped mapped(const Communicator& ranks, const Buffer& own) {
  const auto shared =
      ranks.all_gather(collectively(ranks, [&] { return shared_with_others(own); }));
  try {
    return collectively(ranks, [&] {
      Mapped others(shared.size());
      for (std::size_t rank = 0; rank < shared.size(); ++rank)
        if (static_cast<int>(rank) != ranks.rank()) others[rank] = reached(shared[rank]);
      return others;
    });
  } catch (const CollectiveFailure&) {
    ranks.barrier();  // the owner frees the buffer as the error goes on: no rank has it any more
    throw;
  }
}

class DevicePeers final : public Peers {
public:
  /// Collective. @throws CollectiveFailure(Machine)
  explicit DevicePeers(const Communicator& ranks)
      : ranks_(ranks),
        signals_(zeros(sizeof(PeerSignal))),
        ends_(zeros(sizeof(std::uint32_t))),
        counts_(static_cast<std::size_t>(ranks.size())),
        signals_of_others_(mapped(ranks, signals_)) {}
  /// Collective, but after an error of this rank alone, which ends the program.
  ~DevicePeers() override {
    if (std::uncaught_exceptions() > 0) return;
    signals_of_others_.clear();
    leave();
  }

  void connect(std::span<const Buffer* const> buffers) override {
    leave();
    try {
      for (const Buffer* each : buffers) regions_.push_back({each, mapped(ranks_, *each)});
    } catch (const CollectiveFailure& failure) {
      regions_.clear();
      ranks_.barrier();
      throw CollectiveFailure(failure.code(),
                              fmt::format("{}; choose another path than peer", failure.what()));
    }
  }

  char* reach(int rank, const void* data) const override {
    const char* const at = static_cast<const char*>(data);
    for (const Region& each : regions_)
      if (const char* const first = static_cast<const char*>(each.own->data());
          at >= first && at < first + each.own->bytes())
        return each.others.at(static_cast<std::size_t>(rank)).get() + (at - first);
    throw Failure(ExitCode::Other, "stores into other GPUs: memory that is not connected");
  }

  void store(std::span<const StoredRows> stores, void* stream) override {
    std::vector<PeerStore> batch;
    for (const StoredRows& each : stores) {
      Counts& counts = counts_of(each.peer);
      batch.push_back({each, &signal_there(each.peer)->count, &signal_here(each.peer)->count,
                       ++counts.given, ++counts.awaited,
                       static_cast<std::uint32_t*>(ends_.data()) + each.peer});
    }
    start_peer_stores(batch.data(), static_cast<int>(batch.size()), stream);
  }

  void signal(int rank, void* stream) override {
    set_counter(&signal_there(rank)->count, ++counts_of(rank).given, stream);
  }
  void wait(int rank, void* stream) override {
    wait_for_counter(&signal_here(rank)->count, ++counts_of(rank).awaited, stream);
  }

private:
  struct Region {
    const Buffer* own;
    Mapped others;
  };
  /// Signals that passed between this rank and another.
  struct Counts {
    std::uint32_t given = 0, awaited = 0;
  };
  void leave() {
    regions_.clear();
    // Memory that others still reach must not be freed. An error of this rank alone ends the
    // program.
    if (std::uncaught_exceptions() == 0) ranks_.barrier();
  }
  Counts& counts_of(int rank) { return counts_.at(static_cast<std::size_t>(rank)); }
  PeerSignal* signal_here(int rank) const {
    return static_cast<PeerSignal*>(signals_.data()) + rank;
  }
  PeerSignal* signal_there(int rank) const {
    char* const all = signals_of_others_.at(static_cast<std::size_t>(rank)).get();
    return reinterpret_cast<PeerSignal*>(all) + ranks_.rank();
  }
  Buffer zeros(std::size_t bytes_of_rank) const {
    Buffer out(MemorySpace::Device, bytes_of_rank * static_cast<std::size_t>(ranks_.size()),
               "peers");
    fill(out.data(), 0, out.bytes());
    return out;
  }

  const Communicator& ranks_;
  Buffer signals_, ends_;  ///< one for each rank
  std::vector<Counts> counts_;
  std::vector<Region> regions_;
  Mapped signals_of_others_;
};

/// The least that stores need, tried without a kernel.
void store_into_all(const Communicator& ranks) {
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<int> got(size, -1), want(size);
  // Never released: that fences by Kokkos, which need not have started.
  static Buffer* own = nullptr;
  collectively(ranks, [&] {
    own = new Buffer(MemorySpace::Device, size * sizeof(int), "peers");
    fill(own->data(), 0xFF, own->bytes());
  });
  const auto others = mapped(ranks, *own);
  collectively(ranks, [&] {
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const int mine = ranks.rank();
      const auto n = static_cast<std::size_t>(rank);
      want[n] = rank == mine ? -1 : rank;
      if (rank != mine) copy(reinterpret_cast<int*>(others[n].get()) + mine, &mine, sizeof mine);
    }
  });
  collectively(ranks, [&] {
    copy(got.data(), own->data(), own->bytes());
    if (got != want)
      throw Failure(ExitCode::Machine, "what a rank stores in another's memory does not arrive");
  });
}

std::string tried(const Communicator& ranks) {
  if (!ranks.all(ranks.node_size() == ranks.size())) return "the ranks are not all on one node";
  if (ranks.size() > most_peers)
    return fmt::format("of one node it takes {} ranks at most", most_peers);
  try {
    collectively(ranks, [] {
      if (const std::string reason = why_not_queue_counters(); !reason.empty())
        throw Failure(ExitCode::Machine, reason);
    });
    store_into_all(ranks);
    ranks.barrier();
    return {};
  } catch (const CollectiveFailure& failure) {
    return failure.what();
  }
}

}  // namespace

std::string why_not_peers(const Communicator& communicator) {
  static const std::string reason = tried(communicator);
  return reason;
}

std::shared_ptr<Peers> make_peers(const Communicator& communicator) {
  return std::make_shared<DevicePeers>(communicator);
}

}  // namespace memstencil
