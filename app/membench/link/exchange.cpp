// Probe exchange: messages between the memories of several ranks' processors, on
// every path that they can take.
#include "app/common/ranks/carrier.hpp"
#include "app/common/ranks/collectively.hpp"
#include "app/common/runtime/clock.hpp"
#include "app/common/runtime/execution.hpp"
#include "app/membench/core/measuring.hpp"
#include "app/placement/message_path.hpp"
#include "app/placement/place.hpp"
#include "kernels/matrix/matrix.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace memstencil::membench::exchange_probe {

namespace {

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = std::size_t{1} << 20;

constexpr Sampling usual{.warmups = 2, .repeats = 5, .limit = 15};

enum class Pattern { Neighbours, AllToAll };

constexpr const char* name_of(Pattern pattern) {
  return pattern == Pattern::Neighbours ? "neighbours" : "all-to-all";
}

/// The ranks with which this one exchanges messages, each once.
std::vector<int> peers(Pattern pattern, const Communicator& ranks) {
  std::vector<int> out;
  const int all = ranks.size();
  for (int step = 1; step < all; ++step)
    if (pattern == Pattern::AllToAll || step == 1 || step == all - 1)
      out.push_back((ranks.rank() + step) % all);
  return out;
}

/// 1 KiB, then four times as much each, and the largest.
std::vector<std::size_t> sizes(const Settings& settings, Executor executor) {
  const std::size_t largest =
      settings.bytes.value_or(executor == Executor::Device ? kib * mib : 64 * mib);
  std::vector<std::size_t> out;
  for (std::size_t bytes = kib; bytes < largest; bytes *= 4) out.push_back(bytes);
  out.push_back(largest);
  return out;
}

/// The bytes of each of so many messages that share a size: whole numbers, one at least.
std::size_t message_bytes(std::size_t size, std::size_t messages) {
  return std::max(sizeof(double), size / messages / sizeof(double) * sizeof(double));
}

std::string size_text(std::size_t bytes) {
  if (bytes % mib == 0) return fmt::format("{} MiB", bytes / mib);
  return bytes % kib == 0 ? fmt::format("{} KiB", bytes / kib) : fmt::format("{} B", bytes);
}

/// Exchanges messages on one path, with the buffers that it needs.
class Exchanger {
public:
  /// @param gpu carries the messages where it is given, otherwise MPI does
  Exchanger(MessagePath path, Executor executor, std::shared_ptr<GpuExchange> gpu,
            std::size_t bytes, const Communicator& ranks)
      : ranks_(ranks),
        gpu_(std::move(gpu)),
        send_(collectively(ranks, [&] { return Buffer(scratch_space(executor), bytes); })),
        receive_(collectively(ranks, [&] { return Buffer(scratch_space(executor), bytes); })) {
    if (gpu_) enrolled_ = {gpu_->enroll(send_), gpu_->enroll(receive_)};
    const MemorySpace sent = message_space(executor, path != MessagePath::Staged);
    if (sent == scratch_space(executor)) return;
    for (std::optional<Buffer>* each : {&host_send_, &host_receive_})
      *each = collectively(ranks, [&] { return Buffer(sent, bytes); });
  }

  double* send() const { return static_cast<double*>(send_.data()); }
  double* receive() const { return static_cast<double*>(receive_.data()); }

  /// A message of so many bytes with each, one after the other in the buffers.
  /// Returns when all are there.
  void exchange(const std::vector<int>& with, std::size_t bytes) const {
    const std::size_t all = bytes * with.size();
    if (host_send_) copy(host_send_->data(), send_.data(), all);
    const Buffer& from = host_send_ ? *host_send_ : send_;
    const Buffer& into = host_receive_ ? *host_receive_ : receive_;
    std::vector<Message> messages;
    for (std::size_t n = 0; n < with.size(); ++n)
      messages.push_back({.peer = with[n],
                          .send = static_cast<const char*>(from.data()) + n * bytes,
                          .receive = static_cast<char*>(into.data()) + n * bytes,
                          .send_bytes = bytes,
                          .receive_bytes = bytes});
    if (gpu_) {
      gpu_->exchange(messages);
      wait_for(Kokkos::DefaultExecutionSpace(), gpu_.get());
    } else {
      ranks_.exchange(messages);
    }
    if (host_receive_) copy(receive_.data(), host_receive_->data(), all);
  }

