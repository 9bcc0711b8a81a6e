// The division of the grid into ranks: the one whose halos cost least to send.
#include "app/himeno/division.hpp"

#include <algorithm>

namespace memstencil::himeno {

namespace {

bool allowed(const Triple& extents, const std::array<int, 3>& ranks, int halo) {
  for (std::size_t d = 0; d < 3; ++d)
    if ((extents[d] - 2) / ranks[d] < (ranks[d] > 1 ? halo : 1)) return false;
  return true;
}

/// Of the rank with most neighbours, a point of the halo thick.
double cost(const Triple& extents, const std::array<int, 3>& ranks) {
  constexpr std::array cost_of_a_point{1.0, 4.0, 64.0};
  double sum = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    double face = cost_of_a_point[d] * std::min(ranks[d] - 1, 2);
    for (std::size_t other = 0; other < 3; ++other)
      if (other != d) face *= static_cast<double>(extents[other] - 2) / ranks[other];
    sum += face;
  }
  return sum;
}

}  // namespace

std::vector<std::array<int, 3>> divisions(const Triple& extents, int ranks, int halo) {
  std::vector<std::array<int, 3>> out;
  for (int i = ranks; i >= 1; --i)
    for (int j = ranks / i; j >= 1 && ranks % i == 0; --j) {
      const std::array<int, 3> each{i, j, ranks / i / j};
      if (ranks / i % j == 0 && allowed(extents, each, halo)) out.push_back(each);
    }
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) {
    return cost(extents, a) < cost(extents, b);
  });
  return out;
}

std::string choice_text(const std::vector<std::array<int, 3>>& ranked) {
  const std::string text = "chosen by the cost of its halos";
  return ranked.size() > 1 ? text + ", next " + ranks_text(ranked[1]) : text;
}

}  // namespace memstencil::himeno
