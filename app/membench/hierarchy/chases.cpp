// The chases of probe latency: chains through memory, the footprints they
// have, and the levels that show.
#include "app/membench/hierarchy/chases.hpp"

#include "app/common/runtime/statistics.hpp"
#include "app/membench/core/gpu.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace memstencil::membench::latency_probe {

namespace {

using probes::ChasePath;

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = kib << 10;
constexpr std::size_t gib = mib << 10;

/// Two octaves of it lie beyond four times the L2 of a Hopper, where chases in memory begin.
constexpr std::size_t beyond_l2 = 512 * mib;

/// One point an octave.
std::vector<std::size_t> octaves(std::size_t first, std::size_t last) {
  return footprints(first, last, 1, probes::chase_line);
}

/// One point an octave in L1, which is flat; four above.
std::vector<std::size_t> whole_curve(std::size_t largest) {
  constexpr std::size_t fine = 32 * kib;
  std::vector<std::size_t> all = octaves(kib, std::min(fine / 2, largest));
  const std::vector<std::size_t> above = footprints(fine, largest, 4, probes::chase_line);
  all.insert(all.end(), above.begin(), above.end());
  return all;
}

/// From line to line in random order. Without a space: in memory of the
/// path's own, which has its name.
Chase lines(const std::string& path, ChasePath by, std::optional<MemorySpace> space,
            std::vector<std::size_t> footprints) {
  return {.path = path,
          .memory = space ? std::string(name(*space)) : path,
          .chain = "random line",
          .by = by,
          .space = space,
          .slot_bytes = probes::chase_line,
          .footprints = std::move(footprints)};
}

/// A thread's local memory: in L1, and, where the GPU has the memory for it, beyond. The driver
/// gives every thread that can be resident as much as the one thread asks for.
Chase in_local_memory(MemorySpace device, std::vector<std::string>& notes) {
  const auto bytes = [](std::uint32_t words) { return words * probes::chase_line; };
  Chase chase =
      lines("local", ChasePath::Local, {}, octaves(kib, bytes(probes::chase_local_words[0])));
  const std::size_t taken = probes::chase_local_words[1] * sizeof(std::uint32_t) *
                            std::size_t{resident_threads} *
                            static_cast<std::size_t>(gpu_facts().multiprocessors);
  if (2 * taken < available_bytes(device))
    chase.footprints.push_back(bytes(probes::chase_local_words[1]));
  else
    notes.push_back(fmt::format("no chase in local memory beyond L1: it takes {} bytes", taken));
  return chase;
}

Chase from_page_to_page(Chase chase, MemorySpace space) {
  const std::size_t largest = std::min(16 * gib, available_bytes(space) / 2);
  chase.chain = "one a page";
  chase.slot_bytes = gpu_page_bytes;
  chase.footprints = footprints(2 * gpu_page_bytes, largest, 2, gpu_page_bytes);
  return chase;
}

}  // namespace

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

std::vector<std::size_t> footprints(std::size_t first, std::size_t last, int per_octave,
                                    std::size_t slot_bytes) {
  std::vector<std::size_t> all;
  for (int n = 0;; ++n) {
    const double exact =
        static_cast<double>(first) * std::exp2(static_cast<double>(n) / per_octave);
    const std::size_t bytes = static_cast<std::size_t>(exact) / slot_bytes * slot_bytes;
    if (bytes > last) return all;
    if (bytes > 0 && (all.empty() || bytes > all.back())) all.push_back(bytes);
  }
}

Plateau plateau(const std::vector<LatencyPoint>& curve, std::size_t first, std::size_t last) {
  std::vector<double> cycles, nanoseconds;
  for (const LatencyPoint& point : curve) {
    if (point.footprint_bytes < first || point.footprint_bytes > last) continue;
    cycles.push_back(point.cycles);
    nanoseconds.push_back(point.nanoseconds);
  }
  if (cycles.empty()) return {};
  const Statistics s = statistics(cycles);
  return {static_cast<int>(s.count), s.median, s.minimum, s.maximum,
          statistics(nanoseconds).median};
}

Chases chases(const Settings& settings, std::vector<std::string>& notes) {
  const MemorySpace device = scratch_space(Executor::Device);
  const Chase past_l1 =
      lines("global past L1", ChasePath::GlobalPastL1, device, octaves(64 * kib, 32 * mib));
  const Chase pages = from_page_to_page(past_l1, device);
  std::vector<Chase> all{
      lines("global", ChasePath::Global, device, whole_curve(settings.bytes.value_or(gib))),
      past_l1,
      pages,
      lines("texture", ChasePath::Texture, device, octaves(kib, beyond_l2)),
      lines("constant", ChasePath::Constant, {}, octaves(256, probes::chase_constant_bytes)),
      lines("shared", ChasePath::Shared, {}, octaves(kib, probes::chase_shared_bytes)),
      in_local_memory(device, notes)};
  for (const MemorySpace space : all_memory_spaces) {
    if (space == device) continue;
    const Support s = support(space, Executor::Device);
    if (s.served)
      all.push_back(lines("global", ChasePath::Global, space, octaves(4 * kib, beyond_l2)));
    else
      notes.push_back(fmt::format("no chase in {} memory: {}", name(space), s.reason));
  }
  return {std::move(all), past_l1.name(), pages.name()};
}

std::vector<Level> levels(const Chase& chase, std::size_t l2_bytes) {
  constexpr std::size_t no_end = ~std::size_t{0};
  if (chase.slot_bytes != probes::chase_line) return {};
  switch (chase.by) {
    case ChasePath::Constant:
      return {{"first level", 0, kib}, {"second level", 8 * kib, 32 * kib}};
    case ChasePath::Shared:
      return {{"shared", 0, no_end}};
    case ChasePath::GlobalPastL1:
      return {{"L2", 0, l2_bytes / 4}};
    // No L1 holds the large one; and L2 holds the largest there could be: of the 512 KB that CUDA
    // gives a thread each word takes a line, 16 MiB in all.
    case ChasePath::Local:
      return {{"L1", 0, 64 * kib}, {"L2", 512 * kib, 512 * kib}};
    case ChasePath::Global:
    case ChasePath::Texture:
      break;
  }
  // Every L1 since Volta holds 64 KiB, and none 1 MiB. An L2 in two halves is flat up to a quarter
  // of its size; at four times its size hits are rare.
  return {{"L1", 0, 64 * kib}, {"L2", mib, l2_bytes / 4}, {"memory", 4 * l2_bytes, no_end}};
}

}  // namespace memstencil::membench::latency_probe
