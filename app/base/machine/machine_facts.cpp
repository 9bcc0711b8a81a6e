// Facts of the machine and of the program: one table with the name of each, and how it is found.
#include "app/base/machine/machine_facts.hpp"

#include "app/base/machine/nvml.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/results_file.hpp"
#include "memory_spaces/capabilities.hpp"
#include "version.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

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

/// The value of the first line "KEY<separator>VALUE".
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

/// Where facts are found. A machine without a GPU has one without a name.
struct Source {
  fs::path root;
  GpuFacts gpu = {};
  Nvml::Facts driver = {};

  Text line(const char* file) const { return first_line(root / file); }
  SystemReach reach() const {
    return system_reach(gpu.pageable_memory_access != 0, gpu.uses_host_page_tables != 0,
                        gpu.numa_id);
  }
};
using S = const Source&;

Text cpu_model(S s) {
  const fs::path path = s.root / "proc/cpuinfo";
  if (const Text model = value_of(path, "model name")) return model;
  // Arm gives numbers instead; the names that matter here are from Arm's MIDR list.
  const Text implementer = value_of(path, "CPU implementer"), part = value_of(path, "CPU part");
  if (!implementer || !part) return std::nullopt;
  const std::string id = *implementer + " part " + *part;
  if (id == "0x41 part 0xd4f") return "Arm Neoverse V2";
  return "Arm implementer " + id;
}

std::vector<std::pair<std::int64_t, std::int64_t>> cpus_on_line(S s) {
  std::vector<std::pair<std::int64_t, std::int64_t>> cpus;
  for (const auto& [number, folder] : numbered_folders(s.root / "sys/devices/system/cpu", "cpu")) {
    // A processor that is off line has no topology.
    const Count socket = number_in(first_line(folder / "topology/physical_package_id"));
    const Count core = number_in(first_line(folder / "topology/core_id"));
    if (socket && core) cpus.emplace_back(*socket, *core);
  }
  return cpus;
}

