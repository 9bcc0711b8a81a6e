// Host memory straight from the operating system: allocation, huge pages, how much there is.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <string>

namespace memstencil::host_memory {

/// Anonymous pages, none touched, aligned to 2 MiB so that huge pages can back all of them.
/// mmap and not malloc: malloc may hand out pages that an earlier array has touched already, and
/// then the first touch would no longer be the first.
/// @throws OutOfMemory
void* allocate(std::size_t bytes, Pages pages);
void release(void* data, std::size_t bytes) noexcept;

/// Empty, or why huge pages cannot be had here.
std::string why_not_huge_pages();

/// Bytes that can be allocated without swapping: MemAvailable, or what the control group leaves.
std::size_t available_bytes();
/// Path of the control group's file that sets available_bytes(); empty if the machine itself does.
std::string control_group_limit();
/// Bytes that its own limit (`ulimit -v`) leaves this process when `more_threads` have stacks,
/// too; the largest number without a limit.
std::size_t address_space_bytes(int more_threads = 0);

}  // namespace memstencil::host_memory
