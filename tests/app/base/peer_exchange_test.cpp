// Pins that messages stored into other GPUs' memory arrive whole, in place, and one after the
// other.
#include "app/bench/gpu_exchange.hpp"

#include "memory_spaces/movement.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace memstencil {
namespace {

/// The byte at a place of the message that `from` sends to `to` in a round.
char sent(int from, int to, int round, std::size_t place) {
  return static_cast<char>(31 * from + 17 * to + 7 * round + static_cast<int>(place % 8191));
}

/// A message from `from` to `to`: where it lies in a buffer, and how long it is.
struct Slot {
  std::size_t first, bytes;
};

/// Drawn alike on all ranks, with empty ones among them.
std::vector<std::vector<Slot>> draw(int ranks, std::size_t room, std::mt19937& any) {
  constexpr std::array<std::size_t, 9> sizes{0, 1, 3, 4, 17, 64, 4101, 100'000, 1'000'000};
  std::vector<std::vector<Slot>> out(static_cast<std::size_t>(ranks));
  for (auto& row : out)
    for (int to = 0; to < ranks; ++to) {
      const std::size_t bytes = sizes.at(any() % sizes.size());
      // At any byte, at whole floats, at whole lines.
      constexpr std::array<std::size_t, 3> steps{1, 4, 128};
      const std::size_t step = steps.at(any() % steps.size());
      row.push_back({any() % (room - bytes) / step * step, bytes});
    }
  return out;
}

class PeerExchange : public testing::Test {
protected:
  const Communicator ranks;
  const Kokkos::DefaultExecutionSpace queue;
  void* const stream = stream_of(queue);
  std::unique_ptr<GpuExchange> exchange;

  void SetUp() override {
    const std::string refused = why_not_peer_exchange(ranks);
    if (!refused.empty()) GTEST_SKIP() << refused;
    exchange = make_peer_exchange(ranks);
  }
};

TEST_F(PeerExchange, BringsMessagesOfAnySizeAndAlignmentToTheirPlaces) {
  constexpr std::size_t room = 1'100'000;  // of one rank's message
  const auto all = static_cast<std::size_t>(ranks.size());
  const Buffer out(MemorySpace::Device, room * all), in(MemorySpace::Device, room * all);
  const auto out_told = exchange->enroll(out), in_told = exchange->enroll(in);
  std::mt19937 any(11);  // NOLINT: the same on every rank
  const int me = ranks.rank();
  for (int round = 0; round < 25; ++round) {
    const auto slots = draw(ranks.size(), room, any);
    const auto places = draw(ranks.size(), room, any);
    std::vector<char> outgoing(out.bytes()), want(in.bytes(), '\x7f');
    std::vector<Message> messages;
    for (int peer = 0; peer < ranks.size(); ++peer) {
      if (peer == me) continue;
      const auto p = static_cast<std::size_t>(peer), m = static_cast<std::size_t>(me);
      const Slot leaves = slots[m][p], comes = slots[p][m];
      const std::size_t from = p * room + leaves.first,
                        to = p * room + places[m][p].first % (room - comes.bytes);
      for (std::size_t n = 0; n < leaves.bytes; ++n) outgoing[from + n] = sent(me, peer, round, n);
      for (std::size_t n = 0; n < comes.bytes; ++n) want[to + n] = sent(peer, me, round, n);
      if (leaves.bytes + comes.bytes > 0)
        messages.push_back({.peer = peer,
                            .send = static_cast<const char*>(out.data()) + from,
                            .receive = static_cast<char*>(in.data()) + to,
                            .send_bytes = leaves.bytes,
                            .receive_bytes = comes.bytes});
    }
    copy(out.data(), outgoing.data(), out.bytes());
    fill(in.data(), 0x7f, in.bytes());
    exchange->exchange(messages, stream);
    wait_for(queue, exchange.get());
    std::vector<char> got(in.bytes());
    copy(got.data(), in.data(), in.bytes());
    const auto differ = std::mismatch(got.begin(), got.end(), want.begin());
    EXPECT_EQ(differ.first - got.begin(), got.end() - got.begin()) << "round " << round;
  }
}

/// Without a wait in between, into the place that the message before it was sent on from.
TEST_F(PeerExchange, KeepsTheOrderOfMessages) {
  constexpr std::size_t count = 3000;
  constexpr int laps = 100;
  const int size = ranks.size(), me = ranks.rank();
  const Buffer ring(MemorySpace::Device, 2 * count);
  const auto told = exchange->enroll(ring);
  std::vector<char> mine(2 * count, static_cast<char>(me));
  copy(ring.data(), mine.data(), mine.size());
  ranks.barrier();
  char* const first = static_cast<char*>(ring.data());
  for (int lap = 0; lap < laps * size; ++lap) {
    const std::size_t out = lap % 2 * count, in = (lap + 1) % 2 * count;
    const int next = (me + 1) % size, before = (me + size - 1) % size;
    std::vector<Message> messages;
    if (next == before)
      messages.push_back({.peer = next,
                          .send = first + out,
                          .receive = first + in,
                          .send_bytes = count,
                          .receive_bytes = count});
    else {
      messages.push_back({.peer = next, .send = first + out, .send_bytes = count});
      messages.push_back({.peer = before, .receive = first + in, .receive_bytes = count});
    }
    if (size > 1) exchange->exchange(messages, stream);
  }
  wait_for(queue, exchange.get());
  std::vector<char> got(count);
  copy(got.data(), first + laps * size % 2 * count, count);
  EXPECT_EQ(got, std::vector<char>(count, static_cast<char>(me))) << "after whole laps";
}

TEST_F(PeerExchange, ReachesTheSameBufferOfEachRank) {
  const Buffer mine(MemorySpace::Device, 4096), other(MemorySpace::Device, 64);
  const auto not_this = exchange->enroll(other);
  const auto told = exchange->enroll(mine);
  for (int peer = 0; peer < ranks.size(); ++peer)
    if (peer != ranks.rank()) {
      const int value = 100 * ranks.rank() + peer;
      copy(static_cast<int*>(exchange->reach(peer, told)) + ranks.rank(), &value, sizeof value);
    }
  ranks.barrier();
  for (int peer = 0; peer < ranks.size(); ++peer)
    if (peer != ranks.rank()) {
      int got = 0;
      copy(&got, static_cast<int*>(mine.data()) + peer, sizeof got);
      EXPECT_EQ(got, 100 * peer + ranks.rank());
    }
  ranks.barrier();
}

TEST_F(PeerExchange, RefusesAPlaceThatNoRankWasToldOf) {
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  const Buffer untold(MemorySpace::Device, 64);
  const std::vector<Message> messages{
      {.peer = (ranks.rank() + 1) % ranks.size(), .receive = untold.data(), .receive_bytes = 64}};
  EXPECT_THROW(exchange->exchange(messages, stream), std::exception);
}

}  // namespace
}  // namespace memstencil
