// The conclusions from a series of repeats whose first ones move pages.
#include "app/membench/core/settling.hpp"

#include "app/base/runtime/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace memstencil::membench {

Settling settling(std::span<const double> series) {
  constexpr std::size_t fewest = 4;
  constexpr double tolerance = 0.2, share_within = 0.9;
  const std::size_t count = series.size();
  const std::size_t quarter = (count + 3) / 4;
  Settling s;
  s.steady = statistics(series.last(quarter)).median;
  s.first = series.front();
  if (count < fewest) return s;
  std::size_t within = 0;
  // From the end, so that `within` counts what follows; the earliest that holds stays.
  for (std::size_t at = count; at-- > 0;) {
    const bool near = std::abs(series[at] - s.steady) <= tolerance * s.steady;
    if (near) ++within;
    const std::size_t rest = count - at;
    if (near && rest >= quarter &&
        static_cast<double>(within) >= share_within * static_cast<double>(rest))
      s.repeat = at + 1;
  }
  return s;
}

double seconds_of_moving(std::span<const double> series, double counted) {
  const double steady = counted / settling(series).steady;
  double more = 0;
  for (const double rate : series) more += counted / rate - steady;
  return std::max(more, 0.0);
}

std::vector<Settling> settlings(std::span<const double> samples, int experiments) {
  const std::size_t repeats = samples.size() / static_cast<std::size_t>(experiments);
  std::vector<Settling> out;
  for (std::size_t at = 0; at + repeats <= samples.size(); at += repeats)
    out.push_back(settling(samples.subspan(at, repeats)));
  return out;
}

}  // namespace memstencil::membench
