// Facts that Linux tells in files: of the processors, of the memory, of nvidia_uvm.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// This machine's name, as its kernel has it; "?" where that is not readable.
std::string host_name();

/// The first line of the file without its end; nothing where it cannot be read.
std::optional<std::string> first_line(const std::filesystem::path& path);

namespace linux_files {

using Path = std::filesystem::path;
using Text = std::optional<std::string>;
using Count = std::optional<std::int64_t>;

/// The value of the first line "KEY<separator>VALUE".
Text value_of(const Path& path, const std::string& key, char separator = ':');
Count number_in(const Text& text);
/// "1234 kB" or "32768K" in bytes.
Count bytes_of(const Text& text);
/// "always [madvise] never" -> "madvise"
Text chosen(const Path& path);
/// The folders PREFIX0, PREFIX1, ... of the folder, by their numbers.
std::map<int, Path> numbered_folders(const Path& folder, const std::string& prefix);

// Of what lies under `root`: "/", or a copy of another machine's files.
Text cpu_model(const Path& root);
/// Socket and core of each CPU that is on line.
std::vector<std::pair<std::int64_t, std::int64_t>> cpus_on_line(const Path& root);
Count last_level_cache(const Path& root);  ///< bytes of one instance
/// Does the kernel clear every page when it is allocated? As it was told at its start, or built.
std::optional<bool> init_on_alloc(const Path& root);
/// Parameters of the module nvidia_uvm that decide on migration and address translation.
std::map<std::string, std::string> uvm_parameters(const Path& root);

}  // namespace linux_files

}  // namespace memstencil
