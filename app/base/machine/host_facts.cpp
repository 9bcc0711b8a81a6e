// Facts that Linux tells in files: of the processors, of the memory, of nvidia_uvm.
#include "app/base/machine/host_facts.hpp"

#include <fstream>
#include <sstream>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r\n\"";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

std::string host_name() { return first_line("/proc/sys/kernel/hostname").value_or("?"); }

std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? std::optional(trimmed(line)) : std::nullopt;
}

namespace linux_files {

Text value_of(const Path& path, const std::string& key, char separator) {
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

Count bytes_of(const Text& text) {
  const Count number = number_in(text);
  if (!number) return std::nullopt;
  if (text->find('M') != std::string::npos) return *number << 20;
  return text->find_first_of("kK") != std::string::npos ? *number << 10 : *number;
}

Text chosen(const Path& path) {
  const Text line = first_line(path);
  const std::size_t open = line ? line->find('[') : 0,
                    close = line ? line->find(']') : std::string::npos;
  return close == std::string::npos ? line : line->substr(open + 1, close - open - 1);
}

std::map<int, Path> numbered_folders(const Path& folder, const std::string& prefix) {
  std::map<int, Path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    const std::string digits = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos)
      found[std::stoi(digits)] = entry.path();
  }
  return found;
}

Text cpu_model(const Path& root) {
  const Path path = root / "proc/cpuinfo";
  if (const Text model = value_of(path, "model name")) return model;
  // Arm gives numbers instead; the names that matter here are from Arm's MIDR list.
  const Text implementer = value_of(path, "CPU implementer"), part = value_of(path, "CPU part");
  if (!implementer || !part) return std::nullopt;
  const std::string id = *implementer + " part " + *part;
  if (id == "0x41 part 0xd4f") return "Arm Neoverse V2";
  return "Arm implementer " + id;
}

std::vector<std::pair<std::int64_t, std::int64_t>> cpus_on_line(const Path& root) {
  std::vector<std::pair<std::int64_t, std::int64_t>> cpus;
  for (const auto& [number, folder] : numbered_folders(root / "sys/devices/system/cpu", "cpu")) {
    // A processor that is off line has no topology.
    const Count socket = number_in(first_line(folder / "topology/physical_package_id"));
    const Count core = number_in(first_line(folder / "topology/core_id"));
    if (socket && core) cpus.emplace_back(*socket, *core);
  }
  return cpus;
}

Count last_level_cache(const Path& root) {
  const auto caches = numbered_folders(root / "sys/devices/system/cpu/cpu0/cache", "index");
  Count bytes;
  std::int64_t highest = 0;
  for (const auto& [number, folder] : caches) {
    const std::int64_t level = number_in(first_line(folder / "level")).value_or(0);
    if (level <= highest) continue;
    highest = level;
    bytes = bytes_of(first_line(folder / "size"));
  }
  return bytes;
}

std::optional<bool> init_on_alloc(const Path& root) {
  std::istringstream arguments(first_line(root / "proc/cmdline").value_or(""));
  std::optional<bool> told;
  for (std::string argument; arguments >> argument;)
    if (argument.starts_with("init_on_alloc="))
      told = argument.substr(argument.find('=') + 1).find_first_of("1yYtT") == 0;
  if (told) return told;
  const Text release = first_line(root / "proc/sys/kernel/osrelease");
  const Path built = root / "boot" / ("config-" + release.value_or(""));
  if (!first_line(built)) return std::nullopt;
  return value_of(built, "CONFIG_INIT_ON_ALLOC_DEFAULT_ON", '=') == "y";
}

std::map<std::string, std::string> uvm_parameters(const Path& root) {
  std::map<std::string, std::string> parameters;
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator(root / "sys/module/nvidia_uvm/parameters", none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("uvm_perf_access_counter_") || name == "uvm_ats_mode" ||
        name == "uvm_disable_hmm")
      parameters[name] = first_line(entry.path()).value_or("not readable");
  }
  return parameters;
}

}  // namespace linux_files

}  // namespace memstencil
