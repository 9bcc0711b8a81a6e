// Probe exchange: messages between the memories of several ranks' processors, on each transport.
#include "app/base/ranks/collectively.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/transport.hpp"
#include "app/membench/core/memory.hpp"
#include "kernels/elapsed.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace memstencil::membench {

namespace {

/// In the order of the paths in the record.
constexpr std::array all_paths{Transport::Peer, Transport::Nccl, Transport::Device,
                               Transport::Staged};

Executor executor_here() { return gpu_count() > 0 ? Executor::Device : Executor::Host; }

Placement placement_here(const Communicator& ranks) {
  PlacementOptions options;
  options.memspace = scratch_space(executor_here());
  return placement_of(options, ranks_of_gpu(ranks, gpu_facts().uuid));
}

/// A transport of messages, and its buffers, as long as its points last. NCCL and an MPI that
/// takes device pointers may each wait for a GPU that the other keeps busy: so transports follow
/// one another, and one's communicator is gone before the next one begins.
class Path {
public:
  /// Can messages travel so here? Then the ranks' GPUs are connected, if they carry them.
  /// Collective.
  Path(Transport transport, const Communicator& ranks)
      : ranks_(ranks), placement_(placement_here(ranks)), transport_(transport) {
    try {
      agreed_transport("exchange", transport, placement_, ranks);
      gpu_ = connect("exchange", transport, ranks);
    } catch (const CollectiveFailure& failure) {
      why_not = failure.what();
    }
  }

  /// Collective if the ranks' GPUs are connected.
  ~Path() { gpu_.connect({}); }
  Path& operator=(Path&&) = delete;  // nor any copy

  /// Buffers of `bytes` or more. Errors as Buffer's and require_memory's, on all ranks.
  void reserve(std::size_t bytes) {
    if (own_ && own_->send.bytes() >= bytes) return;
    gpu_.connect({});
    own_.reset();
    host_.reset();
    const MemorySpace own = placement_.space;
    const MemoryKind sent = message_memory(placement_.executor, transport_);
    const int sharing =
        placement_.executor == Executor::Device ? placement_.ranks_of_gpu : ranks_.node_size();
    collectively(ranks_, [&] {
      require_memory(own, 2 * bytes * static_cast<std::size_t>(sharing));
      own_.emplace(own, bytes);
      if (sent.space != own) host_.emplace(sent, bytes);
    });
    gpu_.connect(std::vector<const Buffer*>{&own_->send, &own_->receive});
  }
  double* send() const { return static_cast<double*>(own_->send.data()); }
  double* receive() const { return static_cast<double*>(own_->receive.data()); }

  /// A message of `bytes` with each, one after the other in the buffers.
  /// Returns when all are there.
  void exchange(const std::vector<int>& with, std::size_t bytes) const {
    const std::size_t all = bytes * with.size();
    if (gpu_.peers) return store(with, bytes);
    if (host_) copy(host_->send.data(), send(), all);
    const Buffers& sent = host_ ? *host_ : *own_;
    std::vector<Message> messages;
    for (std::size_t n = 0; n < with.size(); ++n)
      messages.push_back({.peer = with[n],
                          .send = static_cast<const char*>(sent.send.data()) + n * bytes,
                          .receive = static_cast<char*>(sent.receive.data()) + n * bytes,
                          .send_bytes = bytes,
                          .receive_bytes = bytes});
    if (gpu_.messages) {
      const Kokkos::DefaultExecutionSpace queue;
      gpu_.messages->exchange(messages, stream_of(queue));
      wait_for(queue, gpu_.messages.get());
    } else {
      ranks_.exchange(messages);
    }
    if (host_) copy(receive(), host_->receive.data(), all);
  }

  /// Makes the arrived numbers NaN: a number that no message brings is then found.
  void spoil(std::size_t bytes) const {
    memstencil::fill(receive(), 0xFF, bytes);
    if (host_) memstencil::fill(host_->receive.data(), 0xFF, bytes);
  }

  std::string why_not;

private:
  struct Buffers {
    Buffers(const MemoryKind& kind, std::size_t bytes) : send(kind, bytes), receive(kind, bytes) {}
    Buffer send, receive;
  };

  /// The same by stores. In the other's list this rank stands as far from the end as the other does
  /// from the beginning of this one's: peers().
  void store(const std::vector<int>& with, std::size_t bytes) const {
    std::vector<StoredRows> rows;
    for (std::size_t n = 0; n < with.size(); ++n) {
      const char* const from = static_cast<const char*>(own_->send.data()) + n * bytes;
      const char* const there =
          static_cast<const char*>(own_->receive.data()) + (with.size() - 1 - n) * bytes;
      const PeerRows one_row{
          from, gpu_.peers->reach(with[n], there), bytes, 1, 1, bytes, bytes, bytes, bytes};
      rows.push_back({one_row, with[n]});
    }
    const Kokkos::DefaultExecutionSpace queue;
    gpu_.peers->store(rows, stream_of(queue));
    wait_for(queue, nullptr);
  }

