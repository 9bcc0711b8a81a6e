// Pins that rows stored into other GPUs' memory arrive whole, in place, and in order.
#include "app/bench/gpu_exchange.hpp"

#include "kernels/queue.hpp"
#include "memory_spaces/movement.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace memstencil {
namespace {

/// A box of bytes at the same place of an array that `from` stores in.
struct Stored {
  std::size_t first, row, rows, planes, row_step, plane_step;

  std::size_t byte(std::size_t plane, std::size_t line, std::size_t in_row) const {
    return first + plane * plane_step + line * row_step + in_row;
  }
};

/// Drawn alike on all ranks: rows of whole floats, whole vectors, and without a gap.
Stored draw(std::mt19937& any) {
  constexpr std::array<std::size_t, 6> rows{4, 12, 16, 100, 128, 4096};
  Stored out{.first = any() % 64 * 4,
             .row = rows.at(any() % rows.size()),
             .rows = any() % 40,
             .planes = 1 + any() % 5,
             .row_step = 0,
             .plane_step = 0};
  out.row_step = out.row + any() % 3 * 16;
  out.plane_step = out.rows * out.row_step + any() % 2 * 64;
  return out;
}

class ReachedPeers : public testing::Test {
protected:
  const Communicator ranks;
  const Kokkos::DefaultExecutionSpace queue;
  void* const stream = stream_of(queue);
  std::shared_ptr<Peers> peers;

  void SetUp() override {
    const std::string refused = why_not_peers(ranks);
    if (!refused.empty()) GTEST_SKIP() << refused;
    peers = make_peers(ranks);
  }

  StoredRows to(int rank, const Buffer& from, const Buffer& into, const Stored& s) const {
    const char* const own = static_cast<const char*>(from.data()) + s.first;
    return {{.from = own,
             .to = peers->reach(rank, static_cast<const char*>(into.data()) + s.first),
             .row = s.row,
             .rows = s.rows,
             .planes = s.planes,
             .from_row = s.row_step,
             .from_plane = s.plane_step,
             .to_row = s.row_step,
             .to_plane = s.plane_step},
            rank};
  }
};

TEST_F(ReachedPeers, GetBoxesOfAnyShapeInTheirPlaces) {
  constexpr std::size_t room = 1 << 20;  // of one rank's boxes
  const auto all = static_cast<std::size_t>(ranks.size());
  const Buffer out(MemorySpace::Device, room), in(MemorySpace::Device, room * all);
  peers->connect(std::vector<const Buffer*>{&out, &in});
  std::mt19937 any(11);  // NOLINT: the same on every rank
  const int me = ranks.rank();
  for (int round = 0; round < 25; ++round) {
    std::vector<char> outgoing(room), want(in.bytes(), '\x7f');
    const auto value = [&](int from, std::size_t n) {
      return static_cast<char>(31 * from + 7 * round + static_cast<int>(n % 8191));
    };
    for (std::size_t n = 0; n < room; ++n) outgoing[n] = value(me, n);
    std::vector<StoredRows> stores;
    for (int from = 0; from < ranks.size(); ++from)
      for (int to = 0; to < ranks.size(); ++to) {
        const Stored s = draw(any);
        if (from == to) continue;
        const std::size_t place = static_cast<std::size_t>(from) * room;
        if (from == me) {
          stores.push_back(this->to(to, out, in, s));
          stores.back().to += place;
        }
        for (std::size_t plane = 0; to == me && plane < s.planes; ++plane)
          for (std::size_t line = 0; line < s.rows; ++line)
            for (std::size_t n = 0; n < s.row; ++n)
              want[place + s.byte(plane, line, n)] = value(from, s.byte(plane, line, n));
      }
    copy(out.data(), outgoing.data(), room);
    fill(in.data(), 0x7f, in.bytes());
    ranks.barrier();
    peers->store(stores, stream);
    queue.fence();
    std::vector<char> got(in.bytes());
    copy(got.data(), in.data(), in.bytes());
    const auto differ = std::mismatch(got.begin(), got.end(), want.begin());
    EXPECT_EQ(differ.first - got.begin(), got.end() - got.begin()) << "round " << round;
    ranks.barrier();
  }
  peers->connect({});
  EXPECT_THROW(peers->reach((me + 1) % ranks.size(), in.data()), std::exception);
}

/// Without a wait in between, each from the place that the store before it filled.
TEST_F(ReachedPeers, KeepTheOrderOfStoresAndSignals) {
  constexpr std::size_t count = 3000;
  constexpr int laps = 100;
  const int size = ranks.size(), me = ranks.rank();
  if (size == 1) GTEST_SKIP() << "one rank stores nowhere";
  const Buffer ring(MemorySpace::Device, 2 * count);
  peers->connect(std::vector<const Buffer*>{&ring});
  const std::vector<char> mine(2 * count, static_cast<char>(me));
  copy(ring.data(), mine.data(), mine.size());
  ranks.barrier();
  const int next = (me + 1) % size;
  for (int lap = 0; lap < laps * size; ++lap) {
    const std::size_t from = lap % 2 * count, into = (lap + 1) % 2 * count;
    std::vector<StoredRows> stores;
    for (int peer = 0; peer < size; ++peer) {
      if (peer == me) continue;
      StoredRows& rows = stores.emplace_back(
          to(peer, ring, ring, {from, count, peer == next ? 1U : 0U, 1, count, count}));
      rows.to += into;
      rows.to -= from;
    }
    peers->store(stores, stream);
    if (lap % 3 != 0) continue;
    for (int peer = 0; peer < size; ++peer)
      if (peer != me) peers->signal(peer, stream);
    for (int peer = 0; peer < size; ++peer)
      if (peer != me) peers->wait(peer, stream);
  }
  queue.fence();
  std::vector<char> got(count);
  copy(got.data(), static_cast<char*>(ring.data()) + laps * size % 2 * count, count);
  EXPECT_EQ(got, std::vector<char>(count, static_cast<char>(me))) << "after whole laps";
  ranks.barrier();
}

}  // namespace
}  // namespace memstencil
