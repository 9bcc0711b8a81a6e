// The memory that the control groups of this process leave it.
#pragma once

#include <compare>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

namespace memstencil::host_memory {

/// The memory that control groups leave a process.
struct ControlGroupRoom {
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  ///< the largest: no limit
  std::string limit;                                            ///< path of the file that sets it

  auto operator<=>(const ControlGroupRoom&) const = default;
};

/// The smallest room among the group of this process and the groups around it, by the two layouts
/// of the cgroup file system under `root`. The page cache counts as free, except dirty and mapped
/// pages: the kernel gives the rest back before it refuses memory. memory.high counts as a limit,
/// since the kernel slows a process down that exceeds it.
ControlGroupRoom control_group_room(const std::filesystem::path& root);

}  // namespace memstencil::host_memory
