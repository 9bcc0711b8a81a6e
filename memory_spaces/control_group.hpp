// The memory that the control groups of this process leave it.
#pragma once

#include <cstddef>
#include <filesystem>

namespace memstencil::host_memory {

/// Bytes until the tightest limit among this process' group and the groups around it, by the two
/// layouts of the cgroup file system under `root`; the largest number where there is no limit. File
/// pages that have not been used lately count as free, since the kernel gives them up first.
std::size_t control_group_bytes(const std::filesystem::path& root);

}  // namespace memstencil::host_memory
