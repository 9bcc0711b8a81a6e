// Probe link: copies inside host and device memory, and over the link between them.
#include "app/membench/link/link.hpp"

#include "app/common/record/text_report.hpp"
#include "app/common/runtime/clock.hpp"
#include "kernels/probes/array_copy.hpp"
#include "kernels/probes/link.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace memstencil::membench::link_probe {

namespace {

using probes::Mover;

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = std::size_t{1} << 20;

/// [tsukuba-thesis-2024], 4.1: 200 repeats an experiment, 10 experiments, arrays of 4 GB and of 8
/// GB.
constexpr int paper_repeats = 200;
constexpr int paper_experiments = 10;

constexpr Sampling usual{.warmups = 2, .repeats = 20, .limit = 40};
constexpr Sampling usual_of_sweep{.warmups = 1, .repeats = 5, .limit = 5};

LinkArray first_touched(const Buffer& buffer) {
  const auto& pattern =
      buffer.space() == MemorySpace::Device ? probes::device_pattern() : probes::host_pattern();
  const LinkArray array{static_cast<double*>(buffer.data()), &pattern};
  array.pattern->write(array.data, buffer.bytes() / sizeof(double), 1, new_seed());
  return array;
}

/// A copy between host and GPU or inside the GPU's memory; two legs run at once.
/// @param counted_per_byte 1 over the link; 2, read and written, inside device memory
Copy transfer(const std::string& direction, const std::string& memory, const std::vector<Leg>& legs,
              std::size_t bytes, int counted_per_byte, Mover mover) {
  // So many one after the other make one sample that starting them does not count, but not so many
  // that short ones take long. So many bytes take about 10 ms.
  const std::size_t enough = std::size_t{1} << (counted_per_byte == 1 ? 29 : 33);
  const int times = static_cast<int>(std::clamp<std::size_t>(enough / bytes, 1, 16));
  std::vector<probes::Transfer> transfers;
  for (const Leg& leg : legs)
    transfers.push_back({leg.to.data, leg.from.data, bytes / sizeof(double)});
  return {
      .direction = direction,
      .memory = memory,
      .by = mover == Mover::CopyEngine ? "copy engine" : "kernel",
      .legs = legs,
      .bytes = bytes,
      .counted = static_cast<double>(legs.size()) * counted_per_byte * static_cast<double>(bytes),
      .seconds = [transfers, mover, times] {
        const double seconds = transfers.size() == 1
                                   ? in_cuda<probes::transfer_seconds>(transfers[0], mover, times)
                                   : in_cuda<probes::transfer_seconds_at_once>(
                                         transfers[0], transfers[1], mover, times);
        return seconds / times;
      }};
}

/// Copies over the link between the pairs, and, with pinned memory, inside device
/// memory and both ways at once.
std::vector<Copy> transfers(const ArrayPair& host, const ArrayPair& device,
                            const std::string& memory, std::size_t bytes, Kinds kinds) {
  const bool pinned = memory == "pinned";
  const bool all = kinds == Kinds::All;
  const bool kernel_reaches =
      pinned || support(MemorySpace::SystemAllocated, Executor::Device).served;
  const Leg up{host.first(), device.first()}, down{device.second(), host.second()};
  const Leg inside{device.first(), device.second()};
  std::vector<Copy> copies;
  for (const Mover mover : {Mover::CopyEngine, Mover::Kernel}) {
    const bool by_engine = mover == Mover::CopyEngine;
    if (by_engine || (all && kernel_reaches)) {
      copies.push_back(transfer("HtoD", memory, {up}, bytes, 1, mover));
      copies.push_back(transfer("DtoH", memory, {down}, bytes, 1, mover));
    }
    if (pinned && all) copies.push_back(transfer("both", memory, {up, down}, bytes, 1, mover));
    // Inside device memory the thesis copies by a kernel (list 4.2).
    if (pinned && (all || !by_engine))
      copies.push_back(transfer("device copy", "device", {inside}, bytes, 2, mover));
  }
  return copies;
}

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

void measure_size(std::size_t bytes, const Settings& settings, Collector& collector) {
  const Kinds kinds = settings.paper ? Kinds::Thesis : Kinds::All;
  for_each_copy(bytes, kinds, [&](const Copy& copy) {
    settings.progress(copy.title());
    collector.result.add(copy.title(),
                         {{"direction", copy.direction},
                          {"memory", copy.memory},
                          {"by", copy.by},
                          {"bytes", copy.bytes}},
                         "GB/s", measure(copy, collector.sampling));
  });
}

/// A table a kind of copy of the thesis, one row a sample: {bytes, gbs}.
Record sweep_of_sizes(const Settings& settings) {
  constexpr std::size_t smallest = 4 * kib, largest = 256 * mib;
  const Sampling few = settings.sampling(usual_of_sweep, usual_of_sweep.repeats);
  Record tables = Record::object();
  for (std::size_t bytes = smallest; bytes <= largest; bytes *= 4)
    for_each_copy(bytes, Kinds::Thesis, [&](const Copy& copy) {
      settings.progress("sweep of sizes, " + copy.title());
      Record& table = tables[fmt::format("{} by size", copy.direction)];
      for (const double gbs : measure(copy, few).values)
        add_row(table, {{"bytes", bytes}, {"gbs", gbs}});
    });
  return tables;
}

ProbeResult run(const Settings& settings) {
  Collector collector(settings, usual, paper_repeats);
  for (const std::size_t bytes : sizes(settings))
    for (int n = settings.experiment_count(1, paper_experiments); n > 0; --n)
      measure_size(bytes, settings, collector);
  ProbeResult& result = collector.result;
  if (!settings.bytes && !settings.paper) result.tables = sweep_of_sizes(settings);
  if (gpu_count() > 0)
    result.notes.push_back(
        "'both' counts the bytes of both directions; a copy by kernel moves 16 bytes a thread");
  result.notes.push_back(
      "'loop' is compiled without optimisation, as in the thesis; 'vectorised' "
      "stores past the caches");
  return result;
}

}  // namespace

