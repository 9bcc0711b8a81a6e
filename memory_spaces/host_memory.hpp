// Host memory straight from the operating system: allocation, huge pages, how much there is.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <compare>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

namespace memstencil::host_memory {

/// Anonymous pages, none touched, aligned to 2 MiB so that huge pages can back all of them.
/// mmap and not malloc: malloc may hand out pages that an earlier array has touched already, and
/// then the first touch would no longer be the first.
/// @throws OutOfMemory
void* allocate(const MemoryKind& kind, std::size_t bytes);
void release(void* data, std::size_t bytes) noexcept;

/// Empty, or why huge pages cannot be had here.
std::string why_not_huge_pages();

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

/// Bytes that can be allocated without swapping: MemAvailable, or what the control group leaves.
std::size_t available_bytes();
/// Path of the control group's file that sets available_bytes(); empty if the machine itself does.
std::string control_group_limit();
/// Bytes that its own limit (`ulimit -v`) leaves this process when `more_threads` have stacks,
/// too; the largest number without a limit.
std::size_t address_space_bytes(int more_threads = 0);

}  // namespace memstencil::host_memory