  /// Makes what has arrived no numbers: what no message brings is then found.
  void spoil(std::size_t bytes) const {
    memstencil::fill(receive_.data(), 0xFF, bytes);
    if (host_receive_) memstencil::fill(host_receive_->data(), 0xFF, bytes);
  }

private:
  const Communicator& ranks_;
  std::shared_ptr<GpuExchange> gpu_;
  Buffer send_, receive_;
  std::optional<Buffer> host_send_, host_receive_;
  std::vector<std::shared_ptr<void>> enrolled_;
};

/// The numbers of the message between two ranks.
matrix::Block numbers(int from, int to, int ranks, std::size_t bytes) {
  const auto count = static_cast<std::int64_t>(bytes / sizeof(double));
  return {.rows = 1,
          .columns = count,
          .pitch = count,
          .first_row = std::int64_t{from} * ranks + to,
          .first_column = 0,
          .global_rows = std::int64_t{ranks} * ranks,
          .global_columns = count};
}

/// Of the messages of one pattern and size.
struct Exchange {
  const Exchanger& exchanger;
  const Communicator& ranks;
  std::vector<int> with;
  std::size_t bytes;  ///< of a message

  template <class Exec>
  void fill(const Exec& exec) const {
    const std::size_t count = bytes / sizeof(double);
    for (std::size_t n = 0; n < with.size(); ++n)
      matrix::fill(exec, numbers(ranks.rank(), with[n], ranks.size(), bytes), matrix::Content::A,
                   exchanger.send() + n * count);
  }

  template <class Exec>
  void verify_received(const Exec& exec, const std::string& title) const {
    const std::size_t count = bytes / sizeof(double);
    for (std::size_t n = 0; n < with.size(); ++n) {
      const auto wrong = matrix::check(exec, numbers(with[n], ranks.rank(), ranks.size(), bytes),
                                       matrix::Content::A, exchanger.receive() + n * count);
      verify(wrong.count == 0,
             "{}: of the message from rank {} to rank {} {} of {} numbers are wrong", title,
             with[n], ranks.rank(), wrong.count, count);
    }
  }

