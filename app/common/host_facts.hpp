// What Linux tells about this machine's processors and memory.
#pragma once

#include "app/common/record.hpp"

#include <filesystem>

namespace memstencil {

/// Reads /proc, /sys and /etc under `root`. Members: hostname, os, kernel, cpu{model, sockets, cores,
/// threads, allowed, last_level_cache_bytes}, memory{bytes, huge_pages{enabled, defrag},
/// numa_balancing, numa_nodes[{node, memory_bytes, cpus}]}. What cannot be read is null; sizes in
/// bytes, the last-level cache that of one instance.
Record host_facts(const std::filesystem::path& root);

/// The first line of the file without its end, or null.
Record first_line(const std::filesystem::path& path);

}  // namespace memstencil
