// What Linux tells about this machine's processors and memory.
#include "app/common/host_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r\n\"";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The first "KEY<separator>VALUE" line's value, or null.
Record value_of(const fs::path& path, const std::string& key, char separator = ':') {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t mark = line.find(separator);
    if (mark != std::string::npos && trimmed(line.substr(0, mark)) == key)
      return trimmed(line.substr(mark + 1));
  }
  return nullptr;
}

std::optional<long long> number_in(const Record& text) {
  if (!text.is_string()) return std::nullopt;
  long long number = 0;
  std::istringstream stream(text.get<std::string>());
  return stream >> number ? std::optional(number) : std::nullopt;
}

Record number_or_null(const std::optional<long long>& number) { return number ? Record(*number) : Record(); }

/// "1234 kB" or "32768K" in bytes, or null.
Record bytes_of(const Record& text) {
  const auto number = number_in(text);
  if (!number) return nullptr;
  const std::string unit = text.get<std::string>();
  if (unit.find('M') != std::string::npos) return *number << 20;
  return unit.find_first_of("kK") != std::string::npos ? *number << 10 : *number;
}

/// "always [madvise] never" -> "madvise"
Record chosen(const fs::path& path) {
  const Record line = first_line(path);
  if (!line.is_string()) return nullptr;
  const std::string text = line.get<std::string>();
  const std::size_t open = text.find('['), close = text.find(']');
  return close == std::string::npos ? line : Record(text.substr(open + 1, close - open - 1));
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

Record cpu_model(const fs::path& root) {
  const fs::path path = root / "proc/cpuinfo";
  const Record model = value_of(path, "model name");
  if (!model.is_null()) return model;
  // Arm gives numbers instead; the names that matter here are from Arm's MIDR list.
  const Record implementer = value_of(path, "CPU implementer"), part = value_of(path, "CPU part");
  if (implementer.is_null() || part.is_null()) return nullptr;
  const std::string id = implementer.get<std::string>() + " part " + part.get<std::string>();
  if (id == "0x41 part 0xd4f") return "Arm Neoverse V2";
  return "Arm implementer " + id;
}

Record last_level_cache(const fs::path& cpu) {
  Record bytes;
  long long highest = 0;
  for (const auto& [number, folder] : numbered_folders(cpu / "cache", "index")) {
    const long long level = number_in(first_line(folder / "level")).value_or(0);
    if (level <= highest) continue;
    highest = level;
    bytes = bytes_of(first_line(folder / "size"));
  }
  return bytes;
}

Record cpu_facts(const fs::path& root) {
  std::set<long long> sockets;
  std::set<std::pair<long long, long long>> cores;
  const auto cpus = numbered_folders(root / "sys/devices/system/cpu", "cpu");
  long long threads = 0;
  for (const auto& [number, folder] : cpus) {
    // A processor that is off line has no topology.
    const auto socket = number_in(first_line(folder / "topology/physical_package_id"));
    const auto core = number_in(first_line(folder / "topology/core_id"));
    if (!socket || !core) continue;
    ++threads;
    sockets.insert(*socket);
    cores.emplace(*socket, *core);
  }
  const bool known = threads > 0;
  return {{"model", cpu_model(root)},
          {"sockets", known ? Record(sockets.size()) : Record()},
          {"cores", known ? Record(cores.size()) : Record()},
          {"threads", known ? Record(threads) : Record()},
          {"allowed", value_of(root / "proc/self/status", "Cpus_allowed_list")},
          {"last_level_cache_bytes", cpus.empty() ? Record() : last_level_cache(cpus.begin()->second)}};
}

Record numa_nodes(const fs::path& root) {
  Record nodes = Record::array();
  for (const auto& [number, folder] : numbered_folders(root / "sys/devices/system/node", "node")) {
    const std::string key = fmt::format("Node {} MemTotal", number);
    nodes.push_back({{"node", number},
                     {"memory_bytes", bytes_of(value_of(folder / "meminfo", key))},
                     {"cpus", first_line(folder / "cpulist")}});
  }
  return nodes;
}

Record memory_facts(const fs::path& root) {
  const fs::path huge = root / "sys/kernel/mm/transparent_hugepage";
  return {{"bytes", bytes_of(value_of(root / "proc/meminfo", "MemTotal"))},
          {"huge_pages", {{"enabled", chosen(huge / "enabled")}, {"defrag", chosen(huge / "defrag")}}},
          {"numa_balancing", number_or_null(number_in(first_line(root / "proc/sys/kernel/numa_balancing")))},
          {"numa_nodes", numa_nodes(root)}};
}

}  // namespace

Record first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? Record(trimmed(line)) : Record();
}

Record host_facts(const fs::path& root) {
  return {{"hostname", first_line(root / "proc/sys/kernel/hostname")},
          {"os", value_of(root / "etc/os-release", "PRETTY_NAME", '=')},
          {"kernel", first_line(root / "proc/sys/kernel/osrelease")},
          {"cpu", cpu_facts(root)},
          {"memory", memory_facts(root)}};
}

}  // namespace memstencil
