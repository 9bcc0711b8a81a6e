// The order of a chase, the levels that its curve shows, and what can be said of lines.
#include "app/membench/core/chase_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace memstencil::membench {

std::vector<std::uint32_t> random_cycle(std::uint32_t slots, std::uint64_t seed) {
  std::vector<std::uint32_t> next(slots);
  std::iota(next.begin(), next.end(), 0U);
  std::mt19937_64 engine(seed);
  for (std::uint32_t s = slots; s-- > 1;) {
    // The upper half of a product instead of a remainder: there are millions of slots,
    // and a bias of 2^-32 is none.
    const std::uint64_t other = (engine() >> 32) * s >> 32;
    std::swap(next[s], next[static_cast<std::size_t>(other)]);
  }
  return next;
}

std::uint32_t follow(const std::vector<std::uint32_t>& next, std::uint32_t slot,
                     std::uint64_t steps) {
  for (std::uint64_t n = steps % next.size(); n > 0; --n) slot = next[slot];
  return slot;
}

std::vector<Level> levels_of(const std::map<std::size_t, double>& curve) {
  constexpr double near = 0.08;
  constexpr std::size_t fewest = 3;
  const std::vector<std::pair<std::size_t, double>> points(curve.begin(), curve.end());
  std::vector<Level> levels;
  for (std::size_t begin = 0; begin < points.size();) {
    std::vector<double> of_level;
    std::size_t end = begin;
    for (; end < points.size(); ++end) {
      std::vector<double> longer = of_level;
      longer.push_back(points[end].second);
      const double middle = median(longer);
      if (std::any_of(longer.begin(), longer.end(),
                      [&](double value) { return std::abs(value - middle) > near * middle; }))
        break;
      of_level = longer;
    }
    if (of_level.size() < fewest) {
      ++begin;
      continue;
    }
    levels.push_back({points[begin].first, points[end - 1].first, median(of_level), 0});
    begin = end;
  }
  for (std::size_t n = 0; n < levels.size(); ++n) {
    levels[n].holds = levels[n].last;
    if (n + 1 == levels.size()) break;
    const double between = std::sqrt(levels[n].latency * levels[n + 1].latency);
    for (const auto& [footprint, latency] : points)
      if (footprint > levels[n].last && footprint < levels[n + 1].first && latency < between)
        levels[n].holds = footprint;
  }
  return levels;
}

double fetched_bytes(const std::map<double, double>& of_distance) {
  if (of_distance.empty()) return 0;
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  const double least = std::min_element(of_distance.begin(), of_distance.end(), less)->second;
  const double most = std::max_element(of_distance.begin(), of_distance.end(), less)->second;
  if (most < 1.1 * least) return 0;
  double fetched = 0;
  for (const auto& [distance, latency] : of_distance) {
    if (latency > (least + most) / 2) return distance;
    fetched = distance;
  }
  return fetched;
}

}  // namespace memstencil::membench