  /// Seconds of one, on the slowest rank: the same on all, so that all sample as often.
  double seconds(int times) const {
    ranks.barrier();
    const double own = host_seconds([&] {
      for (int n = 0; n < times; ++n) exchanger.exchange(with, bytes);
    });
    return ranks.maximum(own) / times;
  }
};

struct Place {
  Executor executor;
  int ranks, nodes;
};

void measure(const Exchanger& exchanger, MessagePath path, Pattern pattern, std::size_t size,
             const Place& place, const Communicator& ranks, Collector& collector) {
  std::vector<int> with = peers(pattern, ranks);
  const std::size_t bytes = message_bytes(size, with.size());
  const Exchange exchange{exchanger, ranks, std::move(with), bytes};
  const double out = static_cast<double>(bytes * exchange.with.size());
  const std::string title =
      fmt::format("{}, {}, {}", name_of(pattern), name(path), size_text(size));
  // So many that a sample of short ones lasts a millisecond or more.
  const int times = static_cast<int>(std::clamp<std::size_t>(16 * mib / size, 1, 64));
  const Record parameters{{"pattern", name_of(pattern)},
                          {"path", name(path)},
                          {"bytes", size},
                          {"ranks", place.ranks},
                          {"nodes", place.nodes}};
  with_execution_space(
      place.executor, [&](const auto& exec) { collectively(ranks, [&] { exchange.fill(exec); }); });
  collector.measure(title, parameters, "GB/s",
                    [&] { return 1e-9 * out / exchange.seconds(times); });
  with_execution_space(place.executor, [&](const auto& exec) {
    collectively(ranks, [&] { exchanger.spoil(bytes * exchange.with.size()); });
    exchanger.exchange(exchange.with, bytes);
    collectively(ranks, [&] { exchange.verify_received(exec, title); });
  });
}

/// Tables and rates, from the medians over all experiments.
void derive(const Communicator& ranks, ProbeResult& result) {
  for (const Measurement& m : result.measurements) {
    const std::string pattern = m.parameters["pattern"], path = m.parameters["path"];
    const std::size_t size = m.parameters["bytes"];
    const std::size_t messages =
        peers(pattern == name_of(Pattern::Neighbours) ? Pattern::Neighbours : Pattern::AllToAll,
              ranks)
            .size();
    const double gbs = median(m.samples);
    const double seconds =
        1e-9 * static_cast<double>(messages * message_bytes(size, messages)) / gbs;
    add_row(result.tables[pattern + ", " + path],
            {{"bytes", size}, {"seconds", seconds}, {"gbs", gbs}});
    Record& rates = result.derived[path][pattern];
    if (!rates.contains("latency_seconds")) rates["latency_seconds"] = seconds;
    rates["gbs"] = gbs;
  }
}

/// Can messages take this path here? Then the ranks' GPUs are connected, where they carry them;
/// otherwise the reason goes to the notes. Collective.
bool connected(MessagePath path, const Placement& placement, const Communicator& ranks,
               std::shared_ptr<GpuExchange>& gpu, ProbeResult& result) {
  try {
    collectively(ranks, [&] {
      if (path == MessagePath::Peer && placement.ranks_of_gpu > 1)
        throw Failure(ExitCode::Machine, "exchange peer: ranks that share a GPU take turns on it");
    });
    message_path("exchange", path, placement, ranks);
    gpu = connect("exchange", path, ranks);
    return true;
  } catch (const CollectiveFailure& failure) {
    result.notes.push_back(std::string("left out: ") + failure.what());
    return false;
  }
}

ProbeResult run(const Settings& settings) {
  const Communicator& ranks = *settings.ranks;
  const Executor executor = gpu_count() > 0 ? Executor::Device : Executor::Host;
  const Placement placement{.space = scratch_space(executor),
                            .pages = Pages::Default,
                            .advice = Advice::None,
                            .prefetch = false,
                            .first_touch = executor,
                            .executor = executor,
                            .ranks_of_gpu = ranks_of_gpu(ranks, gpu_facts().uuid)};
  const double nodes = ranks.sum(ranks.node_rank() == 0 ? 1.0 : 0.0);
  const Place place{executor, ranks.size(), static_cast<int>(nodes)};
  Collector collector(settings, usual);
  const std::vector<std::size_t> all = sizes(settings, executor);
  // A size that the number of peers does not divide is rounded up.
  const std::size_t most = all.back() + static_cast<std::size_t>(ranks.size()) * sizeof(double);
  const int sharing = executor == Executor::Device ? placement.ranks_of_gpu : ranks.node_size();
  collectively(ranks, [&] { require_memory(scratch_space(executor), 2 * most * sharing); });
  // One after the other, and never at once: NCCL and an MPI that takes device pointers may each
  // wait for a GPU that the other keeps busy. All messages of a path have arrived on all ranks
  // before the next begins (the last step of measure() is collective), and NCCL's communicator is
  // gone by then.
  for (const MessagePath path :
       {MessagePath::Peer, MessagePath::Nccl, MessagePath::Device, MessagePath::Staged}) {
    std::shared_ptr<GpuExchange> gpu;
    if (!connected(path, placement, ranks, gpu, collector.result)) continue;
    for (int n = settings.experiment_count(); n > 0; --n) {
      const Exchanger exchanger(path, executor, gpu, most, ranks);
      for (const Pattern pattern : {Pattern::Neighbours, Pattern::AllToAll})
        for (const std::size_t size : all)
          measure(exchanger, path, pattern, size, place, ranks, collector);
    }
  }
  derive(ranks, collector.result);
  collector.result.notes.push_back(
      "bytes leave a rank and as many arrive, in one message with each of its neighbours in a "
      "ring, or with every other rank; seconds are those of one exchange from its call to the "
      "arrival of all, on the slowest rank; latency is that of the smallest, the rate in "
      "derived that of the largest");
  return collector.result;
}

}  // namespace

extern const Probe probe{.name = "exchange",
                         .summary = "messages between the memories of several ranks' processors",
                         .source = "[nccl], grouped send and receive",
                         .counted = "bytes out of a rank, while as many come in",
                         .options = {&size_option},
                         .refused = refuse_without_driver,
                         .run = run,
                         .several_ranks = true};

}  // namespace memstencil::membench::exchange_probe
