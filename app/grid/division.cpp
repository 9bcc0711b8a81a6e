// The division of a grid into ranks where the user names none.
#include "app/grid/division.hpp"

#include <algorithm>

namespace memstencil {

namespace {

/// A point over a link between processors of a node counts 1, one through host memory or between
/// nodes ten times as much. Planes of i are sent where they lie; packing a point of a row of j is
/// cheap, one of a face of k takes a line of memory for itself. A round of messages starts as late
/// as half a million points take.
constexpr double slow_link = 10.0;
constexpr std::array packing{0.0, 0.5, 8.0};
/// Single sweeps hide their messages, and are slower themselves where k is cut:
/// docs/lab/many-gpus.md.
constexpr std::array beside_single{0.0, 0.5, 12.0};
/// Beside fused sweeps rows of j leave early at no cost, planes of i with a few steps more. With
/// faces of k, which have no copies, sweeps and all messages take turns.
constexpr std::array beside_fused{0.5, 0.0, 8.0};
constexpr double in_turns = 4.0;
constexpr double start_of_round = 5e5;

bool allowed(const Triple& extents, const std::array<int, 3>& ranks, int halo) {
  for (std::size_t d = 0; d < 3; ++d)
    if ((extents[d] - 2) / ranks[d] < (ranks[d] > 1 ? halo : 1)) return false;
  return true;
}

double cost_of(const Triple& extents, const std::array<int, 3>& ranks, const MessageCosts& its) {
  double cost = 0;
  int ranks_apart = 1;  // numbers between neighbours
  for (std::size_t d = 3; d-- > 0; ranks_apart *= ranks[d]) {
    if (ranks[d] == 1) continue;
    double points = its.halo * std::min(ranks[d] - 1, 2);
    for (std::size_t other = 0; other < 3; ++other)
      if (other != d) points *= static_cast<double>(extents[other]) / ranks[other];
    const bool in_node = ranks_apart * ranks[d] <= its.ranks_of_node;
    const double link = its.staged || !in_node ? slow_link : 1.0;
    const auto& beside = its.copied ? beside_fused : its.halo == 1 ? beside_single : packing;
    cost += start_of_round + points * (link + beside[d]);
  }
  return its.copied && ranks[2] > 1 ? in_turns * cost : cost;
}

}  // namespace

std::vector<Division> divisions(const Triple& extents, int ranks, const MessageCosts& costs) {
  std::vector<Division> out;
  for (int i = ranks; i >= 1; --i)
    for (int j = ranks / i; j >= 1 && ranks % i == 0; --j) {
      const std::array<int, 3> each{i, j, ranks / i / j};
      if (ranks / i % j == 0 && allowed(extents, each, costs.halo))
        out.push_back({each, cost_of(extents, each, costs)});
    }
  std::stable_sort(out.begin(), out.end(),
                   [](const Division& a, const Division& b) { return a.cost < b.cost; });
  return out;
}

std::string choice_text(const std::vector<Division>& ranked) {
  const std::string text = "chosen for its messages: " + ranks_text(ranked.front().ranks);
  return ranked.size() > 1 ? text + ", next " + ranks_text(ranked[1].ranks) : text;
}

}  // namespace memstencil
