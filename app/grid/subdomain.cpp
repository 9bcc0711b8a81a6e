// The domain decomposition of a grid, and the part of it that one rank has.
#include "app/grid/subdomain.hpp"

#include "app/base/record/text_report.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace memstencil {

namespace {

/// A point over a link between processors of a node counts 1, one through host memory or between
/// nodes ten times as much. Planes of i are sent where they lie; packing a point of a row of j is
/// cheap, one of a face of k takes a line of memory for itself. A round of messages starts as late
/// as half a million points take.
constexpr double slow_link = 10.0;
constexpr std::array packing{0.0, 0.5, 8.0};
/// Single sweeps hide their messages, and are slower themselves if k is cut:
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

std::array<int, 3> parse_ranks(const std::string& text) {
  try {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const Triple t = parse_triple(text, 1, most);
    if (t[0] > most / t[1] / t[2]) throw std::invalid_argument("too many ranks");
    return {static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])};
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        "'" + text +
        "' is not a division into ranks: valid are auto and PxQxR, ranks in i, j and k, at most "
        "2147483647 in all");
  }
}

std::string ranks_text(const std::array<int, 3>& ranks) {
  return fmt::format("{}", fmt::join(ranks, "x"));
}

std::optional<int> Subdomain::neighbour(int d, int side) const {
  std::array<int, 3> steps{};
  steps[static_cast<std::size_t>(d)] = side;
  return neighbour(steps);
}

std::optional<int> Subdomain::neighbour(const std::array<int, 3>& steps) const {
  std::array<int, 3> place = position;
  for (std::size_t d = 0; d < 3; ++d) {
    place[d] += steps[d];
    if (place[d] < 0 || place[d] >= ranks[d]) return std::nullopt;
  }
  return number(place);
}

Box Subdomain::answered() const {
  Box box = grid.all();
  for (int d = 0; d < 3; ++d) {
    if (neighbour(d, -1)) box.lo[d] = grid.owned.lo[d];
    if (neighbour(d, 1)) box.hi[d] = grid.owned.hi[d];
  }
  return box;
}

Box Subdomain::global_box(Box box) const {
  for (std::size_t d = 0; d < 3; ++d) box.lo[d] += origin[d], box.hi[d] += origin[d];
  return box;
}

Subdomain subdomain_of(const Triple& global, const std::array<int, 3>& ranks, int rank, int size,
                       int halo) {
  const std::int64_t product = static_cast<std::int64_t>(ranks[0]) * ranks[1] * ranks[2];
  if (product != size)
    throw Failure(ExitCode::Usage,
                  fmt::format("--ranks {} multiplies to {}, and this run has {}: start {} "
                              "with mpirun -n, or leave --ranks out",
                              ranks_text(ranks), product, counted(size, "rank"), product));
  if (!allowed(global, ranks, halo))
    throw Failure(
        ExitCode::Usage,
        fmt::format("the grid {} is too small for {} ranks with a halo of {}: use {}fewer "
                    "ranks, another --ranks, or a larger --size",
                    fmt::join(global, "x"), ranks_text(ranks), halo,
                    halo > 1 ? "fewer sweeps a pass, " : ""));
  Subdomain s{};
  s.global = global;
  s.ranks = ranks;
  s.halo = halo;
  s.position = {rank / (ranks[1] * ranks[2]), rank / ranks[2] % ranks[1], rank % ranks[2]};
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t points = global[d] - 2;
    const int parts = ranks[d];
    const std::int64_t first = 1 + points * s.position[d] / parts;
    const std::int64_t last = 1 + points * (s.position[d] + 1) / parts;
    const std::int64_t below = s.position[d] == 0 ? 1 : halo;
    const std::int64_t above = s.position[d] == parts - 1 ? 1 : halo;
    s.origin[d] = first - below;
    s.grid.extents[d] = last + above - s.origin[d];
    s.grid.owned.lo[d] = below;
    s.grid.owned.hi[d] = below + last - first;
    s.grid.interior.lo[d] = s.position[d] == 0 ? 1 : 0;
    s.grid.interior.hi[d] = s.grid.extents[d] - (s.position[d] == parts - 1 ? 1 : 0);
  }
  s.grid.pitch = row_pitch(s.grid.extents[2]);
  return s;
}

std::vector<Decomposition> decompositions(const Triple& extents, int ranks,
                                          const MessageCosts& costs) {
  std::vector<Decomposition> out;
  for (int i = ranks; i >= 1; --i)
    for (int j = ranks / i; j >= 1 && ranks % i == 0; --j) {
      const std::array<int, 3> each{i, j, ranks / i / j};
      if (ranks / i % j == 0 && allowed(extents, each, costs.halo))
        out.push_back({each, cost_of(extents, each, costs)});
    }
  std::stable_sort(out.begin(), out.end(),
                   [](const Decomposition& a, const Decomposition& b) { return a.cost < b.cost; });
  return out;
}

std::string choice_text(const std::vector<Decomposition>& ranked, const std::string& what) {
  const std::string text = "chosen for " + what + ": " + ranks_text(ranked.front().ranks);
  return ranked.size() > 1 ? text + ", next " + ranks_text(ranked[1].ranks) : text;
}

double updated_points(const Triple& g) {
  return static_cast<double>(g[0] - 2) * static_cast<double>(g[1] - 2) *
         static_cast<double>(g[2] - 2);
}

}  // namespace memstencil
