// What the latency probe walks.
#include "app/membench/hierarchy/latency_courses.hpp"

#include "app/membench/hierarchy/latency_curve.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace memstencil::membench {

namespace {

using probes::ChasePath;

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = kib << 10;
constexpr std::size_t gib = mib << 10;

constexpr const char* random_line = "random line";
constexpr const char* past_l1 = "global past L1";

/// Two octaves of it lie beyond four times the L2 of a Hopper, where chases in memory begin.
constexpr std::size_t beyond_l2 = 512 * mib;

Course lines(const std::string& path, ChasePath by, MemorySpace space, std::vector<std::size_t> footprints) {
  return {.path = path,
          .memory = std::string(name(space)),
          .chase = random_line,
          .by = by,
          .space = space,
          .slot_bytes = probes::chase_line,
          .footprints = std::move(footprints)};
}

/// One point an octave in L1, which is flat; four above.
std::vector<std::size_t> whole_curve(std::size_t largest) {
  constexpr std::size_t fine = 32 * kib;
  std::vector<std::size_t> all = footprints(kib, std::min(fine / 2, largest), 1, probes::chase_line);
  const std::vector<std::size_t> above = footprints(fine, largest, 4, probes::chase_line);
  all.insert(all.end(), above.begin(), above.end());
  return all;
}

Course pages(MemorySpace space) {
  const std::size_t largest = std::min(16 * gib, available_bytes(space) / 2);
  return {.path = past_l1,
          .memory = std::string(name(space)),
          .chase = "one a page",
          .by = ChasePath::GlobalPastL1,
          .space = space,
          .slot_bytes = gpu_page_bytes,
          .footprints = footprints(2 * gpu_page_bytes, largest, 2, gpu_page_bytes)};
}

Course within_pages(MemorySpace space, std::vector<std::size_t> footprints) {
  return lines(past_l1, ChasePath::GlobalPastL1, space, std::move(footprints));
}

Course own_memory(const std::string& path, ChasePath by, std::size_t first, std::size_t largest) {
  return {.path = path,
          .memory = path,
          .chase = random_line,
          .by = by,
          .space = {},
          .slot_bytes = probes::chase_line,
          .footprints = footprints(first, largest, 1, probes::chase_line)};
}

}  // namespace

std::vector<Course> courses(const Settings& settings, std::vector<std::string>& notes) {
  const MemorySpace device = scratch_space(Executor::Device);
  const auto octaves = [](std::size_t first, std::size_t last) {
    return footprints(first, last, 1, probes::chase_line);
  };
  std::vector<Course> all{
      lines("global", ChasePath::Global, device, whole_curve(settings.bytes.value_or(gib))),
      within_pages(device, octaves(64 * kib, 32 * mib)),
      pages(device),
      lines("texture", ChasePath::Texture, device, octaves(kib, beyond_l2)),
      own_memory("constant", ChasePath::Constant, 256, probes::chase_constant_bytes),
      own_memory("shared", ChasePath::Shared, kib, probes::chase_shared_bytes)};
  for (const MemorySpace space : all_memory_spaces) {
    if (space == device) continue;
    const Support s = support(space, Executor::Device);
    if (s.served)
      all.push_back(lines("global", ChasePath::Global, space, octaves(4 * kib, beyond_l2)));
    else
      notes.push_back(fmt::format("no chase in {} memory: {}", name(space), s.reason));
  }
  return all;
}

std::vector<Level> levels(const Course& course, std::size_t l2_bytes) {
  constexpr std::size_t no_end = ~std::size_t{0};
  if (course.slot_bytes != probes::chase_line) return {};
  switch (course.by) {
    case ChasePath::Constant:
      return {{"first level", 0, kib}, {"second level", 8 * kib, 32 * kib}};
    case ChasePath::Shared:
      return {{"shared", 0, no_end}};
    case ChasePath::GlobalPastL1:
      return {{"L2", 0, l2_bytes / 4}};
    case ChasePath::Global:
    case ChasePath::Texture:
      break;
  }
  // Every L1 since Volta holds 64 KiB, and none 1 MiB. An L2 in two halves is flat up to a quarter of its
  // size; at four times its size hits are rare.
  return {{"L1", 0, 64 * kib}, {"L2", mib, l2_bytes / 4}, {"memory", 4 * l2_bytes, no_end}};
}

std::string page_course_name() { return pages(scratch_space(Executor::Device)).name(); }

std::string within_page_course_name() { return within_pages(scratch_space(Executor::Device), {}).name(); }

}  // namespace memstencil::membench
