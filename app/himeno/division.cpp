// The best division of the grid into ranks: by the time that a pass of the slowest
// rank takes, messages included.
#include "app/himeno/division.hpp"

#include "app/common/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memstencil::himeno {

namespace {

struct Path {
  double latency;  ///< seconds
  double rate;     ///< bytes a second
};

/// The cost of messages. Those of a GPU: docs/lab/two-gpus.md (two H200, NCCL; packing a face of k
/// at 60 GB/s), and between nodes 200 Gbit/s, assumed. Those of a host: shared memory inside MPI,
/// the same note's 3.7 GB/s; the rest assumed.
struct MessageCosts {
  Path in_node, between_nodes;
  double start_packing;           ///< seconds, of packing and unpacking
  std::array<double, 3> packing;  ///< seconds a byte, by direction
};
constexpr MessageCosts of_gpu{{7e-6, 270e9}, {12e-6, 25e9}, 10e-6, {0.0, 1.0 / 1e12, 1.0 / 60e9}};
constexpr MessageCosts of_host{{1e-6, 3.7e9}, {2e-6, 12e9}, 0.0, {0.0, 1.0 / 5e9, 1.0 / 0.5e9}};

/// One division as its slowest rank sees it.
class Estimate {
public:
  Estimate(const Triple& extents, const std::array<int, 3>& ranks, int ranks_of_node,
           model::HimenoCase like)
      : ranks_(ranks), ranks_of_node_(ranks_of_node), case_(std::move(like)) {
    case_.points = 1.0;
    for (std::size_t d = 0; d < 3; ++d) {
      block_[d] = (extents[d] - 2 + ranks[d] - 1) / ranks[d];
      case_.extents[d] = block_[d] + 2;
      case_.points *= static_cast<double>(block_[d]);
    }
  }

  double seconds() const {
    model::HimenoCase passes = case_;
    passes.iterations = 3L * case_.fused;
    const double pass =
        model::predict_sweeps(passes, model::assumed_rates()).back().total() * case_.fused;
    double slowest = 0.0;
    for (int rank = 0; rank < ranks_[0] * ranks_[1] * ranks_[2]; ++rank)
      slowest = std::max(slowest, messages(rank));
    return pass + slowest;
  }

private:
  double messages(int rank) const {
    const std::array<int, 3> stride{ranks_[1] * ranks_[2], ranks_[2], 1};
    double sum = 0.0;
    for (std::size_t d = 0; d < 3; ++d) {
      const int place = rank / stride[d] % ranks_[d];
      int here = 0, elsewhere = 0;
      for (const int side : {-1, 1}) {
        if (place + side < 0 || place + side >= ranks_[d]) continue;
        const int peer = rank + side * stride[d];
        ++(peer / ranks_of_node_ == rank / ranks_of_node_ ? here : elsewhere);
      }
      if (here + elsewhere > 0) sum += direction(d, here, elsewhere);
    }
    return sum;
  }

  /// Of the messages with so many neighbours on this node and on others.
  double direction(std::size_t d, int here, int elsewhere) const {
    const MessageCosts& costs = case_.access.executor == Executor::Device ? of_gpu : of_host;
    double face = 4.0 * case_.fused;
    for (std::size_t other = 0; other < 3; ++other)
      if (other != d) face *= static_cast<double>(block_[other] + 2 * case_.fused);
    const auto sent = [face](const Path& path, int faces) {
      return faces > 0 ? path.latency + faces * face / path.rate : 0.0;
    };
    const double wire = std::max(sent(costs.in_node, here), sent(costs.between_nodes, elsewhere));
    const double packing =
        costs.packing[d] > 0.0
            ? costs.start_packing + 2 * (here + elsewhere) * face * costs.packing[d]
            : 0.0;
    return wire + packing;
  }

  std::array<int, 3> ranks_;
  int ranks_of_node_;
  model::HimenoCase case_;
  Triple block_{};
};

bool allowed(const Triple& extents, const std::array<int, 3>& ranks, int halo) {
  for (std::size_t d = 0; d < 3; ++d)
    if ((extents[d] - 2) / ranks[d] < (ranks[d] > 1 ? halo : 1)) return false;
  return true;
}

}  // namespace

std::vector<Division> divisions(const Triple& extents, int ranks, int ranks_of_node,
                                model::HimenoCase like) {
  std::vector<Division> out;
  for (int i = ranks; i >= 1; --i)
    for (int j = ranks / i; j >= 1 && ranks % i == 0; --j) {
      if (ranks / i % j != 0) continue;
      const std::array<int, 3> each{i, j, ranks / i / j};
      if (allowed(extents, each, like.fused))
        out.push_back({each, Estimate(extents, each, ranks_of_node, like).seconds()});
    }
  std::stable_sort(out.begin(), out.end(),
                   [](const Division& a, const Division& b) { return a.seconds < b.seconds; });
  return out;
}

std::string choice_text(const std::vector<Division>& ranked) {
  const auto one = [](const Division& each) {
    return fmt::format("{} at {}", ranks_text(each.ranks), seconds_text(each.seconds));
  };
  std::string text = "chosen by an estimated pass: " + one(ranked.front());
  return ranked.size() > 1 ? text + ", next " + one(ranked[1]) : text;
}

}  // namespace memstencil::himeno