Count last_level_cache(S s) {
  const auto caches = numbered_folders(s.root / "sys/devices/system/cpu/cpu0/cache", "index");
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

std::optional<bool> init_on_alloc(S s) {
  std::istringstream arguments(first_line(s.root / "proc/cmdline").value_or(""));
  std::optional<bool> told;
  for (std::string argument; arguments >> argument;)
    if (argument.starts_with("init_on_alloc="))
      told = argument.substr(argument.find('=') + 1).find_first_of("1yYtT") == 0;
  if (told) return told;
  const Text release = first_line(s.root / "proc/sys/kernel/osrelease");
  const fs::path built = s.root / "boot" / ("config-" + release.value_or(""));
  if (!first_line(built)) return std::nullopt;
  return value_of(built, "CONFIG_INIT_ON_ALLOC_DEFAULT_ON", '=') == "y";
}

Record number_of_cores(S s) {
  const auto cpus = cpus_on_line(s);
  const std::set<std::pair<std::int64_t, std::int64_t>> cores(cpus.begin(), cpus.end());
  return cpus.empty() ? Record() : Record(cores.size());
}

Record number_of_threads(S s) {
  const auto cpus = cpus_on_line(s);
  return cpus.empty() ? Record() : Record(cpus.size());
}

Record allowed_cpus(S s) {
  const std::string at_start = s.root == "/" ? cpus_at_start() : "";
  if (!at_start.empty()) return at_start;
  return or_null(value_of(s.root / "proc/self/status", "Cpus_allowed_list"));
}

Record numa_nodes(S s) {
  Record nodes = Record::array();
  for (const auto& [number, path] : numbered_folders(s.root / "sys/devices/system/node", "node")) {
    const auto bytes = [&, &number = number, &path = path](const char* what) {
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

Record uvm_record(S s) {
  const auto parameters = uvm_parameters(s.root);
  return parameters.empty() ? Record("not readable") : Record(parameters);
}

// The table. A size is in bytes, as its name says.

struct Fact {
  const char* place;  ///< in the record
  Record (*find)(S);
};

const std::array host_table{
    Fact{"/hostname", [](S s) { return or_null(s.line("proc/sys/kernel/hostname")); }},
    Fact{"/kernel", [](S s) { return or_null(s.line("proc/sys/kernel/osrelease")); }},
    Fact{"/cpu/model", [](S s) { return or_null(cpu_model(s)); }},
    Fact{"/cpu/cores", number_of_cores},
    Fact{"/cpu/threads", number_of_threads},
    Fact{"/cpu/allowed", allowed_cpus},
    Fact{"/cpu/last_level_cache_bytes", [](S s) { return or_null(last_level_cache(s)); }},
    Fact{"/memory/bytes",
         [](S s) { return or_null(bytes_of(value_of(s.root / "proc/meminfo", "MemTotal"))); }},
    Fact{"/memory/huge_pages/enabled",
         [](S s) { return or_null(chosen(s.line("sys/kernel/mm/transparent_hugepage/enabled"))); }},
    Fact{"/memory/huge_pages/defrag",
         [](S s) { return or_null(chosen(s.line("sys/kernel/mm/transparent_hugepage/defrag"))); }},
    Fact{"/memory/numa_balancing",
         [](S s) { return or_null(number_in(s.line("proc/sys/kernel/numa_balancing"))); }},
    Fact{"/memory/init_on_alloc", [](S s) { return or_null(init_on_alloc(s)); }},
    Fact{"/memory/numa_nodes", numa_nodes},
    Fact{"/memory/page_bytes", [](S) { return Record(sysconf(_SC_PAGESIZE)); }},
    Fact{"/program/version", [](S) { return Record(build::version); }},
    Fact{"/program/git_revision", [](S) { return Record(build::git_revision); }},
    Fact{"/program/compiler", [](S) { return Record(build::compiler); }},
    Fact{"/program/build_type", [](S) { return Record(build::build_type); }},
    Fact{"/program/kokkos", [](S) { return Record(build::kokkos_version); }},
    Fact{"/program/gpu_backend", [](S) { return Record(gpu_backend()); }},
    Fact{"/program/mpi/library", [](S) { return Record(Communicator::library()); }},
    Fact{"/program/mpi/gpu_aware", [](S) { return Record(Communicator::gpu_aware()); }}};

const std::array gpu_table{
    Fact{"/name", [](S s) { return Record(s.gpu.name); }},
    Fact{"/driver", [](S s) { return Record(s.gpu.driver); }},
    Fact{"/runtime", [](S s) { return Record(s.gpu.runtime); }},
    Fact{"/memory_bytes", [](S s) { return Record(s.gpu.total_bytes); }},
    Fact{"/l2_bytes", [](S s) { return Record(s.gpu.l2_bytes); }},
    Fact{"/multiprocessors", [](S s) { return Record(s.gpu.multiprocessors); }},
    Fact{"/address_translation", [](S s) { return Record(s.gpu.address_translation); }},
    // Without a node the driver keeps the memory to itself (CDMM, or a GPU behind PCIe), and
    // system-allocated memory never migrates to it.
    Fact{"/numa_node", [](S s) { return s.gpu.numa_id < 0 ? Record() : Record(s.gpu.numa_id); }},
    Fact{"/system_memory", [](S s) { return Record(name(s.reach())); }},
    // By the name of the tool that shows the same; they are NVML's.
    Fact{"/nvidia_smi/power_limit_watts", [](S s) { return or_null(s.driver.power_limit_watts); }},
    Fact{"/nvidia_smi/max_sm_clock_mhz", [](S s) { return or_null(s.driver.max_sm_clock_mhz); }},
    Fact{"/nvidia_smi/max_memory_clock_mhz",
         [](S s) { return or_null(s.driver.max_memory_clock_mhz); }},
    Fact{"/nvidia_smi/addressing_mode", [](S s) { return or_null(s.driver.addressing_mode); }},
    Fact{"/nvidia_smi/refused", [](S s) { return or_null(s.driver.refused); }},
    Fact{"/nvidia_uvm", uvm_record},
    Fact{"/counters_migrate",
         [](S s) { return or_null(counters_migrate(s.reach(), uvm_parameters(s.root))); }}};

template <class Table>
Record found(const Table& table, S source) {
  Record record;
  for (const Fact& fact : table) record[Record::json_pointer(fact.place)] = fact.find(source);
  return record;
}

}  // namespace

void describe(Archive& a, MachineFacts& machine) {
  for (const auto& [name, value] : machine.record.items()) a(name, value);
  if (!a.for_csv() || machine.has_gpu()) return;
  Record columns;
  for (const Fact& fact : gpu_table) columns[Record::json_pointer(fact.place)] = nullptr;
  a("gpu", columns);
}

MachineFacts machine_facts() {
  const GpuFacts gpu = gpu_facts();
  MachineFacts machine = host_facts("/");
  if (!gpu.name.empty())
    machine.record["gpu"] = found(gpu_table, {"/", gpu, Nvml(gpu.uuid).facts()});
  return machine;
}

MachineFacts host_facts(const fs::path& root) {
  MachineFacts machine{found(host_table, {root})};
  machine.record["gpu"] = nullptr;  // none answers
  return machine;
}

std::string version_text(const std::string& program) {
  return fmt::format("{} {} (git {}), {}, {}, Kokkos {}, GPU backend {}, MPI {}, {}", program,
                     build::version, build::git_revision, build::compiler, build::build_type,
                     build::kokkos_version, gpu_backend(), Communicator::library(), hdf5_library());
}

std::string host_name() { return first_line("/proc/sys/kernel/hostname").value_or("?"); }

std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? std::optional(trimmed(line)) : std::nullopt;
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
