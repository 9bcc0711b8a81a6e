// Facts of the machine and of the program: one table for what is found, written, read and shown.
#include "app/base/machine/machine_facts.hpp"

#include "app/base/machine/cpus_at_start.hpp"
#include "app/base/machine/host_facts.hpp"
#include "app/base/ranks/communicator.hpp"
#include "memory_spaces/capabilities.hpp"
#include "version.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <set>

namespace memstencil {

namespace {

using namespace linux_files;
using Facts = MachineFacts;

/// Where facts are found. A machine without a GPU has one without a name.
struct Source {
  Path root;
  GpuFacts gpu;

  SystemReach reach() const {
    return system_reach(gpu.pageable_memory_access != 0, gpu.uses_host_page_tables != 0,
                        gpu.numa_id);
  }
};
struct NodeFolder {
  int number;
  Path path;

  Count bytes(const char* what) const {
    return bytes_of(value_of(path / "meminfo", fmt::format("Node {} {}", number, what)));
  }
};
using S = const Source&;

template <class Part, class From>
Part found(const From& source);

Count cores(S s) {
  const auto cpus = cpus_on_line(s.root);
  const std::set<std::pair<std::int64_t, std::int64_t>> cores(cpus.begin(), cpus.end());
  return cpus.empty() ? Count() : cores.size();
}

Count threads(S s) {
  const auto cpus = cpus_on_line(s.root);
  return cpus.empty() ? Count() : cpus.size();
}

Text allowed_cpus(S s) {
  const std::string at_start = s.root == "/" ? cpus_at_start() : "";
  if (!at_start.empty()) return at_start;
  return value_of(s.root / "proc/self/status", "Cpus_allowed_list");
}

std::vector<Facts::NumaNode> numa_nodes(S s) {
  std::vector<Facts::NumaNode> nodes;
  for (const auto& [number, path] : numbered_folders(s.root / "sys/devices/system/node", "node"))
    nodes.push_back(found<Facts::NumaNode>(NodeFolder{number, path}));
  return nodes;
}

Record uvm_record(S s) {
  const auto parameters = uvm_parameters(s.root);
  return parameters.empty() ? Record("not readable") : Record(parameters);
}

// The table: what each fact is called in the record; its title and unit for a reader, where it
// explains differences of results; its member; and how it is found.

template <class Visit>
void each(Facts::Cpu& cpu, const Visit& visit) {
  visit("model", "", cpu.model, [](S s) { return cpu_model(s.root); });
  visit("cores", "", cpu.cores, cores);
  visit("threads", "", cpu.threads, threads);
  visit("allowed", "allowed CPUs", cpu.allowed, allowed_cpus);
  visit("last_level_cache_bytes", "", cpu.last_level_cache_bytes,
        [](S s) { return last_level_cache(s.root); });
}

template <class Visit>
void each(Facts::HugePages& pages, const Visit& visit) {
  const char* const folder = "sys/kernel/mm/transparent_hugepage";
  visit("enabled", "transparent huge pages", pages.enabled,
        [=](S s) { return chosen(s.root / folder / "enabled"); });
  visit("defrag", "huge page defragmentation", pages.defrag,
        [=](S s) { return chosen(s.root / folder / "defrag"); });
}

template <class Visit>
void each(Facts::NumaNode& node, const Visit& visit) {
  using Folder = const NodeFolder&;
  visit("node", "", node.node, [](Folder f) { return f.number; });
  visit("memory_bytes", "", node.memory_bytes, [](Folder f) { return f.bytes("MemTotal"); });
  visit("cpus", "", node.cpus, [](Folder f) { return first_line(f.path / "cpulist"); });
  visit("page_cache_bytes", "", node.page_cache_bytes,
        [](Folder f) { return f.bytes("FilePages"); });
}

template <class Visit>
void each(Facts::Memory& memory, const Visit& visit) {
  visit("bytes", "", memory.bytes,
        [](S s) { return bytes_of(value_of(s.root / "proc/meminfo", "MemTotal")); });
  visit("huge_pages", "", memory.huge_pages, found<Facts::HugePages, Source>);
  visit("numa_balancing", "AutoNUMA", memory.numa_balancing,
        [](S s) { return number_in(first_line(s.root / "proc/sys/kernel/numa_balancing")); });
  visit("init_on_alloc", "init_on_alloc", memory.init_on_alloc,
        [](S s) { return init_on_alloc(s.root); });
  visit("numa_nodes", "", memory.numa_nodes, numa_nodes);
  visit("page_bytes", "page size (bytes)", memory.page_bytes,
        [](S) { return sysconf(_SC_PAGESIZE); });
}

template <class Visit>
void each(Facts::Mpi& mpi, const Visit& visit) {
  visit("library", "MPI", mpi.library, [](S) { return Communicator::library(); });
  visit("gpu_aware", "MPI takes device pointers", mpi.gpu_aware,
        [](S) { return Communicator::gpu_aware(); });
}

template <class Visit>
void each(Facts::Program& program, const Visit& visit) {
  visit("version", "", program.version, [](S) { return build::version; });
  visit("git_revision", "git revision", program.git_revision,
        [](S) { return build::git_revision; });
  visit("compiler", "compiler", program.compiler, [](S) { return build::compiler; });
  visit("build_type", "build type", program.build_type, [](S) { return build::build_type; });
  visit("kokkos", "Kokkos", program.kokkos, [](S) { return build::kokkos_version; });
  visit("gpu_backend", "", program.gpu_backend, [](S) { return gpu_backend(); });
  visit("mpi", "", program.mpi, found<Facts::Mpi, Source>);
}

template <class Visit>
void each(Nvml::Facts& driver, const Visit& visit) {
  visit("power_limit_watts", "power limit (W)", driver.power_limit_watts, nullptr);
  visit("max_sm_clock_mhz", "largest SM clock (MHz)", driver.max_sm_clock_mhz, nullptr);
  visit("max_memory_clock_mhz", "largest memory clock (MHz)", driver.max_memory_clock_mhz, nullptr);
  visit("addressing_mode", "addressing mode", driver.addressing_mode, nullptr);
}

template <class Visit>
void each(Facts::Gpu& gpu, const Visit& visit) {
  visit("name", "", gpu.name, [](S s) { return s.gpu.name; });
  visit("count", "", gpu.count, [](S s) { return s.gpu.count; });
  visit("index", "", gpu.index, [](S s) { return s.gpu.index; });
  visit("driver", "driver", gpu.driver, [](S s) { return s.gpu.driver; });
  visit("runtime", "CUDA runtime", gpu.runtime, [](S s) { return s.gpu.runtime; });
  visit("memory_bytes", "", gpu.memory_bytes, [](S s) { return s.gpu.total_bytes; });
  visit("l2_bytes", "", gpu.l2_bytes, [](S s) { return s.gpu.l2_bytes; });
  visit("multiprocessors", "", gpu.multiprocessors, [](S s) { return s.gpu.multiprocessors; });
  visit("address_translation", "address translation", gpu.address_translation,
        [](S s) { return s.gpu.address_translation; });
  visit("pageable_memory_access", "", gpu.pageable_memory_access,
        [](S s) { return s.gpu.pageable_memory_access != 0; });
  visit("uses_host_page_tables", "", gpu.uses_host_page_tables,
        [](S s) { return s.gpu.uses_host_page_tables != 0; });
  visit("direct_managed_access_from_host", "", gpu.direct_managed_access_from_host,
        [](S s) { return s.gpu.direct_managed_access_from_host != 0; });
  visit("numa_node", "", gpu.numa_node,
        [](S s) { return s.gpu.numa_id < 0 ? Count() : s.gpu.numa_id; });
  visit("system_memory", "reach of system memory", gpu.system_memory,
        [](S s) { return std::string(name(s.reach())); });
  visit("nvidia_smi", "", gpu.nvidia_smi, [](S s) { return Nvml(s.gpu.uuid).facts(); });
  visit("nvidia_uvm", "", gpu.nvidia_uvm, uvm_record);
  visit("counters_migrate", "access counters move pages", gpu.counters_migrate,
        [](S s) { return counters_migrate(s.reach(), uvm_parameters(s.root)); });
}

template <class Visit>
void each(Facts& machine, const Visit& visit) {
  visit("hostname", "", machine.hostname,
        [](S s) { return first_line(s.root / "proc/sys/kernel/hostname"); });
  visit("kernel", "kernel", machine.kernel,
        [](S s) { return first_line(s.root / "proc/sys/kernel/osrelease"); });
  visit("cpu", "", machine.cpu, found<Facts::Cpu, Source>);
  visit("memory", "", machine.memory, found<Facts::Memory, Source>);
  visit("program", "", machine.program, found<Facts::Program, Source>);
  visit("gpu", "", machine.gpu, [](S s) {
    return s.gpu.name.empty() ? std::optional<Facts::Gpu>() : found<Facts::Gpu>(s);
  });
}

// What is done with it: facts are found, described, and shown.

template <class From>
struct Finding {
  const From& source;
  template <class Member, class Find>
  void operator()(const char*, const char*, Member& member, const Find& find) const {
    if constexpr (!std::is_same_v<Find, std::nullptr_t>) member = find(source);
  }
};

template <class Part, class From>
Part found(const From& source) {
  Part part;
  each(part, Finding<From>{source});
  return part;
}

/// A fact that a record lacks is one that nobody could tell.
struct Describing {
  Archive& a;
  template <class Member, class Find>
  void operator()(const char* name, const char*, Member& member, const Find&) const {
    a.defaulted(name, member);
  }
};

std::string text(const Text& fact) { return fact.value_or(""); }
std::string text(const Facts::Flag& fact) { return fact ? fmt::format("{}", *fact) : ""; }
std::string text(const Count& fact) { return fact ? fmt::format("{}", *fact) : ""; }
std::string text(const Facts::Number& fact) { return fact ? fmt::format("{}", *fact) : ""; }

struct Titling {
  std::vector<std::pair<std::string, std::string>>& out;
  template <class Member, class Find>
  void operator()(const char*, const char* title, Member& member, const Find&) const {
    if constexpr (requires { each(member, *this); }) {
      each(member, *this);
    } else if constexpr (requires { each(*member, *this); }) {
      typename Member::value_type unknown;  // has the same titles
      each(member ? *member : unknown, *this);
    } else if constexpr (std::is_same_v<Member, Record>) {
      if (member.is_object())
        for (const auto& [name, value] : member.items()) out.emplace_back(name, plain_text(value));
    } else if constexpr (requires { text(member); }) {
      if (*title != '\0') out.emplace_back(title, text(member));
    }
  }
};

}  // namespace

void describe(Archive& a, MachineFacts::Cpu& cpu) { each(cpu, Describing{a}); }
void describe(Archive& a, MachineFacts::HugePages& pages) { each(pages, Describing{a}); }
void describe(Archive& a, MachineFacts::NumaNode& node) { each(node, Describing{a}); }
void describe(Archive& a, MachineFacts::Memory& memory) { each(memory, Describing{a}); }
void describe(Archive& a, MachineFacts::Mpi& mpi) { each(mpi, Describing{a}); }
void describe(Archive& a, MachineFacts::Program& program) { each(program, Describing{a}); }
void describe(Archive& a, Nvml::Facts& driver) {
  each(driver, Describing{a});
  a.optional("refused", driver.refused);
}
void describe(Archive& a, MachineFacts::Gpu& gpu) { each(gpu, Describing{a}); }
void describe(Archive& a, MachineFacts& machine) { each(machine, Describing{a}); }

MachineFacts machine_facts() { return found<MachineFacts>(Source{"/", gpu_facts()}); }
MachineFacts host_facts(const Path& root) { return found<MachineFacts>(Source{root, {}}); }

std::vector<std::pair<std::string, std::string>> titled_facts(const MachineFacts& machine) {
  std::vector<std::pair<std::string, std::string>> facts;
  MachineFacts copy = machine;
  each(copy, Titling{facts});
  return facts;
}

std::string machine_title(const MachineFacts& machine) {
  const std::string cpu = machine.cpu.model.value_or("");
  return machine.gpu ? machine.gpu->name + ", " + cpu : cpu;
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
