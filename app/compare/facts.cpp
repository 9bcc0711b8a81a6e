// Settings in which the sides, or the runs of one side, differ: each may be a reason.
#include "app/compare/facts.hpp"

#include "app/compare/tree.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace memstencil::compare {

namespace {

/// A setting, and the part of the machine that it belongs to: of two kinds of it, it is compared
/// only where they are equal.
struct Setting {
  const char* name;
  const char* path;
  const char* of = nullptr;
};
constexpr std::array settings{
    Setting{"host threads", "execution.host_threads", "machine.cpu.model"},
    Setting{"allowed CPUs", "machine.cpu.allowed", "machine.cpu.model"},
    Setting{"page size (bytes)", "machine.memory.page_bytes"},
    Setting{"transparent huge pages", "machine.memory.huge_pages.enabled"},
    Setting{"huge page defragmentation", "machine.memory.huge_pages.defrag"},
    Setting{"AutoNUMA", "machine.memory.numa_balancing"},
    Setting{"init_on_alloc", "machine.memory.init_on_alloc"},
    Setting{"driver", "machine.gpu.driver"},
    Setting{"CUDA runtime", "machine.gpu.runtime"},
    Setting{"address translation", "machine.gpu.address_translation"},
    Setting{"reach of system memory", "machine.gpu.system_memory"},
    Setting{"addressing mode", "machine.gpu.nvidia_smi.addressing_mode"},
    Setting{"largest SM clock (MHz)", "machine.gpu.nvidia_smi.max_sm_clock_mhz",
            "machine.gpu.name"},
    Setting{"largest memory clock (MHz)", "machine.gpu.nvidia_smi.max_memory_clock_mhz",
            "machine.gpu.name"},
    Setting{"power limit (W)", "machine.gpu.nvidia_smi.power_limit_watts", "machine.gpu.name"},
    Setting{"access counter migration",
            "machine.gpu.nvidia_uvm.uvm_perf_access_counter_migration_enable"},
    Setting{"access counters move pages", "machine.gpu.counters_migrate"},
    Setting{"access counter threshold", "machine.gpu.nvidia_uvm.uvm_perf_access_counter_threshold"},
    Setting{"git revision", "machine.program.git_revision"},
    Setting{"compiler", "machine.program.compiler"},
    Setting{"build type", "machine.program.build_type"},
    Setting{"Kokkos", "machine.program.kokkos"},
    Setting{"MPI", "machine.program.mpi.library"},
    Setting{"kernel", "machine.kernel"}};

/// The different values of the side's runs, without what a result does not tell.
template <class Value>
std::vector<std::string> distinct(const Side& side, Value value) {
  std::vector<std::string> values;
  for (const Run* run : side.runs)
    if (const std::string one = value(run->record);
        !one.empty() && std::find(values.begin(), values.end(), one) == values.end())
      values.push_back(one);
  return values;
}

template <class Value>
void add(const std::vector<Side>& sides, const std::string& name, Value value,
         std::vector<Fact>& facts) {
  Fact fact{name, {}};
  std::set<std::vector<std::string>> different;
  bool by_run = false;
  for (const Side& side : sides) {
    fact.values.push_back(distinct(side, value));
    if (fact.values.back().empty()) continue;
    different.insert(fact.values.back());
    by_run = by_run || fact.values.back().size() > 1;
  }
  if (different.size() > 1 || by_run) facts.push_back(std::move(fact));
}

bool same_part(const std::vector<Side>& sides, const char* of) {
  std::set<std::string> parts;
  for (const Side& side : sides)
    if (of != nullptr) parts.insert(text_or(side.runs.front()->record, of));
  return parts.size() < 2;
}

/// Variables of the environment that any run had.
std::set<std::string> variables(const std::vector<Side>& sides) {
  std::set<std::string> names;
  for (const Side& side : sides)
    for (const Run* run : side.runs)
      if (const Record* all = find(run->record, "provenance.environment"); all != nullptr)
        for (const auto& [name, value] : all->items()) names.insert(name);
  return names;
}

}  // namespace

std::vector<Fact> differing_facts(const std::vector<Side>& sides) {
  std::vector<Fact> facts;
  for (const Setting& setting : settings)
    if (same_part(sides, setting.of))
      add(
          sides, setting.name, [&](const Record& record) { return text_or(record, setting.path); },
          facts);
  for (const std::string& variable : variables(sides))
    add(
        sides, variable,
        [&](const Record& record) -> std::string {
          const Record* all = find(record, "provenance.environment");
          if (all == nullptr) return "";
          const auto found = all->find(variable);
          return found == all->end() ? "not set" : plain_text(*found);
        },
        facts);
  return facts;
}

}  // namespace memstencil::compare
