// Pins the all-to-all of the ranks: who gets which elements, with runs of any lengths, none among them.
#include "app/common/ranks/communicator.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memstencil {
namespace {

/// Elements that rank `from` sends to rank `to`: none to itself, and none to the next one.
std::size_t length(int from, int to, int ranks) {
  return from == to || (from + 1) % ranks == to ? 0 : static_cast<std::size_t>(3 * from + to + 1);
}

double element(int from, int to, std::size_t n) {
  return 1000.0 * from + 100.0 * to + static_cast<double>(n);
}

TEST(AllToAll, BringsEachRankTheElementsMeantForItAndTouchesNoOthers) {
  const Communicator c;
  constexpr double untouched = -1;
  constexpr std::size_t gap = 2;
  std::vector<double> send, receive;
  std::vector<Portion> to, from;
  for (int r = 0; r < c.size(); ++r) {
    to.push_back({send.size(), length(c.rank(), r, c.size())});
    for (std::size_t n = 0; n < to.back().count; ++n) send.push_back(element(c.rank(), r, n));
    send.insert(send.end(), gap, untouched);
    from.push_back({receive.size(), length(r, c.rank(), c.size())});
    receive.insert(receive.end(), from.back().count + gap, untouched);
  }
  c.all_to_all(send.data(), to, receive.data(), from, sizeof(double));
  for (int r = 0; r < c.size(); ++r) {
    const Portion& part = from[static_cast<std::size_t>(r)];
    for (std::size_t n = 0; n < part.count; ++n) EXPECT_EQ(receive[part.first + n], element(r, c.rank(), n));
    for (std::size_t n = 0; n < gap; ++n) EXPECT_EQ(receive[part.first + part.count + n], untouched);
  }
}

TEST(AllToAll, CopiesWhatARankSendsToItself) {
  const Communicator c;
  const auto ranks = static_cast<std::size_t>(c.size());
  std::vector<Portion> portions(ranks);
  portions[static_cast<std::size_t>(c.rank())] = {1, 2};
  const std::vector<float> send{1, 2, 3};
  std::vector<float> receive(3, 0);
  c.all_to_all(send.data(), portions, receive.data(), portions, sizeof(float));
  EXPECT_EQ(receive, (std::vector<float>{0, 2, 3}));
}

}  // namespace
}  // namespace memstencil
