// Series of copies between placed arrays: their rates, when they settle, and
// where the pages were meanwhile.
#include "app/membench/placement/series.hpp"

#include <algorithm>
#include <cmath>

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
  Sampling sampling = settings.sampling(
      {.warmups = 0, .repeats = length.usual, .limit = length.usual}, length.paper);
  return sample(sampling, [&] {
    const double seconds = arrays.copy(by);
    after();
    return gigabytes / seconds;
  });
}

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

std::optional<double> moving_rate(const Settling& settling, double moved) {
  const double longer = 1.0 / settling.first - 1.0 / settling.steady;
  if (longer <= 0.0) return std::nullopt;
  return moved / longer;
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

void ResidencyTable::observe(const PlacedArrays& arrays, const Keys& keys) {
  const Residency source = arrays.source_residency();
  const Residency destination = arrays.destination_residency();
  for (const Residency& each : {source, destination})
    if (!each.known) {
      reason_ = each.reason;
      return;
    }
  for (const auto& [name, value] : keys) columns_[name].push_back(value);
  add("source", source);
  add("destination", destination);
}

void ResidencyTable::add(const std::string& array, const Residency& residency) {
  const auto share = [&](std::size_t pages) {
    return static_cast<double>(pages) / static_cast<double>(residency.sampled);
  };
  const auto of_gpu = residency.pages_on_node.find(gpu_node_);
  const std::size_t on_gpu = of_gpu == residency.pages_on_node.end() ? 0 : of_gpu->second;
  const std::size_t present = residency.sampled - residency.absent;
  columns_[array + "_on_host"].push_back(share(present - on_gpu));
  if (gpu_node_ >= 0) columns_[array + "_on_gpu"].push_back(share(on_gpu));
  columns_[array + "_not_mapped"].push_back(share(residency.absent));
}

std::string ResidencyTable::unknown() const {
  if (!reason_.empty()) return "residency is unknown: " + reason_;
  if (gpu_node_ >= 0) return {};
  return "residency on the GPU is unknown, since the GPU is no NUMA node here: of managed "
         "pages that the host has mapped none is at the GPU alone, and those not mapped are "
         "there or have not been touched";
}

}  // namespace memstencil::membench
