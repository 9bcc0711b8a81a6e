// How sure a median of samples is that need not be independent, and when to stop sampling.
#include "app/membench/core/sampling.hpp"

#include "app/base/runtime/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace memstencil::membench {

namespace {

/// Of neighbours in the series, between 0 and 0.99; less than 0 is not made use of.
double correlation(std::span<const double> values, double mean) {
  double products = 0, squares = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    squares += (values[n] - mean) * (values[n] - mean);
    if (n > 0) products += (values[n] - mean) * (values[n - 1] - mean);
  }
  return squares > 0 ? std::clamp(products / squares, 0.0, 0.99) : 0.0;
}

}  // namespace

double relative_half_width(const Series& series) {
  const Statistics s = statistics(series.values);
  if (s.count < 2) return 0;
  std::vector<double> means;
  double weighted = 0;
  std::size_t begin = 0;
  for (const std::size_t count : series.experiments) {
    const auto part = std::span(series.values).subspan(begin, count);
    begin += count;
    const Statistics own = statistics(part);
    means.push_back(own.mean);
    weighted += correlation(part, own.mean) * static_cast<double>(count);
  }
  const double r = weighted / static_cast<double>(s.count);
  const double within = s.relative_half_width * std::sqrt((1 + r) / (1 - r));
  return means.size() < 3 ? within : std::max(within, statistics(means).relative_half_width);
}

std::string reason_to_stop(const Sampling& rule, const Series& series) {
  const auto count = static_cast<int>(series.values.size());
  if (count < rule.fewest) return {};
  const double half = relative_half_width(series);
  if (count > 1 && half < rule.half_width) return "met";
  if (count < rule.most) return {};
  return count == 1 ? "one sample" : fmt::format("not met: +-{:.1f} %", 100 * half);
}

}  // namespace memstencil::membench
