// Facts of the machine and of the program: the name of each, and how it is found.
#include "app/base/machine/machine_facts.hpp"

#include "app/base/machine/host_load.hpp"
#include "app/base/machine/nvml.hpp"
#include "app/base/machine/program_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

using Text = std::optional<std::string>;
using Count = std::optional<std::int64_t>;

std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r\n\"";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(blanks) - first + 1);
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
Text chosen(const Text& line) {
  const std::size_t open = line ? line->find('[') : 0,
                    close = line ? line->find(']') : std::string::npos;
  return close == std::string::npos ? line : line->substr(open + 1, close - open - 1);
}

/// The folders PREFIX0, PREFIX1, ... of the folder, by their numbers.
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

/// The socket and the core of each.
std::vector<std::pair<std::int64_t, std::int64_t>> cpus_on_line(const fs::path& root) {
  std::vector<std::pair<std::int64_t, std::int64_t>> cpus;
  for (const auto& [number, folder] : numbered_folders(root / "sys/devices/system/cpu", "cpu")) {
    // A processor that is off line has no topology.
    const Count socket = number_in(first_line(folder / "topology/physical_package_id"));
    const Count core = number_in(first_line(folder / "topology/core_id"));
    if (socket && core) cpus.emplace_back(*socket, *core);
  }
  return cpus;
}

/// "performance"; if CPUs differ, each governor once: "performance, powersave".
Text governor(const fs::path& root) {
  std::set<std::string> all;
  for (const auto& [number, folder] : numbered_folders(root / "sys/devices/system/cpu", "cpu"))
    if (const Text one = first_line(folder / "cpufreq/scaling_governor")) all.insert(*one);
  return all.empty() ? std::nullopt : Text(fmt::format("{}", fmt::join(all, ", ")));
}

/// May the clock exceed its nominal value?
std::optional<bool> boost(const fs::path& root) {
  const fs::path cpus = root / "sys/devices/system/cpu";
  if (const Count off = number_in(first_line(cpus / "intel_pstate/no_turbo"))) return *off == 0;
  if (const Count on = number_in(first_line(cpus / "cpufreq/boost"))) return *on != 0;
  return std::nullopt;
}

Count last_level_cache(const fs::path& root) {
  std::pair<Count, Count> last;  // its level and its size
  const fs::path caches = root / "sys/devices/system/cpu/cpu0/cache";
  for (const auto& [number, folder] : numbered_folders(caches, "index"))
    last = std::max(
        last, {number_in(first_line(folder / "level")), bytes_of(first_line(folder / "size"))});
  return last.second;
}

std::optional<bool> init_on_alloc(const fs::path& root) {
  static const std::regex on("init_on_alloc=([1yYtT]|[oO][nN]).*");  // as the kernel reads it
  std::istringstream arguments(first_line(root / "proc/cmdline").value_or(""));
  std::optional<bool> told;
  for (std::string argument; arguments >> argument;)
    if (argument.starts_with("init_on_alloc=")) told = std::regex_match(argument, on);
  if (told) return told;
  const Text release = first_line(root / "proc/sys/kernel/osrelease");
  const fs::path built = root / "boot" / ("config-" + release.value_or(""));
  if (!first_line(built)) return std::nullopt;
  return value_of(built, "CONFIG_INIT_ON_ALLOC_DEFAULT_ON", '=') == "y";
}

Record allowed_cpus(const fs::path& root) {
  const std::string at_start = root == "/" ? cpus_at_start() : "";
  if (!at_start.empty()) return at_start;
  return or_null(value_of(root / "proc/self/status", "Cpus_allowed_list"));
}

Record numa_nodes(const fs::path& root) {
  Record nodes = Record::array();
  for (const auto& [number, path] : numbered_folders(root / "sys/devices/system/node", "node")) {
    const auto bytes = [&](const char* what) {
      const std::string key = fmt::format("Node {} {}", number, what);
      return or_null(bytes_of(value_of(path / "meminfo", key)));
    };
    nodes.push_back({{"node", number},
                     {"memory_bytes", bytes("MemTotal")},
                     {"cpus", or_null(first_line(path / "cpulist"))},
                     {"page_cache_bytes", bytes("FilePages")}});
  }
  return nodes;
}

