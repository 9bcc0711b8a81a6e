// Probe pages: what memory costs before it is used: allocation, first touch, release.
#include "app/common/machine/host_facts.hpp"
#include "app/common/runtime/clock.hpp"
#include "app/membench/core/measuring.hpp"
#include "kernels/probes/pattern.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <optional>

namespace memstencil::membench::pages_probe {

namespace {

/// Every kind's turn comes several times, so that its samples are spread over the probe's time:
/// what a driver does on the host has fast and slow seconds (docs/lab/first-touch.md).
constexpr int usual_turns = 5;
constexpr Sampling usual{.warmups = 1, .repeats = 2, .limit = 4};
/// Smaller arrays were pinned and released cheaper a byte (docs/probes/pages.md): their pages may
/// stay in caches.
constexpr std::size_t usual_bytes = std::size_t{512} << 20;

/// The ways in which pages are made.
enum class Making {
  Touch,  ///< a word is written into each
  Fill,   ///< regions of 2 MiB are written, each from its beginning to its end, as applications do
  Prefetch,  ///< the driver is asked for all of them before they are touched
};

/// One kind of memory, who asks for its pages first, and how.
struct Kind {
  MemorySpace space;
  Pages pages;
  Executor toucher;
  Making making;

  std::string operation() const {
    constexpr std::array names{"first touch by", "first fill by", "prefetch to"};
    return fmt::format("{} {}", names.at(static_cast<std::size_t>(making)), name(toucher));
  }
  std::string title(const std::string& operation) const {
    return fmt::format("{}, {} pages, {}", name(space), name(pages), operation);
  }
};

/// Seconds of a life of the memory.
struct Life {
  double allocate, make, free;
};

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Without a GPU all spaces are the same host memory; its honest name is `system`.
std::vector<MemorySpace> spaces() {
  if (gpu_count() == 0) return {MemorySpace::SystemAllocated};
  return {all_memory_spaces.begin(), all_memory_spaces.end()};
}

/// Bytes of a transparent huge page: 2 MiB over pages of 4 KiB, 512 MiB over those of 64 KiB. 0
/// where the system does not tell.
std::size_t huge_page_bytes() {
  return std::stoull(
      first_line("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").value_or("0"));
}

/// An array that no huge page fits into would be measured with ordinary ones,
/// under a name that is not theirs.
std::string refuse_huge_pages(std::size_t bytes) {
  if (bytes < huge_page_bytes())
    return fmt::format("one has {} bytes here, the array {}", huge_page_bytes(), bytes);
  return refuse_pages(MemorySpace::SystemAllocated, Pages::Huge);
}

/// A host's threads come to their pages one after the other, however they are
/// told to; a GPU's meet in them.
std::vector<Making> makings(MemorySpace space, Executor toucher) {
  std::vector<Making> out{Making::Touch};
  if (toucher == Executor::Device && touch_makes_pages(space)) {
    out.push_back(Making::Fill);
    if (refuse_prefetch(space).empty()) out.push_back(Making::Prefetch);
  }
  return out;
}

std::vector<Kind> kinds(std::size_t bytes) {
  const bool huge_fits = refuse_huge_pages(bytes).empty();
  std::vector<Kind> out;
  for (const MemorySpace space : spaces())
    for (const Pages pages : all_pages)
      for (const Executor toucher : all_executors)
        if ((pages != Pages::Huge || huge_fits) && refuse_pages(space, pages).empty() &&
            support(space, toucher).served)
          for (const Making making : makings(space, toucher))
            out.push_back({space, pages, toucher, making});
  return out;
}

const probes::PatternKernels& pattern_of(Executor executor) {
  return executor == Executor::Host ? probes::host_pattern() : probes::device_pattern();
}

void make_pages(const Kind& kind, const Buffer& buffer, std::size_t stride, std::uint64_t seed) {
  const probes::PatternKernels& pattern = pattern_of(kind.toucher);
  auto* const data = static_cast<double*>(buffer.data());
  const std::size_t count = buffer.bytes() / sizeof(double);
  if (kind.making == Making::Fill) return pattern.fill(data, count, seed);
  if (kind.making == Making::Prefetch) prefetch(buffer, kind.toucher);
  pattern.write(data, count, stride, seed);
}

/// Allocates, has the pages made, checks a word of each, and releases.
Life live(const Kind& kind, std::size_t bytes, std::uint64_t seed) {
  const std::size_t count = bytes / sizeof(double), stride = page_bytes() / sizeof(double);
  Life life{};
  std::optional<Buffer> buffer;
  life.allocate = host_seconds([&] { buffer.emplace(kind.space, bytes, kind.pages); });
  life.make = host_seconds([&] { make_pages(kind, *buffer, stride, seed); });
  const auto* const data = static_cast<const double*>(buffer->data());
  const std::size_t wrong = pattern_of(kind.toucher).wrong(data, count, stride, seed);
  verify(wrong == 0, "{}: {} pages do not hold what was written", kind.title(kind.operation()),
         wrong);
  life.free = host_seconds([&] { buffer.reset(); });
  return life;
}

/// The other parts of the lives whose making of pages was sampled: as
/// many samples, kept apart alike.
Samples beside(const Samples& making, const std::vector<double>& all) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(making.warmup.size());
  return {{all.begin(), first}, {first, all.end()}, "as many as of the making of pages"};
}

void measure_kind(const Kind& kind, std::size_t bytes, Collector& collector) {
  const double ns_per_byte = 1e9 / static_cast<double>(bytes);
  std::vector<double> allocations, releases;
  const Samples making = sample(collector.sampling, [&] {
    const Life life = live(kind, bytes, allocations.size());
    allocations.push_back(life.allocate * ns_per_byte);
    releases.push_back(life.free * ns_per_byte);
    return life.make * ns_per_byte;
  });
  const auto add = [&](const std::string& operation, const Samples& samples) {
    collector.result.add(kind.title(operation),
                         {{"memspace", name(kind.space)},
                          {"pages", name(kind.pages)},
                          {"act", operation},
                          {"bytes", bytes}},
                         "ns/byte", samples);
  };
  // If both processors may touch, the lives that the host began stand
  // for allocation and release.
  const bool stands = kind.toucher == Executor::Host || !support(kind.space, Executor::Host).served;
  if (stands) add("allocate", beside(making, allocations));
  add(kind.operation(), making);
  if (stands) add("free", beside(making, releases));
  if (kind.making == Making::Fill) add("free after fill by device", beside(making, releases));
}

ProbeResult run(const Settings& settings) {
  const std::size_t bytes = whole_pages(settings.bytes.value_or(usual_bytes), page_bytes());
  for (const MemorySpace space : spaces()) require_memory(space, bytes);
  Collector collector(settings, usual, usual.limit);
  const int turns = settings.repeats ? 1 : usual_turns;
  for (int n = settings.experiment_count(turns, turns); n > 0; --n)
    for (const Kind& kind : kinds(bytes)) {
      settings.progress(kind.title(kind.operation()));
      measure_kind(kind, bytes, collector);
    }
  ProbeResult& result = collector.result;
  result.derived = {{"page_bytes", page_bytes()},
                    {"transparent_huge_pages",
                     to_record(first_line("/sys/kernel/mm/transparent_hugepage/enabled"))}};
  result.notes.push_back(
      "a first touch writes one word into each page of page_bytes, the processor's threads share "
      "the pages; a first fill writes regions of 2 MiB from beginning to end; a prefetch includes "
      "a first touch after it");
  if (const std::string reason = refuse_huge_pages(bytes); !reason.empty())
    result.notes.push_back("huge pages: " + reason);
  return result;
}

}  // namespace

extern const Probe probe{
    .name = "pages",
    .summary = "allocation, first touch by host and by device, and release of memory",
    .source =
        "[tsukuba-thesis-2024], 2.5 (related work: first touch, page initialisation and size)",
    .counted = "bytes allocated",
    .options = {&size_option},
    .refused = refuse_without_driver,
    .run = run};

}  // namespace memstencil::membench::pages_probe
