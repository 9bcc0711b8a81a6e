// Series of copies between placed arrays: what the probes `patterns` and `migration` have in common.
#include "app/membench/placement/placement_series.hpp"

#include "app/common/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace memstencil::membench {

std::vector<std::size_t> array_sizes(const Settings& settings) {
  if (settings.bytes) return {*settings.bytes / sizeof(double) * sizeof(double)};
  if (settings.paper) return {4'000'000'000, 8'000'000'000};
  return {std::size_t{1} << 30};
}

std::string size_key(std::size_t bytes) { return fmt::format("{} bytes", bytes); }

Samples copy_series(PlacedArrays& arrays, std::size_t bytes, Executor by, const Settings& settings,
                    const SeriesLength& length, const std::function<void()>& after) {
  const double gigabytes = 2e-9 * static_cast<double>(bytes);
  Sampling sampling =
      settings.sampling({.warmups = 0, .repeats = length.usual, .limit = length.usual}, length.paper);
  return sample(sampling, [&] {
    const double seconds = arrays.copy(by);
    after();
    return gigabytes / seconds;
  });
}

std::vector<Settling> settlings(const Measurement& measurement) {
  const std::span<const double> all(measurement.samples.values);
  const std::size_t repeats = all.size() / static_cast<std::size_t>(measurement.experiments);
  std::vector<Settling> out;
  for (std::size_t at = 0; at + repeats <= all.size(); at += repeats)
    out.push_back(settling(all.subspan(at, repeats)));
  return out;
}

Record settling_record(const Measurement& measurement) {
  std::vector<double> first, steady;
  std::size_t latest = 0;
  bool settled = true;
  for (const Settling& s : settlings(measurement)) {
    first.push_back(s.first);
    steady.push_back(s.steady);
    settled = settled && s.repeat.has_value();
    latest = std::max(latest, s.repeat.value_or(0));
  }
  return {{"first_gbs", statistics(first).median},
          {"steady_gbs", statistics(steady).median},
          {"steady_repeat", settled ? Record(latest) : Record()}};
}

}  // namespace memstencil::membench