/// Seconds that the driver takes to say that a pointer is the host's: an MPI that takes device
/// pointers asks so of every message. The least of ten; null if it cannot be asked.
Record pointer_query_seconds() {
  const SharedLibrary driver("libcuda.so.1", "NVIDIA's driver");
  const auto ask = driver.find<int(void*, int, std::uintptr_t)>("cuPointerGetAttribute");
  if (ask == nullptr) return nullptr;
  const auto host = std::make_unique<char[]>(4096);
  double least = std::numeric_limits<double>::infinity();
  for (int n = 0; n < 10; ++n) {
    constexpr int memory_type = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
    unsigned type = 0;
    const auto begin = std::chrono::steady_clock::now();
    ask(&type, memory_type, reinterpret_cast<std::uintptr_t>(host.get()));
    least = std::min(
        least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

Record gpu_record(const GpuFacts& gpu, const Nvml::Facts& driver) {
  const SystemReach reach =
      system_reach(gpu.pageable_memory_access != 0, gpu.uses_host_page_tables != 0, gpu.numa_id);
  const auto uvm = uvm_parameters("/");
  return {{"name", gpu.name},
          {"driver", gpu.driver},
          {"runtime", gpu.runtime},
          {"memory_bytes", gpu.total_bytes},
          {"l2_bytes", gpu.l2_bytes},
          {"multiprocessors", gpu.multiprocessors},
          {"address_translation", gpu.address_translation},
          // Without a node the driver keeps the memory to itself (CDMM, or a GPU behind PCIe), and
          // system-allocated memory never migrates to it.
          {"numa_node", gpu.numa_id < 0 ? Record() : Record(gpu.numa_id)},
          {"coherent_memory_mode",
           or_null(value_of("/proc/driver/nvidia/params", "CoherentGPUMemoryMode"))},
          {"pointer_query_seconds", gpu.name.empty() ? Record() : pointer_query_seconds()},
          {"system_memory", name(reach)},
          // By the name of the tool that shows the same; they are NVML's.
          {"nvidia_smi",
           {{"power_limit_watts", or_null(driver.power_limit_watts)},
            {"max_sm_clock_mhz", or_null(driver.max_sm_clock_mhz)},
            {"max_memory_clock_mhz", or_null(driver.max_memory_clock_mhz)},
            {"addressing_mode", or_null(driver.addressing_mode)},
            {"ecc", or_null(driver.ecc)},
            {"refused", or_null(driver.refused)}}},
          {"nvidia_uvm", uvm.empty() ? Record("not readable") : Record(uvm)},
          {"counters_migrate", or_null(counters_migrate(reach, uvm))}};
}

}  // namespace

MachineFacts machine_facts() {
  const GpuFacts gpu = gpu_facts();
  MachineFacts machine = host_facts("/");
  if (!gpu.name.empty()) machine.record["gpu"] = gpu_record(gpu, Nvml(gpu.uuid).facts());
  return machine;
}

MachineFacts host_facts(const fs::path& root) {
  const auto line = [&](const char* file) { return first_line(root / file); };
  const auto cpus = cpus_on_line(root);
  const std::set cores(cpus.begin(), cpus.end());
  const auto unless_none = [&](std::size_t n) { return cpus.empty() ? Record() : Record(n); };
  const fs::path huge_pages = root / "sys/kernel/mm/transparent_hugepage";
  return {{{"hostname", or_null(line("proc/sys/kernel/hostname"))},
           {"kernel", or_null(line("proc/sys/kernel/osrelease"))},
           {"cpu",
            {{"model", or_null(cpu_model(root))},
             {"cores", unless_none(cores.size())},
             {"threads", unless_none(cpus.size())},
             {"allowed", allowed_cpus(root)},
             {"quota_cpus", or_null(cpu_quota(root))},
             {"governor", or_null(governor(root))},
             {"boost", or_null(boost(root))},
             {"last_level_cache_bytes", or_null(last_level_cache(root))}}},
           {"memory",
            {{"bytes", or_null(bytes_of(value_of(root / "proc/meminfo", "MemTotal")))},
             {"huge_pages",
              {{"enabled", or_null(chosen(first_line(huge_pages / "enabled")))},
               {"defrag", or_null(chosen(first_line(huge_pages / "defrag")))}}},
             {"numa_balancing", or_null(number_in(line("proc/sys/kernel/numa_balancing")))},
             {"init_on_alloc", or_null(init_on_alloc(root))},
             {"numa_nodes", numa_nodes(root)},
             {"page_bytes", sysconf(_SC_PAGESIZE)}}},
           {"program", program_record()},
           {"gpu", nullptr}}};  // none answers
}

std::string host_name() { return first_line("/proc/sys/kernel/hostname").value_or("?"); }

std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? std::optional(trimmed(line)) : std::nullopt;
}

Text value_of(const fs::path& path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t mark = line.find(separator);
    if (mark != std::string::npos && trimmed(line.substr(0, mark)) == key)
      return trimmed(line.substr(mark + 1));
  }
  return std::nullopt;
}

std::map<std::string, std::string> uvm_parameters(const fs::path& root) {
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

std::optional<bool> counters_migrate(SystemReach reach,
                                     const std::map<std::string, std::string>& uvm_parameters) {
  if (reach != SystemReach::Ats) return false;
  // Newer drivers have one parameter, older ones one for the accesses of each side.
  for (const char* name : {"uvm_perf_access_counter_migration_enable",
                           "uvm_perf_access_counter_mimc_migration_enable"}) {
    const auto found = uvm_parameters.find(name);
    if (found == uvm_parameters.end()) continue;
    const std::string& value = found->second;
    if (value == "0") return false;
    // -1 is the driver's default, which is on under ATS.
    if (!value.empty() && value.find_first_not_of("-0123456789") == std::string::npos) return true;
  }
  return std::nullopt;
}

}  // namespace memstencil
