// Series of copies between placed arrays: their rates, when they settle, and
// where the pages were meanwhile.
#include "app/membench/placement/series.hpp"

#include "memory_spaces/capabilities.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace memstencil::membench {

namespace {

/// Of each settling_record() that is in both, by the names that lead to it.
Record size_losses(const Record& first, const Record& last) {
  if (first.contains("steady_gbs"))
    return 1 - last["steady_gbs"].get<double>() / first["steady_gbs"].get<double>();
  Record losses = Record::object();
  for (const auto& [name, value] : first.items())
    if (value.is_object() && last.contains(name))
      if (Record lost = size_losses(value, last[name]); !lost.empty()) losses[name] = lost;
  return losses;
}

}  // namespace

std::vector<std::size_t> array_sizes(const Settings& settings) {
  std::vector<std::size_t> several;
  for (const std::size_t bytes : settings.sizes)
    several.push_back(bytes / sizeof(double) * sizeof(double));
  if (!several.empty()) return several;
  if (settings.bytes) return {*settings.bytes / sizeof(double) * sizeof(double)};
  if (settings.paper) return {4'000'000'000, 8'000'000'000};
  return {std::size_t{1} << 30};
}

std::vector<MemorySpace> spaces_to_measure(const Settings& settings) {
  const auto served = [](MemorySpace space) { return support(space, Executor::Device); };
  if (!settings.memspace)
    return {served(MemorySpace::SystemAllocated).served ? MemorySpace::SystemAllocated
                                                        : MemorySpace::Managed};
  if (const std::string reason = served(*settings.memspace).reason; !reason.empty())
    throw UnsupportedSpace(fmt::format("--memspace {}: {}", name(*settings.memspace), reason));
  return {*settings.memspace};
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

Record settling_record(const Measurement& measurement) {
  std::vector<double> first, steady;
  std::size_t latest = 0;
  bool settled = true;
  for (const Settling& s : settlings(measurement.samples.values, measurement.experiments)) {
    first.push_back(s.first);
    steady.push_back(s.steady);
    settled = settled && s.repeat.has_value();
    latest = std::max(latest, s.repeat.value_or(0));
  }
  return {{"first_gbs", statistics(first).median},
          {"steady_gbs", statistics(steady).median},
          {"steady_repeat", settled ? Record(latest) : Record()}};
}

void derive_size_losses(Record& derived, const std::vector<std::size_t>& sizes) {
  if (sizes.size() < 2) return;
  const std::string first = size_key(sizes.front()), last = size_key(sizes.back());
  if (!derived.contains(first) || !derived.contains(last)) return;
  const Record losses = size_losses(derived[first], derived[last]);
  derived[fmt::format("lost from {} to {}", first, last)] = losses;
}

PagePlaces ResidencyTable::observe(const PlacedArrays& arrays, const Keys& keys) {
  const Residency source = arrays.source_residency();
  const Residency destination = arrays.destination_residency();
  for (const Residency& each : {source, destination})
    if (!each.known) {
      reason_ = each.reason;
      return {};
    }
  for (const auto& [name, value] : keys) columns_[name].push_back(value);
  PagePlaces of_source, both;
  of_source.add(source, gpu_node_);
  add("source", of_source);
  both.add(destination, gpu_node_);
  add("destination", both);
  both.add(source, gpu_node_);
  return both;
}

void ResidencyTable::add(const std::string& array, const PagePlaces& places) {
  columns_[array + "_on_host"].push_back(places.on_host / places.all());
  if (gpu_node_ >= 0) columns_[array + "_on_gpu"].push_back(places.on_gpu / places.all());
  columns_[array + "_not_mapped"].push_back(places.not_mapped / places.all());
}

std::string ResidencyTable::unknown() const {
  if (!reason_.empty()) return "residency is unknown: " + reason_;
  if (gpu_node_ >= 0) return {};
  return "residency on the GPU is unknown, since the GPU is no NUMA node here: of managed "
         "pages that the host has mapped none is at the GPU alone, and those not mapped are "
         "there or have not been touched";
}

void MovesOfSeries::add(const std::string& title, std::size_t bytes, Executor by,
                        const PageMoves& moves) {
  if (!moves.unknown.empty()) return;
  const auto same = [&](const Series& each) { return each.title == title && each.bytes == bytes; };
  auto found = std::find_if(series_.begin(), series_.end(), same);
  if (found == series_.end()) found = series_.insert(series_.end(), {title, bytes, by, {}});
  found->moves.before += moves.before;
  found->moves.after += moves.after;
}

void MovesOfSeries::deliver(int gpu_node, ProbeResult& result) const {
  for (const Series& each : series_)
    result.residency.push_back({each.title, std::string(name(each.by)),
                                static_cast<std::int64_t>(each.bytes),
                                residency_record(each.moves, gpu_node, each.by)});
  for (const std::string& note : notes()) result.notes.push_back(note);
}

std::vector<std::string> MovesOfSeries::notes() const {
  std::vector<std::string> notes;
  for (const Executor by : all_executors) {
    std::vector<std::string> stayed;
    for (const Series& each : series_)
      if (each.by == by && moved_to(by, each.moves) == false &&
          std::find(stayed.begin(), stayed.end(), each.title) == stayed.end())
        stayed.push_back(each.title);
    if (stayed.empty()) continue;
    notes.push_back(
        fmt::format("no page moved to the {} in {}: it reached them over the link in "
                    "every repeat",
                    by == Executor::Device ? "GPU" : "host", fmt::join(stayed, ", ")));
  }
  return notes;
}

}  // namespace memstencil::membench