std::uint64_t new_seed() {
  static std::uint64_t seed = 0;
  return ++seed << 40;
}

extern const Probe probe{
    .name = "link",
    .summary = "copies inside host and device memory, and over the link between them",
    .source = "[tsukuba-thesis-2024], 4.1, lists 4.1-4.3",
    .counted = "bytes read + written inside a memory, bytes one way over the link",
    .options = {&size_option},
    .refused = refuse_without_driver,
    .run = run};

ArrayPair::ArrayPair(MemorySpace space, std::size_t bytes)
    : buffers_{Buffer(space, bytes), Buffer(space, bytes)},
      first_(first_touched(buffers_[0])),
      second_(first_touched(buffers_[1])) {}

std::string Copy::title() const {
  return fmt::format("{} {}{}, {}", direction, direction == "device copy" ? "" : memory + ", ", by,
                     bytes_text(static_cast<double>(bytes)));
}

std::vector<Copy> host_copies(const ArrayPair& host, const std::string& memory, std::size_t bytes,
                              Kinds kinds) {
  const auto copy_by = [&](const std::string& by,
                           void (*loop)(double*, const double*, std::size_t)) {
    double* const to = host.second().data;
    const double* const from = host.first().data;
    return Copy{
        .direction = "host copy",
        .memory = memory,
        .by = by,
        .legs = {{host.first(), host.second()}},
        .bytes = bytes,
        .counted = 2.0 * static_cast<double>(bytes),
        .seconds = [=] { return host_seconds([=] { loop(to, from, bytes / sizeof(double)); }); }};
  };
  std::vector<Copy> copies{copy_by("loop", probes::host_copy_plain)};
  if (kinds == Kinds::All) copies.push_back(copy_by("vectorised", probes::host_copy_vectorised));
  return copies;
}

Samples measure(const Copy& copy, const Sampling& sampling) {
  const std::size_t count = copy.bytes / sizeof(double);
  std::vector<std::uint64_t> seeds;
  for (const Leg& leg : copy.legs) {
    seeds.push_back(new_seed());
    leg.from.pattern->write(leg.from.data, count, 1, seeds.back());
  }
  const Samples samples = sample(sampling, [&] { return copy.counted / copy.seconds() * 1e-9; });
  for (std::size_t n = 0; n < copy.legs.size(); ++n) {
    const LinkArray& to = copy.legs[n].to;
    const std::size_t wrong = to.pattern->wrong(to.data, count, 1, seeds[n]);
    verify(wrong == 0, "{}, {} memory, by {}: {} of {} elements are not what was copied",
           copy.direction, copy.memory, copy.by, wrong, count);
  }
  return samples;
}

}  // namespace memstencil::membench::link_probe
