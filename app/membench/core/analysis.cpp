// The analysis of samples and curves.
#include "app/membench/core/analysis.hpp"

#include "app/base/record/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

namespace memstencil::membench {

namespace {

using Column = std::vector<double>;

/// Correlation of neighbours in the series, from 0 to 0.99; a negative one counts as 0.
double correlation(std::span<const double> values, double mean) {
  double products = 0, squares = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    squares += (values[n] - mean) * (values[n] - mean);
    if (n > 0) products += (values[n] - mean) * (values[n - 1] - mean);
  }
  return squares > 0 ? std::clamp(products / squares, 0.0, 0.99) : 0.0;
}

double dot(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(Column& from, double factor, const Column& column) {
  for (std::size_t n = 0; n < from.size(); ++n) from[n] -= factor * column[n];
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
    means.push_back(statistics(part).mean);
    weighted += correlation(part, means.back()) * static_cast<double>(count);
  }
  const double r = weighted / static_cast<double>(s.count);
  const double within = s.relative_half_width * std::sqrt((1 + r) / (1 - r));
  return means.size() < 3 ? within : std::max(within, statistics(means).relative_half_width);
}

std::string reason_to_stop(const Sampling& rule, const Series& series) {
  const auto count = static_cast<int>(series.values.size());
  if (count < rule.fewest) return {};
  const double half = relative_half_width(series);
  if (count > 1 && half < rule.half_width) return "settled";
  if (count < rule.most) return {};
  return count == 1 ? "one sample" : fmt::format("not settled: +-{:.1f} %", 100 * half);
}

Settling settling(std::span<const double> series) {
  constexpr std::size_t fewest = 4;
  constexpr double tolerance = 0.2, share_within = 0.9;
  const std::size_t count = series.size();
  const std::size_t quarter = (count + 3) / 4;
  Settling s{series.front(), statistics(series.last(quarter)).median, {}};
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

Fit least_squares(std::vector<Column> terms, const Column& y) {
  const std::size_t count = terms.size();
  const double points = static_cast<double>(y.size());
  std::vector<Column> in(count, Column(count, 0));  // how much of term t is in each later one
  Fit fit{.coefficients = Column(count, 0)};
  Column rest = y, lengths;
  for (const Column& term : terms) lengths.push_back(dot(term, term));
  for (std::size_t t = 0; t < count; ++t) {
    const double squares = dot(terms[t], terms[t]);
    if (!(squares > 1e-24 * lengths[t]))
      throw std::invalid_argument("least squares: the terms depend on each other");
    for (std::size_t later = t + 1; later < count; ++later) {
      in[t][later] = dot(terms[t], terms[later]) / squares;
      subtract(terms[later], in[t][later], terms[t]);
    }
    fit.coefficients[t] = dot(terms[t], rest) / squares;
    subtract(rest, fit.coefficients[t], terms[t]);
  }
  for (std::size_t t = count; t-- > 0;)
    for (std::size_t later = t + 1; later < count; ++later)
      fit.coefficients[t] -= in[t][later] * fit.coefficients[later];
  // The rest of y is the residual: all that the terms explain has been taken away.
  const double squares = dot(rest, rest);
  Column about_mean = y;
  subtract(about_mean, std::accumulate(y.begin(), y.end(), 0.0) / points, Column(y.size(), 1));
  const double total = dot(about_mean, about_mean);
  fit.r_squared = total > 0 ? 1 - squares / total : 1;
  fit.rms_residual = std::sqrt(squares / points);
  fit.largest_residual =
      std::ranges::max(rest, {}, [](double residual) { return std::abs(residual); });
  return fit;
}

SmCycles sm_cycles(std::span<const WarpTimes> times, int warps) {
  std::map<std::int64_t, std::pair<WarpTimes, int>> busy;  // first begin, last end; warps
  for (const WarpTimes& warp : times) {
    auto& [all, count] = busy.try_emplace(warp.sm, warp, 0).first->second;
    all.begin = std::min(all.begin, warp.begin);
    all.end = std::max(all.end, warp.end);
    ++count;
  }
  SmCycles out;
  std::vector<double> cycles;
  for (const auto& [number, sm] : busy)
    if (sm.second == warps)
      cycles.push_back(static_cast<double>(sm.first.end - sm.first.begin));
    else
      ++out.left_out;
  if (cycles.empty())
    throw Failure(ExitCode::Machine,
                  fmt::format("no multiprocessor got the {} warps that were meant for it; run it "
                              "while no other program uses the GPU",
                              warps));
  out.median = median(cycles);
  out.longest = *std::max_element(cycles.begin(), cycles.end());
  return out;
}

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
    std::vector<double> level, longer;
    for (std::size_t end = begin; end < points.size(); ++end) {
      longer.push_back(points[end].second);
      const auto [least, most] = std::ranges::minmax(longer);
      const double middle = median(longer);
      if (most - middle > near * middle || middle - least > near * middle) break;
      level = longer;
    }
    const bool found = level.size() >= fewest;
    if (found)
      levels.push_back(
          {points[begin].first, points[begin + level.size() - 1].first, median(level), 0});
    begin += found ? level.size() : 1;
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

}  // namespace memstencil::membench
