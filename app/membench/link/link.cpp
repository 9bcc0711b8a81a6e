// The link probe: copies inside host and device memory, and over the link between them.
#include "app/common/text_report.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/memory_check.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/link/link_copies.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace memstencil::membench {

namespace {

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = std::size_t{1} << 20;

/// Thesis 003, 4.1: 200 repeats an experiment, 10 experiments, arrays of 4 GB and of 8 GB.
constexpr int paper_link_repeats = 200;
constexpr int paper_link_experiments = 10;

constexpr Sampling usual{.warmups = 2, .repeats = 20, .limit = 40, .half_width = 0.05};

/// Sizes of the arrays in bytes, a whole number of 16-byte pairs each.
std::vector<std::size_t> sizes(const Settings& settings) {
  if (settings.bytes) return {*settings.bytes / 16 * 16};
  if (settings.paper) return {4'000'000'000, 8'000'000'000};
  return {gpu_count() > 0 ? 1024 * mib : 256 * mib};
}

/// Every copy that there is of arrays of this size, each once allocated anew.
void for_each_copy(std::size_t bytes, Kinds kinds, const std::function<void(const Copy&)>& visit) {
  using Host = std::pair<MemorySpace, const char*>;
  std::vector<Host> memories;
  const bool gpu = gpu_count() > 0;
  // Without a GPU there is no driver to pin memory for.
  if (gpu) memories.emplace_back(MemorySpace::HostPinned, "pinned");
  if (!gpu || kinds == Kinds::All) memories.emplace_back(MemorySpace::SystemAllocated, "pageable");
  require_memory(MemorySpace::SystemAllocated, 2 * bytes);
  std::optional<ArrayPair> device;
  if (gpu) {
    require_memory(MemorySpace::Device, 2 * bytes);
    device.emplace(MemorySpace::Device, bytes);
  }
  for (const auto& [space, memory] : memories) {
    const ArrayPair host(space, bytes);
    for (const Copy& copy : host_copies(host, memory, bytes, kinds)) visit(copy);
    if (!device) continue;
    for (const Copy& copy : transfers(host, *device, memory, bytes, kinds)) visit(copy);
  }
}

std::string title(const Copy& copy) {
  const std::string memory = copy.direction == "device copy" ? "" : copy.memory + ", ";
  return fmt::format("{} {}{}, {}", copy.direction, memory, copy.by,
                     bytes_text(static_cast<double>(copy.bytes)));
}

void measure_size(std::size_t bytes, const Settings& settings, Collector& collector) {
  const Kinds kinds = settings.paper ? Kinds::Thesis : Kinds::All;
  for_each_copy(bytes, kinds, [&](const Copy& copy) {
    settings.progress(title(copy));
    collector.add(
        title(copy),
        {{"direction", copy.direction}, {"memory", copy.memory}, {"by", copy.by}, {"bytes", copy.bytes}},
        "GB/s", measure(copy, settings.sampling(usual, paper_link_repeats)));
  });
}

/// A table a kind of copy of the thesis, one row a sample: {bytes, gbs}.
Record sweep_of_sizes(const Settings& settings) {
  constexpr std::size_t smallest = 4 * kib, largest = 256 * mib;
  const Sampling few = settings.sampling({.warmups = 1, .repeats = 5, .limit = 5, .half_width = 0.05}, 5);
  Record tables = Record::object();
  for (std::size_t bytes = smallest; bytes <= largest; bytes *= 4)
    for_each_copy(bytes, Kinds::Thesis, [&](const Copy& copy) {
      settings.progress("sweep of sizes, " + title(copy));
      Record& table = tables[fmt::format("{} by size", copy.direction)];
      for (const double gbs : measure(copy, few).values) {
        table["bytes"].push_back(bytes);
        table["gbs"].push_back(gbs);
      }
    });
  return tables;
}

}  // namespace

ProbeResult run_link(const Settings& settings) {
  Collector collector;
  for (const std::size_t bytes : sizes(settings))
    for (int n = settings.experiment_count(1, paper_link_experiments); n > 0; --n)
      measure_size(bytes, settings, collector);
  ProbeResult result;
  result.measurements = collector.measurements();
  if (!settings.bytes && !settings.paper) result.tables = sweep_of_sizes(settings);
  if (gpu_count() > 0)
    result.notes.push_back(
        "'both' counts the bytes of both directions; a copy by kernel moves 16 bytes a thread");
  result.notes.push_back(
      "'loop' is compiled without optimisation, as in the thesis; 'vectorised' stores past the caches");
  return result;
}

}  // namespace memstencil::membench
