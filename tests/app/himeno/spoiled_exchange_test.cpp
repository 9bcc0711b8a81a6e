// Pins that no run is verified whose messages or stores between GPUs are spoiled: NCCL's messages,
// stores into other GPUs, and on a host MPI's messages in their place.
#include "app/himeno/result.hpp"
#include "memory_spaces/movement.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/bench/exchange_by_mpi.hpp"
#include "tests/app/grid/spoiled_receives.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::himeno {
namespace {

using Kind = MessageFault::Kind;
constexpr std::array all_kinds{Kind::Stale, Kind::Shifted, Kind::Short, Kind::OneBit};

/// Another exchange, after which what has come is spoiled.
class SpoilingExchange final : public GpuExchange {
public:
  explicit SpoilingExchange(std::shared_ptr<GpuExchange> sound) : sound_(std::move(sound)) {}

  std::optional<Kind> kind = {};  ///< nothing: none

  void exchange(std::span<const Message> messages, void* stream) override {
    std::vector<std::vector<char>> before;
    for (const Message& each : messages) before.push_back(bytes_at(each));
    sound_->exchange(messages, stream);
    for (std::size_t n = 0; kind && n < messages.size(); ++n) {
      // The bit is in the first half of the layer, away from pads at the ends of its rows.
      const auto now = spoiled(*kind, before[n], bytes_at(messages[n]), 5 * sizeof(float));
      copy(messages[n].receive, now.data(), now.size());
    }
  }
  void look() override { sound_->look(); }
  void connect(std::span<const Buffer* const> buffers) override { sound_->connect(buffers); }

private:
  static std::vector<char> bytes_at(const Message& message) {
    Kokkos::fence();
    std::vector<char> out(message.receive_bytes);
    copy(out.data(), message.receive, out.size());
    return out;
  }

  std::shared_ptr<GpuExchange> sound_;
};

std::string run_over(const GpuPaths& gpu, const Options& options, const Machine& machine) {
  const Communicator communicator;
  const Plan plan = make_plan(options, machine, communicator);
  return line_of([&] { run_once(plan, communicator, gpu); });
}

/// @param fault of `gpu`
void expect_all_found(const GpuPaths& gpu, std::optional<Kind>& fault, Options options,
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
      fault.reset();
      EXPECT_EQ(run_over(gpu, options, machine), "") << fused;
      fault = kind;
      EXPECT_TRUE(contains(run_over(gpu, options, machine), "verification failed: "))
          << static_cast<int>(kind) << ", temporal:" << fused << ", " << ranks_text(*options.ranks);
    }
  }
}

TEST(SpoiledExchange, OnAHostIsFound) {
  const Options options = host_options({19, 23, 37}, 7);
  const auto exchange = std::make_shared<SpoilingExchange>(std::make_shared<ExchangeByMpi>());
  expect_all_found({exchange, nullptr}, exchange->kind, options, {});
}

Options gpu_options(Transport transport) {
  Options options;
  options.extents = {66, 70, 130};
  options.iterations = 7;
  options.halo = transport;
  return options;
}

TEST(SpoiledExchange, ByNcclIsFound) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  if (const std::string why = why_not(Transport::Nccl, machine); !why.empty()) GTEST_SKIP() << why;
  const auto exchange =
      std::make_shared<SpoilingExchange>(connect("--halo", Transport::Nccl, communicator).messages);
  expect_all_found({exchange, nullptr}, exchange->kind, gpu_options(Transport::Nccl), machine);
}

#if defined(MEMSTENCIL_CUDA)
/// Stores with faults: those of an exchange, and those that sweeps make themselves.
class FaultyPeers final : public Peers {
public:
  explicit FaultyPeers(std::shared_ptr<Peers> right) : right_(std::move(right)) {}
  std::optional<Kind> kind = {};  ///< of an exchange's stores; nothing: none
  std::size_t off_of_sweeps = 0;  ///< bytes that sweeps store beside their place

  void connect(std::span<const Buffer* const> buffers) override { right_->connect(buffers); }
  char* reach(int rank, const void* data) const override {
    return right_->reach(rank, data) + off_of_sweeps;
  }
  void store(std::span<const StoredRows> stores, void* stream) override {
    constexpr std::size_t element = sizeof(float);
    std::vector<StoredRows> faulty(stores.begin(), stores.end());
    for (StoredRows& each : faulty) {
      if (each.to == nullptr) continue;
      each.to -= off_of_sweeps;
      if (kind == Kind::Stale) each.planes = 0;
      if (kind == Kind::Shifted) each.to += element;
      if (kind == Kind::Short) (each.planes > 1 ? each.planes : each.rows) -= 1;
      if (kind != Kind::OneBit) continue;
      // No bit, but the first point of each row.
      const std::size_t cut = std::min(each.row, 2 * element);
      each.from += cut;
      each.to += cut;
      each.row -= cut;
    }
    right_->store(faulty, stream);
  }
  void signal(int rank, void* stream) override { right_->signal(rank, stream); }
  void wait(int rank, void* stream) override { right_->wait(rank, stream); }

private:
  std::shared_ptr<Peers> right_;
};

class SpoiledStores : public testing::Test {
protected:
  void SetUp() override {
    if (const std::string why = why_not(Transport::Peer, machine); !why.empty())
      GTEST_SKIP() << why;
    peers = std::make_shared<FaultyPeers>(make_peers(communicator));
  }
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  std::shared_ptr<FaultyPeers> peers;
};

TEST_F(SpoiledStores, OfAnExchangeAreFound) {
  if (communicator.size() > 1)
    expect_all_found({nullptr, peers}, peers->kind, gpu_options(Transport::Peer), machine);
}

TEST_F(SpoiledStores, OfTheSweepsThemselvesAreFound) {
  Options options = gpu_options(Transport::Peer);
  for (const int fused : {2, 3}) {
    options.sweep = sweep_of(fused);
    options.ranks = {communicator.size(), 1, 1};
    peers->off_of_sweeps = 0;
    EXPECT_EQ(run_over({nullptr, peers}, options, machine), "") << fused;
    peers->off_of_sweeps = sizeof(float);
    EXPECT_TRUE(contains(run_over({nullptr, peers}, options, machine), "verification failed: "))
        << fused;
  }
}
#endif

}  // namespace
}  // namespace memstencil::himeno
