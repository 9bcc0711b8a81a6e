// Probe exchange: messages between the memories of several ranks' processors, on
// every path that they can take.
#include "app/base/ranks/carrier.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/clock.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/bench/message_path.hpp"
#include "app/bench/placement.hpp"
#include "app/membench/core/machine.hpp"
#include "kernels/matrix/matrix.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace memstencil::membench {

namespace {

/// The ranks with which this one exchanges messages, each once: its neighbours in a ring, or all.
std::vector<int> peers(bool all_to_all, const Communicator& ranks) {
  std::vector<int> out;
  const int all = ranks.size();
  for (int step = 1; step < all; ++step)
    if (all_to_all || step == 1 || step == all - 1) out.push_back((ranks.rank() + step) % all);
  return out;
}

/// The bytes of each of so many messages that share a size: whole numbers, one at least.
std::size_t message_bytes(std::size_t size, std::size_t messages) {
  return std::max(sizeof(double), size / messages / sizeof(double) * sizeof(double));
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
             fmt::format("{}: of the message from rank {} to rank {} {} of {} numbers are wrong",
                         title, with[n], ranks.rank(), wrong.count, count));
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

/// A path that messages take, as long as its points last. NCCL and an MPI that takes device
/// pointers may each wait for a GPU that the other keeps busy: so paths follow one another, and a
/// path's communicator is gone before the next one begins.
struct Course {
  MessagePath path = MessagePath::Staged;
  std::shared_ptr<GpuExchange> gpu;
  std::optional<Exchanger> exchanger;
  std::string of;  ///< the path's name
  std::string why_not;
  std::size_t bytes = 0;
};

constexpr std::array all_paths{MessagePath::Peer, MessagePath::Nccl, MessagePath::Device,
                               MessagePath::Staged};

Placement placement_of(const Communicator& ranks, Executor executor) {
  return {.space = scratch_space(executor),
          .pages = Pages::Default,
          .advice = Advice::None,
          .prefetch = false,
          .first_touch = executor,
          .executor = executor,
          .ranks_of_gpu = ranks_of_gpu(ranks, gpu_facts().uuid)};
}

/// Can messages take this path here? Then the ranks' GPUs are connected, where they carry them.
/// Collective.
void connect(Course& course, const std::string& name, Executor executor,
             const Communicator& ranks) {
  course.exchanger.reset();
  course.gpu.reset();
  course.of = name;
  course.why_not.clear();
  course.bytes = 0;
  for (const MessagePath path : all_paths)
    if (memstencil::name(path) == name) course.path = path;
  const Placement placement = placement_of(ranks, executor);
  try {
    collectively(ranks, [&] {
      if (course.path == MessagePath::Peer && placement.ranks_of_gpu > 1)
        throw Failure(ExitCode::Machine, "exchange peer: ranks that share a GPU take turns on it");
    });
    message_path("exchange", course.path, placement, ranks);
    course.gpu = memstencil::connect("exchange", course.path, ranks);
  } catch (const CollectiveFailure& failure) {
    course.why_not = failure.what();
  }
}

/// Buffers for `most` bytes; larger ones than before where they do not do.
void make_room(Course& course, std::size_t most, Executor executor, const Communicator& ranks) {
  if (course.exchanger && course.bytes >= most) return;
  const int sharing =
      executor == Executor::Device ? placement_of(ranks, executor).ranks_of_gpu : ranks.node_size();
  collectively(ranks, [&] {
    require_memory(scratch_space(executor), 2 * most * static_cast<std::size_t>(sharing));
  });
  course.exchanger.reset();
  course.exchanger.emplace(course.path, executor, course.gpu, most, ranks);
  course.bytes = most;
}

void measure(State& state, const Exchanger& exchanger, Executor executor,
             const Communicator& ranks) {
  std::vector<int> with = peers(state.is("pattern", "all-to-all"), ranks);
  const std::size_t size = state.bytes(), bytes = message_bytes(size, with.size());
  const Exchange exchange{exchanger, ranks, std::move(with), bytes};
  const double out = static_cast<double>(bytes * exchange.with.size());
  // So many that a sample of short ones lasts a millisecond or more.
  const int times = static_cast<int>(std::clamp<std::size_t>(16 * mib / size, 1, 64));
  with_execution_space(
      executor, [&](const auto& exec) { collectively(ranks, [&] { exchange.fill(exec); }); });
  state.add("ranks", ranks.size());
  state.add("nodes", ranks.sum(ranks.node_rank() == 0 ? 1.0 : 0.0));
  state.sample({"gbs", "seconds"}, [&] {
    const double seconds = exchange.seconds(times);
    return std::vector{1e-9 * out / seconds, seconds};
  });
  with_execution_space(executor, [&](const auto& exec) {
    collectively(ranks, [&] { exchanger.spoil(bytes * exchange.with.size()); });
    exchanger.exchange(exchange.with, bytes);
    collectively(ranks, [&] { exchange.verify_received(exec, state.title()); });
  });
}

Executor executor_here() { return gpu_count() > 0 ? Executor::Device : Executor::Host; }

Point start(const Setup& setup) {
  const auto course = std::make_shared<Course>();
  const Communicator& ranks = *setup.ranks;
  return [course, &ranks](State& state) {
    const Executor executor = executor_here();
    if (course->of != state.text("path")) connect(*course, state.text("path"), executor, ranks);
    if (!course->why_not.empty()) state.leave_out(course->why_not);
    // A size that the number of peers does not divide is rounded up.
    make_room(*course, state.bytes() + static_cast<std::size_t>(ranks.size()) * sizeof(double),
              executor, ranks);
    measure(state, *course->exchanger, executor, ranks);
  };
}

std::vector<Axis> axes(bool) {
  std::vector<std::string> paths;
  for (const MessagePath path : all_paths) paths.emplace_back(memstencil::name(path));
  const std::size_t largest = executor_here() == Executor::Device ? gib : 64 * mib;
  std::vector<double> bytes;
  for (std::size_t n = kib; n <= largest; n *= 4) bytes.push_back(static_cast<double>(n));
  return {names("path", paths), names("pattern", {"neighbours", "all-to-all"}),
          sizes("bytes", bytes, 8)};
}

}  // namespace

extern const Probe exchange_probe{
    .name = "exchange",
    .summary = "messages between the memories of several ranks' processors",
    .source = "[nccl], grouped send and receive",
    .counted = "bytes out of a rank, while as many come in",
    .needs = Needs::Ranks,
    .axes = axes,
    .start = start,
    .notes =
        {"bytes leave a rank and as many arrive, in one message with each of its neighbours in a "
         "ring, or with every other rank; seconds are those of one exchange from its call to "
         "the arrival of all, on the slowest rank"},
    .sampling = {.warmups = 2, .fewest = 5, .most = 15}};

}  // namespace memstencil::membench
