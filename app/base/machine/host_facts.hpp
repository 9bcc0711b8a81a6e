// Facts of this machine's processors and memory, as Linux tells them.
#pragma once

#include "app/base/machine/machine_facts.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace memstencil {

/// Reads /proc, /sys and /etc under `root`: all but the size of a page, the program and the GPU.
MachineFacts host_facts(const std::filesystem::path& root);

/// This machine's name, as its kernel has it; "?" where that is not readable.
std::string host_name();

/// The first line of the file without its end; nothing where it cannot be read.
std::optional<std::string> first_line(const std::filesystem::path& path);

}  // namespace memstencil