  const Communicator& ranks_;
  const Placement placement_;
  const Transport transport_;
  GpuPaths gpu_;
  std::optional<Buffers> own_, host_;
};

/// The ranks with which this one exchanges messages, each once: its neighbours in a ring, or all.
std::vector<int> peers(bool all_to_all, const Communicator& ranks) {
  std::vector<int> out;
  const int all = ranks.size();
  for (int step = 1; step < all; ++step)
    if (all_to_all || step == 1 || step == all - 1) out.push_back((ranks.rank() + step) % all);
  return out;
}

/// Numbers in each of the messages, which share the size: at least 1.
std::size_t numbers_of_message(const Row& row, std::size_t messages) {
  return std::max<std::size_t>(1, row.bytes() / messages / sizeof(double));
}

double counted_bytes(const Row& row) {
  const auto others = static_cast<std::size_t>(row.number("ranks")) - 1;
  const std::size_t messages =
      row.is("pattern", "all-to-all") ? others : std::min<std::size_t>(others, 2);
  return static_cast<double>(messages * numbers_of_message(row, messages) * sizeof(double));
}

void measure_exchange(State& state, Shared<Path>& shared) {
  const Communicator& ranks = *state.setup.ranks;
  Path& path = shared.of(state.text("path"), [&] {
    return std::make_unique<Path>(all_paths[static_cast<std::size_t>(state.index("path"))], ranks);
  });
  if (!path.why_not.empty()) state.leave_out(path.why_not);
  const std::vector<int> with = peers(state.is("pattern", "all-to-all"), ranks);
  const std::size_t size = state.bytes(), count = numbers_of_message(state, with.size());
  const std::size_t bytes = count * sizeof(double), all = bytes * with.size();
  state.set("ranks", ranks.size());
  path.reserve(size + static_cast<std::size_t>(ranks.size()) * sizeof(double));
  // A sample of short ones lasts a millisecond or more.
  const int times = static_cast<int>(std::clamp<std::size_t>(16 * mib / size, 1, 64));
  const probes::PatternKernels& pattern = pattern_of(executor_here());
  // The numbers of each message are its own.
  const auto seed = [&](int from, int to) {
    return static_cast<std::uint64_t>(from * ranks.size() + to) << 40;
  };
  collectively(ranks, [&] {
    for (std::size_t n = 0; n < with.size(); ++n)
      pattern.write(path.send() + n * count, count, 1, seed(ranks.rank(), with[n]));
  });
  state.add("nodes", ranks.sum(ranks.node_rank() == 0 ? 1.0 : 0.0));
  state.rate(times, [&] {
    ranks.barrier();
    const double own = host_seconds([&] {
      for (int n = 0; n < times; ++n) path.exchange(with, bytes);
    });
    // On the slowest rank: the same on all, so that all sample as often.
    return ranks.maximum(own);
  });
  collectively(ranks, [&] { path.spoil(all); });
  path.exchange(with, bytes);
  collectively(ranks, [&] {
    for (std::size_t n = 0; n < with.size(); ++n) {
      const std::size_t wrong =
          pattern.wrong(path.receive() + n * count, count, 1, seed(with[n], ranks.rank()));
      verify(wrong == 0, fmt::format("{}: {} of {} numbers from rank {} to rank {} are wrong",
                                     state.title(), wrong, count, with[n], ranks.rank()));
    }
  });
}

}  // namespace

extern const Probe exchange_probe{
    .name = "exchange",
    .summary = "messages between the memories of several ranks' processors",
    .source = "[nccl], grouped send and receive",
    .counted = "bytes out of a rank, while as many come in",
    .needs = Needs::Ranks,
    .axes = [](bool) -> std::vector<Axis> {
      std::vector<std::string> paths;
      for (const Transport each : all_paths) paths.emplace_back(memstencil::name(each));
      const std::size_t largest = executor_here() == Executor::Device ? gib : 64 * mib;
      std::vector<double> bytes;
      for (std::size_t n = kib; n <= largest; n *= 4) bytes.push_back(static_cast<double>(n));
      return {names("path", paths), names("pattern", {"neighbours", "all-to-all"}),
              sizes("bytes", bytes, 8)};
    },
    .is_there = [](const Row& r, const auto&) { return gpu_count() > 0 || r.is("path", "staged"); },
    .counted_bytes = counted_bytes,
    .start = each_sharing<Shared<Path>, measure_exchange>,
    .notes =
        {"bytes leave a rank and as many arrive, in one message with each of its neighbours in a "
         "ring, or with every other rank; seconds are those of one exchange from its call to "
         "the arrival of all, on the slowest rank"},
    .sampling = {.warmups = 2, .fewest = 5, .most = 15}};

}  // namespace memstencil::membench
