// Settings in which the sides, or the runs of one side, differ: each may be a reason.
#include "app/compare/answer.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
constexpr std::array settings_compared{
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

/// Adds a row where the values that are known differ, between sides or between runs of one.
template <class Value>
void add_fact(const std::vector<Side>& sides, const std::string& name, Value value, Record& rows) {
  Record values = Record::object();
  std::set<std::vector<std::string>> different;
  bool by_run = false;
  for (const Side& side : sides) {
    std::vector<std::string> own;
    for (const Run* run : side.runs)
      if (const std::string one = value(run->record);
          !one.empty() && std::find(own.begin(), own.end(), one) == own.end())
        own.push_back(one);
    values[side.name] = fmt::format("{}", fmt::join(own, "; "));
    if (!own.empty()) different.insert(own);
    by_run = by_run || own.size() > 1;
  }
  if (different.size() > 1 || by_run) rows.push_back({{"fact", name}, {"values", values}});
}

bool same_part(const std::vector<Side>& sides, const char* of) {
  std::set<std::string> parts;
  for (const Side& side : sides)
    if (of != nullptr) parts.insert(text_or(side.runs.front()->record, of));
  return parts.size() < 2;
}

}  // namespace

Record fact_rows(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (const Setting& setting : settings_compared)
    if (same_part(sides, setting.of))
      add_fact(
          sides, setting.name, [&](const Record& run) { return text_or(run, setting.path); }, rows);
  std::set<std::string> variables;
  for (const Side& side : sides)
    for (const Run* run : side.runs)
      if (const Record* all = find(run->record, "provenance.environment"); all != nullptr)
        for (const auto& [variable, value] : all->items()) variables.insert(variable);
  for (const std::string& variable : variables)
    add_fact(
        sides, variable,
        [&](const Record& run) -> std::string {
          const Record* all = find(run, "provenance.environment");
          if (all == nullptr) return "";
          const auto found = all->find(variable);
          return found == all->end() ? "not set" : plain_text(*found);
        },
        rows);
  return rows;
}

}  // namespace memstencil::compare
