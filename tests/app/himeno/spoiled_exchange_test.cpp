// Pins that no run is verified over an exchange between GPUs that spoils what it brings: NCCL's,
// that by stores, and on a host one by MPI in their place.
#include "app/base/ranks/collectively.hpp"
#include "app/himeno/result.hpp"
#include "memory_spaces/movement.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/faulty_parts.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::himeno {
namespace {

enum class Kind { Stale, Shifted, Short, OneFloat };
constexpr std::array all_kinds{Kind::Stale, Kind::Shifted, Kind::Short, Kind::OneFloat};

/// Another exchange, with faults put in behind it in the same queue.
class SpoilingExchange final : public GpuExchange {
public:
  SpoilingExchange(std::shared_ptr<GpuExchange> sound, MemorySpace space)
      : sound_(std::move(sound)), space_(space) {}

  std::optional<Kind> kind = {};  ///< nothing: none

  void exchange(std::span<const Message> messages, void* stream) override {
    for (const Message& each : messages)
      start_copy(aside(each), each.receive, each.receive_bytes, stream);
    sound_->exchange(messages, stream);
    if (!kind) return;
    for (const Message& each : messages) spoil(each, stream);
  }
  void look() override { sound_->look(); }
  std::shared_ptr<void> enroll(const Buffer& buffer) override { return sound_->enroll(buffer); }
  void* reach(int rank, const std::shared_ptr<void>& enrolled) const override {
    return sound_->reach(rank, enrolled);
  }

private:
  /// Memory for what stood in the place of the message.
  char* aside(const Message& message) {
    auto found = aside_.find(message.receive);
    if (found == aside_.end() || found->second.bytes() < message.receive_bytes)
      found = aside_.insert_or_assign(message.receive, Buffer(space_, message.receive_bytes)).first;
    return static_cast<char*>(found->second.data());
  }

  void spoil(const Message& message, void* stream) {
    char* const to = static_cast<char*>(message.receive);
    char* const held = aside(message);
    const std::size_t bytes = message.receive_bytes, element = sizeof(float);
    switch (*kind) {
      case Kind::Stale:
        start_copy(to, held, bytes, stream);
        return;
      case Kind::Shifted:
        start_copy(held, to, bytes, stream);
        start_copy(to + element, held, bytes - element, stream);
        return;
      case Kind::Short: {
        const std::size_t first = bytes / element / 4 * 3 * element;
        start_copy(to + first, held + first, bytes - first, stream);
        return;
      }
      case Kind::OneFloat: {
        // In the first half of the layer, away from pads at the ends of its rows.
        start_copy(to + 5 * element, to + 6 * element, element, stream);
        return;
      }
    }
  }

  std::shared_ptr<GpuExchange> sound_;
  MemorySpace space_;
  std::map<void*, Buffer> aside_;
};

/// What sweeps store themselves arrives a float beside its place; what an exchange stores does not.
class MisplacingExchange final : public GpuExchange {
public:
  explicit MisplacingExchange(std::shared_ptr<GpuExchange> sound) : sound_(std::move(sound)) {}

  std::size_t off = 0;  ///< bytes

  void exchange(std::span<const Message> messages, void* stream) override {
    sound_->exchange(messages, stream);
  }
  void look() override { sound_->look(); }
  std::shared_ptr<void> enroll(const Buffer& buffer) override { return sound_->enroll(buffer); }
  void* reach(int rank, const std::shared_ptr<void>& enrolled) const override {
    return static_cast<char*>(sound_->reach(rank, enrolled)) + off;
  }
  bool signals() const override { return sound_->signals(); }
  void store(std::span<const StoredRows> stores, void* stream) override {
    std::vector<StoredRows> right(stores.begin(), stores.end());
    for (StoredRows& each : right)
      if (each.to != nullptr) each.to -= off;
    sound_->store(right, stream);
  }
  void give_signal(int rank, void* stream) override { sound_->give_signal(rank, stream); }
  void wait_for_signal(int rank, void* stream) override { sound_->wait_for_signal(rank, stream); }

private:
  std::shared_ptr<GpuExchange> sound_;
};

/// The line that the run ends with; empty where it is verified.
std::string run_over(const std::shared_ptr<GpuExchange>& exchange, const Options& options,
                     const Machine& machine) {
  const Communicator communicator;
  const Plan plan = make_plan(options, machine, communicator);
  try {
    run_once(plan, communicator, {}, exchange);
  } catch (const CollectiveFailure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification) << failure.what();
    return failure.what();
  }
  return {};
}

void expect_all_found(const std::shared_ptr<SpoilingExchange>& exchange, Options options,
                      const Machine& machine) {
  const Communicator communicator;
  const int size = communicator.size();
  constexpr std::array<std::array<int, 3>, 3> lines{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  int turn = 0;
  for (const int fused : {1, 2, 3}) {
    options.sweep = sweep_of(fused);
    for (const Kind kind : all_kinds) {
      const auto& along = lines[static_cast<std::size_t>(turn++) % lines.size()];
      options.ranks = {along[0] != 0 ? size : 1, along[1] != 0 ? size : 1,
                       along[2] != 0 ? size : 1};
      options.seed = kind == Kind::Stale ? std::nullopt : std::optional<std::uint64_t>(1);
      exchange->kind = {};
      EXPECT_EQ(run_over(exchange, options, machine), "") << fused;
      exchange->kind = kind;
      EXPECT_TRUE(contains(run_over(exchange, options, machine), "verification failed: "))
          << static_cast<int>(kind) << ", temporal:" << fused << ", " << ranks_text(*options.ranks);
    }
  }
}

TEST(SpoiledExchange, OnAHostIsFound) {
  const Options options = host_options({19, 23, 37}, 7);
  const auto exchange = std::make_shared<SpoilingExchange>(std::make_shared<ExchangeByMpi>(),
                                                           MemorySpace::SystemAllocated);
  expect_all_found(exchange, options, {});
}

Options gpu_options(Transport transport) {
  Options options;
  options.extents = {66, 70, 130};
  options.iterations = 7;
  options.halo = transport;
  return options;
}

void expect_all_found_by(Transport transport) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  const std::string why = why_not(transport, machine);
  if (!why.empty()) GTEST_SKIP() << why;
  const auto exchange = std::make_shared<SpoilingExchange>(
      connect("--halo", transport, communicator), MemorySpace::Device);
  expect_all_found(exchange, gpu_options(transport), machine);
}

TEST(SpoiledExchange, ByNcclIsFound) { expect_all_found_by(Transport::Nccl); }

TEST(SpoiledExchange, ByMessagesThatAreStoredIsFound) { expect_all_found_by(Transport::Peer); }

TEST(SpoiledExchange, ByTheSweepsThemselvesIsFound) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  const std::string why = why_not(Transport::Peer, machine);
  if (!why.empty()) GTEST_SKIP() << why;
  Options options = gpu_options(Transport::Peer);
  const auto exchange =
      std::make_shared<MisplacingExchange>(connect("--halo", Transport::Peer, communicator));
  for (const int fused : {2, 3}) {
    options.sweep = sweep_of(fused);
    options.ranks = {communicator.size(), 1, 1};
    exchange->off = 0;
    EXPECT_EQ(run_over(exchange, options, machine), "") << fused;
    exchange->off = sizeof(float);
    EXPECT_TRUE(contains(run_over(exchange, options, machine), "verification failed: ")) << fused;
  }
}

}  // namespace
}  // namespace memstencil::himeno
