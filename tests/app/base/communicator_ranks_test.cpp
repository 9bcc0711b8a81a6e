// Messages that go in pieces, as those of more than a gigabyte do: here of a few bytes. And sums
// and maxima over the ranks, with numbers that are not finite.
#include "app/base/machine/machine_facts.hpp"
#include "app/base/ranks/communicator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {
namespace {

TEST(TestsOfRanks, PrintNoEscapeSequences) { EXPECT_EQ(GTEST_FLAG_GET(color), "no"); }

/// By which ranks of a host share its GPUs. tests/hosts/runs_test.py has two hosts.
TEST(NodeRank, IsTheNumberOfRanksBeforeOnTheSameHost) {
  const Communicator ranks;
  const std::vector<std::string> hosts =
      ranks.all_gather(first_line("/proc/sys/kernel/hostname").value_or("?"));
  const auto own = hosts.begin() + ranks.rank();
  EXPECT_EQ(ranks.node_rank(), std::count(hosts.begin(), own, *own));
  EXPECT_EQ(ranks.node_size(), std::count(hosts.begin(), hosts.end(), *own));
}

TEST(TextsOfRanks, AreGatheredInTheirOrder) {
  const Communicator ranks;
  const auto texts = ranks.all_gather(std::to_string(ranks.rank()));
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    EXPECT_EQ(texts[rank], std::to_string(rank));
}

struct Pieces : ::testing::TestWithParam<std::size_t> {
  Communicator ranks;
  std::size_t before = std::exchange(longest_piece, 7);
  ~Pieces() override { longest_piece = before; }

  static std::string text_of(int rank) {
    std::string text;
    for (std::size_t n = 0; n < GetParam(); ++n)
      text += static_cast<char>('a' + (n + static_cast<std::size_t>(rank)) % 26);
    return text;
  }
};

TEST_P(Pieces, AreAllOfTheMessageInItsOrder) {
  std::vector<std::pair<std::size_t, int>> pieces;
  in_pieces(GetParam(), [&](std::size_t offset, int count) { pieces.emplace_back(offset, count); });
  std::size_t next = 0;
  for (const auto& [offset, count] : pieces) {
    EXPECT_EQ(offset, next);
    EXPECT_LE(count, 7);
    next += static_cast<std::size_t>(count);
  }
  EXPECT_EQ(next, GetParam());
}

TEST_P(Pieces, ArriveAsOneMessageInBothDirections) {
  const int rank = ranks.rank(), size = ranks.size();
  const int after = (rank + 1) % size, before_us = (rank + size - 1) % size;
  const std::string mine = text_of(rank);
  std::string from_before(GetParam(), ' '), from_after(GetParam(), ' ');
  const auto with = [&](int peer, int send_tag, std::string& receive) {
    return Message{.peer = peer,
                   .send_tag = send_tag,
                   .receive_tag = 3 - send_tag,
                   .send = mine.data(),
                   .receive = receive.data(),
                   .send_bytes = GetParam(),
                   .receive_bytes = GetParam()};
  };
  Message on = with(after, 1, from_after), back = with(before_us, 2, from_before);
  if (size == 1) on.peer = back.peer = -1;
  ranks.exchange(std::array{on, back});
  if (size == 1) return;
  EXPECT_EQ(from_before, text_of(before_us));
  EXPECT_EQ(from_after, text_of(after));
}

TEST_P(Pieces, ReachAllRanksAndOneRank) {
  const int last = ranks.size() - 1;
  const std::string sent = text_of(last);
  std::string text = ranks.rank() == last ? sent : "";
  ranks.broadcast(text, last);
  EXPECT_EQ(text, sent);
  if (ranks.size() == 1) return;
  std::string got(GetParam(), ' ');
  const Message to_root{.peer = 0, .send = sent.data(), .send_bytes = GetParam()};
  const Message from_last{.peer = last, .receive = got.data(), .receive_bytes = GetParam()};
  if (ranks.rank() == last) ranks.exchange({&to_root, 1});
  if (!ranks.root()) return;
  ranks.exchange({&from_last, 1});
  EXPECT_EQ(got, text_of(last));
}

INSTANTIATE_TEST_SUITE_P(Lengths, Pieces, ::testing::Values(0, 6, 7, 8, 14, 1000));

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Reductions, TakeEachElementByItself) {
  const Communicator ranks;
  const double own = ranks.rank(), last = ranks.size() - 1;
  std::array values{own, -own, own == last ? infinity : 1.0};
  ranks.maximum(values);
  EXPECT_EQ(values, (std::array{last, -0.0, infinity}));
  EXPECT_EQ(ranks.minimum(own), 0.0);
  EXPECT_EQ(ranks.sum(own), last * (last + 1) / 2);
  std::array summed{own, 1.0}, sent{own, 0.5};
  ranks.sum(summed);
  EXPECT_EQ(summed, (std::array{last * (last + 1) / 2, last + 1}));
  ranks.broadcast(sent, ranks.size() - 1);
  EXPECT_EQ(sent, (std::array{last, 0.5}));
}

TEST(Reductions, AreNaNOnAllRanksIfOneRankHasANaN) {
  const Communicator ranks;
  for (int with_nan = 0; with_nan < ranks.size(); ++with_nan) {
    const double own = ranks.rank() == with_nan ? nan : 5.0 + ranks.rank();
    std::array values{own, 2.0};
    ranks.maximum(values);
    EXPECT_TRUE(std::isnan(values[0])) << with_nan;
    EXPECT_EQ(values[1], 2.0);
    EXPECT_TRUE(std::isnan(ranks.minimum(own)));
    EXPECT_TRUE(std::isnan(ranks.sum(own)));
  }
}

}  // namespace
}  // namespace memstencil
