// What the latency probe walks: one course for each path, memory and kind of chain.
#pragma once

#include "app/membench/core/probe.hpp"
#include "kernels/probes/latency.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

struct Course {
  std::string path, memory, chase;  ///< values of the measurement's parameters
  probes::ChasePath by = probes::ChasePath::Global;
  std::optional<MemorySpace> space;  ///< where the chain lies; none: in memory of the path's own
  std::size_t slot_bytes = probes::chase_line;
  std::vector<std::size_t> footprints;

  std::string name() const { return path + ", " + memory + ", " + chase; }
};

/// Size of the pages that a GPU's memory is mapped in, and the distance of the links that go from page to
/// page.
inline constexpr std::size_t gpu_page_bytes = std::size_t{2} << 20;

/// The courses that this machine can walk. Device memory, whose whole curve is wanted, goes up to `--size` or
/// 1 GiB, and page by page as far as half of what is free there, at most 16 GiB. `notes` gets the reason for
/// each space that the GPU does not reach.
std::vector<Course> courses(const Settings& settings, std::vector<std::string>& notes);

/// A stretch of footprints that one level of the hierarchy serves.
struct Level {
  std::string name;
  std::size_t first, last;  ///< bytes, both included
};

/// The levels that a course shows. `l2_bytes`: of the GPU.
std::vector<Level> levels(const Course& course, std::size_t l2_bytes);

/// Names of the two courses in device memory, past L1, whose difference is translation: from page to page,
/// and within few pages.
std::string page_course_name();
std::string within_page_course_name();

}  // namespace memstencil::membench
