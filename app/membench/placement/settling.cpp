// What a series says whose first repeats move pages: where it starts, where it settles, and when.
#include "app/membench/placement/settling.hpp"

#include "app/common/statistics.hpp"

#include <cmath>

namespace memstencil::membench {

namespace {

constexpr std::size_t fewest = 4;
constexpr double tolerance = 0.2;
constexpr double share_within = 0.9;

}  // namespace

Settling settling(std::span<const double> series) {
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
    if (near && rest >= quarter && static_cast<double>(within) >= share_within * static_cast<double>(rest))
      s.repeat = at + 1;
  }
  return s;
}

std::optional<double> moving_rate(const Settling& settling, double moved) {
  const double longer = 1.0 / settling.first - 1.0 / settling.steady;
  if (longer <= 0.0) return std::nullopt;
  return moved / longer;
}

}  // namespace memstencil::membench
