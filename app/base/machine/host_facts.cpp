// Facts of this machine's processors and memory, as Linux tells them.
#include "app/base/machine/host_facts.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r\n\"";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

using Text = MachineFacts::Text;
using Count = MachineFacts::Count;

/// The first "KEY<separator>VALUE" line's value.
Text value_of(const fs::path& path, const std::string& key, char separator = ':') {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t mark = line.find(separator);
    if (mark != std::string::npos && trimmed(line.substr(0, mark)) == key)
      return trimmed(line.substr(mark + 1));
  }
  return std::nullopt;
}

Count number_in(const Text& text) {
  std::int64_t number = 0;
  std::istringstream stream(text.value_or(""));
  return stream >> number ? Count(number) : std::nullopt;
}

/// "1234 kB" or "32768K" in bytes.
Count bytes_of(const Text& text) {
  const Count number = number_in(text);
  if (!number) return std::nullopt;
  if (text->find('M') != std::string::npos) return *number << 20;
  return text->find_first_of("kK") != std::string::npos ? *number << 10 : *number;
}

/// "always [madvise] never" -> "madvise"
Text chosen(const fs::path& path) {
  const Text line = first_line(path);
  const std::size_t open = line ? line->find('[') : 0,
                    close = line ? line->find(']') : std::string::npos;
  return close == std::string::npos ? line : line->substr(open + 1, close - open - 1);
}

/// Folders PREFIX0, PREFIX1, ... of the folder by their number.
std::map<int, fs::path> numbered_folders(const fs::path& folder, const std::string& prefix) {
  std::map<int, fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    const std::string digits = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos)
      found[std::stoi(digits)] = entry.path();
  }
  return found;
}

Text cpu_model(const fs::path& root) {
  const fs::path path = root / "proc/cpuinfo";
  if (const Text model = value_of(path, "model name")) return model;
  // Arm gives numbers instead; the names that matter here are from Arm's MIDR list.
  const Text implementer = value_of(path, "CPU implementer"), part = value_of(path, "CPU part");
  if (!implementer || !part) return std::nullopt;
  const std::string id = *implementer + " part " + *part;
  if (id == "0x41 part 0xd4f") return "Arm Neoverse V2";
  return "Arm implementer " + id;
}

Count last_level_cache(const fs::path& cpu) {
  Count bytes;
  std::int64_t highest = 0;
  for (const auto& [number, folder] : numbered_folders(cpu / "cache", "index")) {
    const std::int64_t level = number_in(first_line(folder / "level")).value_or(0);
    if (level <= highest) continue;
    highest = level;
    bytes = bytes_of(first_line(folder / "size"));
  }
  return bytes;
}

MachineFacts::Cpu cpu_facts(const fs::path& root) {
  MachineFacts::Cpu facts{.model = cpu_model(root),
                          .sockets = {},
                          .cores = {},
                          .threads = {},
                          .allowed = value_of(root / "proc/self/status", "Cpus_allowed_list"),
                          .last_level_cache_bytes = {}};
  std::set<std::int64_t> sockets;
  std::set<std::pair<std::int64_t, std::int64_t>> cores;
  const auto cpus = numbered_folders(root / "sys/devices/system/cpu", "cpu");
  for (const auto& [number, folder] : cpus) {
    // A processor that is off line has no topology.
    const Count socket = number_in(first_line(folder / "topology/physical_package_id"));
    const Count core = number_in(first_line(folder / "topology/core_id"));
    if (!socket || !core) continue;
    sockets.insert(*socket);
    cores.emplace(*socket, *core);
    facts.threads = facts.threads.value_or(0) + 1;
    facts.sockets = sockets.size();
    facts.cores = cores.size();
  }
  if (!cpus.empty()) facts.last_level_cache_bytes = last_level_cache(cpus.begin()->second);
  return facts;
}

std::vector<MachineFacts::NumaNode> numa_nodes(const fs::path& root) {
  std::vector<MachineFacts::NumaNode> nodes;
  for (const auto& [number, folder] : numbered_folders(root / "sys/devices/system/node", "node")) {
    // By name: Clang 16 captures no structured binding in a build with OpenMP.
    const auto bytes = [&number = number, &folder = folder](const char* what) {
      return bytes_of(value_of(folder / "meminfo", fmt::format("Node {} {}", number, what)));
    };
    nodes.push_back({number, bytes("MemTotal"), first_line(folder / "cpulist"), bytes("MemFree"),
                     bytes("FilePages")});
  }
  return nodes;
}

/// As the kernel was told at its start, or as it was built.
MachineFacts::Flag init_on_alloc(const fs::path& root) {
  std::istringstream arguments(first_line(root / "proc/cmdline").value_or(""));
  MachineFacts::Flag told;
  for (std::string argument; arguments >> argument;)
    if (argument.starts_with("init_on_alloc="))
      told = argument.substr(argument.find('=') + 1).find_first_of("1yYtT") == 0;
  if (told) return told;
  const Text release = first_line(root / "proc/sys/kernel/osrelease");
  const fs::path built = root / "boot" / ("config-" + release.value_or(""));
  if (!first_line(built)) return std::nullopt;
  return value_of(built, "CONFIG_INIT_ON_ALLOC_DEFAULT_ON", '=') == "y";
}

MachineFacts::Memory memory_facts(const fs::path& root) {
  const fs::path huge = root / "sys/kernel/mm/transparent_hugepage";
  return {.bytes = bytes_of(value_of(root / "proc/meminfo", "MemTotal")),
          .huge_pages = {.enabled = chosen(huge / "enabled"), .defrag = chosen(huge / "defrag")},
          .numa_balancing = number_in(first_line(root / "proc/sys/kernel/numa_balancing")),
          .init_on_alloc = init_on_alloc(root),
          .numa_nodes = numa_nodes(root),
          .page_bytes = {}};
}

}  // namespace

std::string host_name() { return first_line("/proc/sys/kernel/hostname").value_or("?"); }

std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? Text(trimmed(line)) : std::nullopt;
}

MachineFacts host_facts(const fs::path& root) {
  return {.hostname = first_line(root / "proc/sys/kernel/hostname"),
          .os = value_of(root / "etc/os-release", "PRETTY_NAME", '='),
          .kernel = first_line(root / "proc/sys/kernel/osrelease"),
          .cpu = cpu_facts(root),
          .memory = memory_facts(root),
          .program = {},
          .gpu = {}};
}

}  // namespace memstencil
