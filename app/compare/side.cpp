// A side of the comparison: the runs of one machine, or of one file where all are of one machine.
#include "app/compare/side.hpp"

#include "app/common/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <filesystem>
#include <map>
#include <utility>

namespace memstencil::compare {

namespace {

std::string text(const std::string& fact) { return fact; }
std::string text(std::integral auto fact) { return fmt::format("{}", fact); }
std::string text(double fact) { return fmt::format("{}", fact); }
/// Nothing for what is not known.
template <class T>
std::string text(const std::optional<T>& fact) {
  return fact ? text(*fact) : "";
}

std::string gpu_name(const Run& run) { return run.machine().gpu ? run.machine().gpu->name : ""; }
std::string cpu_model(const Run& run) { return text(run.machine().cpu.model); }

std::string machine_key(const Run& run) {
  return gpu_name(run) + "\n" + cpu_model(run) + "\n" + text(run.machine().cpu.cores);
}

/// Sides in the order in which their keys first appear.
template <class Key>
std::vector<Side> grouped(const std::vector<Run>& runs, Key key) {
  std::vector<Side> sides;
  std::vector<std::string> keys;
  for (const Run& run : runs) {
    const auto at = std::find(keys.begin(), keys.end(), key(run)) - keys.begin();
    if (at == static_cast<std::ptrdiff_t>(keys.size())) {
      keys.push_back(key(run));
      sides.emplace_back();
    }
    sides[static_cast<std::size_t>(at)].runs.push_back(&run);
  }
  return sides;
}

double all_phases(const himeno::Result& run) {
  double seconds = 0;
  for (const auto& phase : run.phases) seconds += phase.second;
  return seconds;
}

/// Of each case the run in the middle, the others behind it.
std::vector<std::vector<const Run*>> himeno_cases_of(const Side& side) {
  std::map<std::string, std::vector<const Run*>> by_case;
  for (const Run* run : side.runs)
    if (const auto* result = run->as<himeno::Result>())
      by_case[entries_of(*result).front().identity.dump()].push_back(run);
  std::vector<std::vector<const Run*>> cases;
  for (auto& [identity, same] : by_case) {
    std::stable_sort(same.begin(), same.end(), [](const Run* a, const Run* b) {
      const auto order = [](const himeno::Result& run) {
        return std::pair(all_phases(run), run.mflops);
      };
      return order(*a->as<himeno::Result>()) < order(*b->as<himeno::Result>());
    });
    std::swap(same.front(), same[(same.size() - 1) / 2]);
    cases.push_back(std::move(same));
  }
  return cases;
}

/// The run that stands for the case that `run` is one of; null where no run does, since each of its
/// figures is a case by itself.
const Run* standing_for(const Side& side, const Run* run) {
  for (const auto& same : side.himeno_cases)
    if (std::find(same.begin(), same.end(), run) != same.end()) return same.front();
  return nullptr;
}

std::vector<Entry> entries_of_side(const Side& side) {
  std::vector<std::vector<Entry>> cases;
  for (const Run* run : side.runs)
    for (Entry& entry : entries_of(*run)) {
      entry.run = run;
      const auto same = [&](const std::vector<Entry>& known) {
        return known.front().table == entry.table && known.front().identity == entry.identity;
      };
      const auto found = std::find_if(cases.begin(), cases.end(), same);
      if (found == cases.end())
        cases.push_back({std::move(entry)});
      else
        found->push_back(std::move(entry));
    }
  std::vector<Entry> entries;
  for (auto& same : cases) {
    const Run* stands = standing_for(side, same.front().run);
    entries.push_back(merged(std::move(same), stands));
  }
  return entries;
}

/// Was the same memory space asked for? Where all are host memory, two names are not compared.
bool asked_alike(const Entry& a, const Entry& b) {
  return (a.requested.empty() && b.requested.empty()) ||
         std::find_first_of(a.requested.begin(), a.requested.end(), b.requested.begin(),
                            b.requested.end()) != a.requested.end();
}

bool share_a_case(const std::vector<Side>& sides) {
  for (std::size_t a = 0; a < sides.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (const Entry& entry : sides[a].entries) {
        const Entry* other = sides[b].find(entry);
        if (other != nullptr && asked_alike(entry, *other)) return true;
      }
  return false;
}

std::string machine_name(const Side& side) {
  const Run& run = *side.runs.front();
  if (side.description) return side.description->name;
  const std::string gpu = gpu_name(run);
  return gpu.empty() ? cpu_model(run) : gpu;
}

std::vector<Side> grouped_by(By by, const std::vector<Run>& runs) {
  std::vector<Side> machines = grouped(runs, machine_key);
  if (by == By::Machine || (by == By::Auto && machines.size() > 1)) return machines;
  std::vector<Side> files = grouped(runs, [](const Run& run) { return run.file; });
  for (Side& file : files) {
    file.is_file = true;
    file.entries = entries_of_side(file);
  }
  return by == By::File || share_a_case(files) ? files : machines;
}

/// Columns are told apart by their names.
void make_labels_differ(std::vector<Side>& sides) {
  for (std::size_t n = 0; n < sides.size(); ++n)
    for (std::size_t other = 0; other < n; ++other)
      if (sides[n].label == sides[other].label) sides[n].label += fmt::format(" [{}]", n + 1);
}

void describe(std::vector<Side>& sides, const std::vector<MachineDescription>& descriptions) {
  for (const MachineDescription& description : descriptions) {
    bool fits = false;
    std::string found;
    for (Side& side : sides) {
      const std::string gpu = gpu_name(*side.runs.front());
      found += (found.empty() ? "" : ", ") + (gpu.empty() ? "no GPU" : gpu);
      if (gpu != description.gpu) continue;
      side.description = description;
      fits = true;
    }
    if (!fits)
      throw Failure(ExitCode::Usage,
                    fmt::format("--machine: {} is of GPU '{}', the results are of {}",
                                description.name, description.gpu, found));
  }
}

std::string joined(const std::vector<std::string>& texts) {
  std::string line;
  for (const std::string& text : texts) line += (line.empty() ? "" : "; ") + text;
  return line;
}

/// The different values in order of appearance, not_known for what a result does not tell.
template <class Value>
std::vector<std::string> distinct(const Side& side, Value value) {
  std::vector<std::string> values;
  for (const Run* run : side.runs) {
    std::string one = value(*run);
    if (one.empty()) one = not_known;
    if (std::find(values.begin(), values.end(), one) == values.end()) values.push_back(one);
  }
  return values;
}

/// A GPU or a program of which nothing is known where the run has none.
template <class Part>
const Part& known_or_empty(const std::optional<Part>& part) {
  static const Part nothing{};
  return part ? *part : nothing;
}

std::string uvm_parameter(const Run& run, const char* name) {
  return text_of(known_or_empty(run.machine().gpu).nvidia_uvm, name);
}

struct Fact {
  const char* name;
  std::string (*of)(const Run&);
};

const std::vector<Fact>& facts() {
  using F = const Run&;
  static const auto machine = [](F run) -> const MachineFacts& { return run.machine(); };
  static const auto memory = [](F run) -> const MachineFacts::Memory& {
    return run.machine().memory;
  };
  static const auto gpu = [](F run) -> const MachineFacts::Gpu& {
    return known_or_empty(run.machine().gpu);
  };
  static const auto smi = [](F run) -> const MachineFacts::Driver& { return gpu(run).nvidia_smi; };
  static const auto program = [](F run) -> const MachineFacts::Program& {
    return known_or_empty(run.machine().program);
  };
  static const std::vector<Fact> list{
      {"host threads", [](F run) { return text(run.execution().host_threads); }},
      {"allowed CPUs", [](F run) { return text(machine(run).cpu.allowed); }},
      {"page size (bytes)", [](F run) { return text(memory(run).page_bytes); }},
      {"transparent huge pages", [](F run) { return text(memory(run).huge_pages.enabled); }},
      {"huge page defragmentation", [](F run) { return text(memory(run).huge_pages.defrag); }},
      {"AutoNUMA", [](F run) { return text(memory(run).numa_balancing); }},
      {"init_on_alloc", [](F run) { return text(memory(run).init_on_alloc); }},
      {"driver", [](F run) { return text(gpu(run).driver); }},
      {"CUDA runtime", [](F run) { return text(gpu(run).runtime); }},
      {"address translation", [](F run) { return text(gpu(run).address_translation); }},
      {"reach of system memory", [](F run) { return text(gpu(run).system_memory); }},
      {"addressing mode", [](F run) { return text(smi(run).addressing_mode); }},
      {"largest SM clock (MHz)", [](F run) { return text(smi(run).max_sm_clock_mhz); }},
      {"largest memory clock (MHz)", [](F run) { return text(smi(run).max_memory_clock_mhz); }},
      {"power limit (W)", [](F run) { return text(smi(run).power_limit_watts); }},
      {"access counter migration",
       [](F run) { return uvm_parameter(run, "uvm_perf_access_counter_migration_enable"); }},
      {"access counters move pages", [](F run) { return text(gpu(run).counters_migrate); }},
      {"access counter threshold",
       [](F run) { return uvm_parameter(run, "uvm_perf_access_counter_threshold"); }},
      {"git revision", [](F run) { return text(program(run).git_revision); }},
      {"compiler", [](F run) { return text(program(run).compiler); }},
      {"build type", [](F run) { return text(program(run).build_type); }},
      {"Kokkos", [](F run) { return text(program(run).kokkos); }},
      {"MPI", [](F run) { return text(program(run).mpi.library); }},
      {"kernel", [](F run) { return text(machine(run).kernel); }}};
  return list;
}

}  // namespace

std::string_view name(By by) {
  constexpr std::array names{"auto", "machine", "file"};
  return names.at(static_cast<std::size_t>(by));
}

std::optional<double> Side::theory(const Entry& entry) const {
  if (!description || entry.theory.empty()) return std::nullopt;
  double sum = 0;
  for (const std::string& figure : entry.theory) {
    const std::optional<double> gbs = description->gbs(figure);
    if (!gbs) return std::nullopt;
    sum += *gbs;
  }
  return sum;
}

const Entry* Side::find(const Entry& same) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.table == same.table && entry.identity == same.identity;
  });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions, By by) {
  std::vector<Side> sides = grouped_by(by, runs);
  describe(sides, descriptions);
  for (Side& side : sides) {
    side.himeno_cases = himeno_cases_of(side);
    side.entries = entries_of_side(side);
    side.label = side.is_file ? std::filesystem::path(side.runs.front()->file).stem().string()
                              : machine_name(side);
  }
  make_labels_differ(sides);
  return sides;
}

Table machines_table(const std::vector<Side>& sides) {
  Table table{
      .title = "Machines",
      .columns = {
          {"machine"}, {"GPU"}, {"processor"}, {"hosts"}, {"files"}, {"runs", Show::Count}}};
  for (const Side& side : sides) {
    const std::string gpu = gpu_name(*side.runs.front());
    table.rows.push_back(
        {side.label, gpu.empty() ? "none" : gpu, cpu_model(*side.runs.front()),
         joined(distinct(side, [](const Run& run) { return text(run.machine().hostname); })),
         joined(distinct(side, [](const Run& run) { return run.file; })), side.runs.size()});
  }
  return table;
}

Table differing_facts(const std::vector<Side>& sides) {
  Table table{.title = "Facts that differ between runs", .columns = {{"fact"}}};
  for (const Side& side : sides) table.columns.push_back({side.label});
  for (const Fact& fact : facts()) {
    std::vector<Record> row{fact.name};
    bool differs = false;
    for (const Side& side : sides) {
      const std::vector<std::string> values = distinct(side, fact.of);
      row.push_back(joined(values));
      differs = differs || values.size() > 1 || row.back() != row[1];
    }
    if (differs) table.rows.push_back(row);
  }
  return table;
}

}  // namespace memstencil::compare
