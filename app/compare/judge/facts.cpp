// Settings in which the sides' runs differ: builds, variables and machines.
#include "app/compare/judge/judge.hpp"

#include "app/base/machine/host_load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <vector>

namespace memstencil::compare {

namespace {

/// "none" if there was no quota; empty if that is not recorded.
std::string quota_in_words(const Record& run) {
  const Record* cpu = find(run, "machine.cpu");
  if (cpu == nullptr || !cpu->contains("quota_cpus")) return "";
  return text_or(run, "machine.cpu.quota_cpus", "none");
}

/// The host's other load, if it makes figures low; "little" otherwise.
std::string load_in_words(const Record& run) {
  if (find(run, "provenance.load") == nullptr) return "";
  const auto number = [&](const char* when, const char* what) {
    return number_or(run, fmt::format("provenance.load.{}.{}", when, what), 0);
  };
  const double held = number("after", "throttled_seconds") - number("before", "throttled_seconds");
  if (held > much_throttling) return fmt::format("held back {:.1f} s by the quota", held);
  const double pressure = number("before", "cpu_pressure_percent");
  if (pressure < much_pressure) return "little";
  return fmt::format("load average {:.1f}, tasks waited {:.0f} %", number("before", "load_average"),
                     pressure);
}

/// A setting, and the part of the machine that it belongs to, or null. It is compared only if all
/// sides have the same part.
struct Setting {
  const char* name;
  const char* path;
  const char* of = nullptr;
  std::string (*in_words)(const Record& run) = nullptr;  ///< in the path's place
  const char* missing = "";  ///< said of a record without it; empty: then it is not compared
};
constexpr const char* not_given = "not given";
constexpr const char* the_gpu = "machine.gpu.name";
constexpr const char* the_cpu = "machine.cpu.model";
constexpr Setting recorded(const char* name, const char* path, const char* of = nullptr) {
  return {name, path, of, nullptr, "not recorded"};
}
/// Builds come first: they change figures most, and are seen least.
constexpr std::array settings{
    recorded("compiler's flags", "machine.program.cxx_flags"),
    recorded("flags for CUDA", "machine.program.cuda_flags"),
    recorded("architecture", "machine.program.architecture"),
    recorded("build type", "machine.program.build_type"),
    recorded("optimised", "machine.program.optimised"),
    recorded("git revision", "machine.program.git_revision"),
    recorded("compiler", "machine.program.compiler"),
    recorded("Kokkos", "machine.program.kokkos"),
    recorded("MPI", "machine.program.mpi.library"),
    recorded("C library", "machine.program.c_library"),
    Setting{"GPU", the_gpu},
    Setting{"processor", the_cpu},
    Setting{"ranks share CPUs", "provenance.ranks_share_cpus"},
    Setting{"MPI reaches GPU memory", "machine.program.mpi.gpu_aware"},
    Setting{"host", "machine.hostname", the_gpu},
    Setting{"driver", "machine.gpu.driver"},
    Setting{"largest SM clock (MHz)", "machine.gpu.nvidia_smi.max_sm_clock_mhz", the_gpu},
    Setting{"largest memory clock (MHz)", "machine.gpu.nvidia_smi.max_memory_clock_mhz", the_gpu},
    Setting{"power limit (W)", "machine.gpu.nvidia_smi.power_limit_watts", the_gpu},
    Setting{"ECC", "machine.gpu.nvidia_smi.ecc", the_gpu},
    Setting{"load of the host", "", nullptr, load_in_words},
    Setting{"CPU quota (CPUs)", "", nullptr, quota_in_words},
    recorded("governor", "machine.cpu.governor", the_cpu),
    recorded("boost", "machine.cpu.boost", the_cpu),
    recorded("memory policy", "provenance.memory_policy.mode"),
    recorded("nodes of the memory policy", "provenance.memory_policy.nodes"),
    recorded("scheduling class", "provenance.scheduling.class"),
    recorded("nice", "provenance.scheduling.nice"),
    Setting{"host threads", "execution.host_threads", the_cpu},
    Setting{"allowed CPUs", "machine.cpu.allowed", the_cpu},
    Setting{"page size (bytes)", "machine.memory.page_bytes"},
    Setting{"transparent huge pages", "machine.memory.huge_pages.enabled"},
    Setting{"huge page defragmentation", "machine.memory.huge_pages.defrag"},
    Setting{"AutoNUMA", "machine.memory.numa_balancing"},
    Setting{"init_on_alloc", "machine.memory.init_on_alloc"},
    Setting{"CUDA runtime", "machine.gpu.runtime"},
    Setting{"address translation", "machine.gpu.address_translation"},
    Setting{"reach of system memory", "machine.gpu.system_memory"},
    Setting{"coherent memory mode", "machine.gpu.coherent_memory_mode"},
    Setting{"addressing mode", "machine.gpu.nvidia_smi.addressing_mode"},
    Setting{"access counter migration",
            "machine.gpu.nvidia_uvm.uvm_perf_access_counter_migration_enable"},
    Setting{"access counters move pages", "machine.gpu.counters_migrate"},
    Setting{"access counter threshold", "machine.gpu.nvidia_uvm.uvm_perf_access_counter_threshold"},
    Setting{"kernel", "machine.kernel"},
    Setting{"--numa", "options.numa"},
    Setting{"--gpu", "options.gpu"}};

/// A revision that says nothing of the sources is never the same as another one.
bool says_nothing(const std::string& value) {
  return value.ends_with("unknown") || value.ends_with("-dirty");
}

/// What may be a reason for other figures in a run: settings and environment variables. Empty: not
/// known.
struct Facts {
  std::string side;
  std::map<std::string, std::string> values = {};
};

std::vector<Facts> facts_of(const std::vector<Side>& sides) {
  std::vector<Facts> all;
  for (const Side& side : sides)
    for (const Run* run : side.runs) {
      auto& values = all.emplace_back(Facts{side.name}).values;
      if (const Record* given = find(run->record, "provenance.environment"); given != nullptr)
        for (const auto& [name, value] : given->items())
          values[name] = value.is_null() || value == "" ? not_given : plain_text(value);
      for (const Setting& setting : settings)
        values[setting.name] = setting.in_words != nullptr
                                   ? setting.in_words(run->record)
                                   : text_or(run->record, setting.path, setting.missing);
    }
  return all;
}

bool of_one_part(const std::vector<Side>& sides, const char* of) {
  std::set<std::string> parts;
  if (of != nullptr)
    for (const Side& side : sides) parts.merge(side.values(of));
  return parts.size() < 2;
}

/// "a or b"; brief, of more values than three the others are counted, and long ones are cut.
std::string alternatives(const std::set<std::string>& values, bool brief) {
  constexpr std::size_t most = 3, longest = 80;
  const std::size_t shown = brief && values.size() > most ? 2 : values.size();
  std::string text = fmt::format("{}", fmt::join(values | std::views::take(shown), " or "));
  if (brief && text.size() > longest) text = text.substr(0, longest) + "...";
  return shown < values.size() ? fmt::format("{} and {} more", text, values.size() - shown) : text;
}

}  // namespace

Record fact_rows(const std::vector<Side>& sides, bool brief) {
  const std::vector<Facts> runs = facts_of(sides);
  std::set<std::string> others;  // variables
  for (const Facts& facts : runs)
    for (const auto& [name, value] : facts.values) others.insert(name);
  std::vector<std::string> names;
  for (const Setting& setting : settings)
    if (others.erase(setting.name) > 0 && of_one_part(sides, setting.of))
      names.emplace_back(setting.name);
  names.insert(names.end(), others.begin(), others.end());
  Record rows = Record::array();
  for (const std::string& name : names) {
    std::set<std::string> of_all;
    std::map<std::string, std::set<std::string>> of_side;
    for (const Facts& facts : runs) {
      const auto found = facts.values.find(name);
      const std::string value = found == facts.values.end() ? not_given : found->second;
      if (value.empty()) continue;
      of_all.insert(value);
      of_side[facts.side].insert(value);
    }
    if (of_all.size() < 2 && std::ranges::none_of(of_all, says_nothing)) continue;
    Record values = Record::object();
    for (const Side& side : sides) values[side.name] = alternatives(of_side[side.name], brief);
    rows.push_back({{"fact", name}, {"values", values}});
  }
  return rows;
}

std::vector<std::string> sentences_of(const Record& facts) {
  std::vector<std::string> all;
  for (const Record& fact : facts) {
    std::vector<std::string> values;
    for (const auto& [side, value] : fact.at("values").items())
      if (const auto text = value.get<std::string>(); !text.empty())
        values.push_back(side + " " + text);
    all.push_back(fmt::format("{}: {}", text(fact, "fact"), fmt::join(values, "; ")));
  }
  return all;
}

}  // namespace memstencil::compare
