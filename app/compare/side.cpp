// A side of the comparison: the runs of one machine, or of one file where all are of one machine.
#include "app/compare/side.hpp"

#include "app/common/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

namespace memstencil::compare {

namespace {

std::string gpu_name(const Run& run) { return run.machine().gpu ? run.machine().gpu->name : ""; }
std::string cpu_model(const Run& run) { return run.machine().cpu.model.value_or(""); }

std::string machine_key(const Run& run) {
  const auto& cores = run.machine().cpu.cores;
  return fmt::format("{}\n{}\n{}", gpu_name(run), cpu_model(run),
                     cores ? std::to_string(*cores) : "");
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
        return std::pair(wall_time(run.phases), run.mflops);
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

/// @throws Failure(Usage) where another description fits the side, too: nobody but the user knows
void take(Side& side, const MachineDescription& description) {
  if (side.description)
    throw Failure(ExitCode::Usage,
                  fmt::format("--machine: {} and {} both fit the results of '{}': give the one "
                              "that is meant",
                              side.description->name, description.name,
                              gpu_name(*side.runs.front())));
  side.description = description;
}

void describe(std::vector<Side>& sides, const std::vector<MachineDescription>& descriptions) {
  for (const MachineDescription& description : descriptions) {
    bool fits = false;
    std::string found;
    for (Side& side : sides) {
      const Run& run = *side.runs.front();
      const auto& cores = run.machine().cpu.cores;
      const std::string gpu = gpu_name(run);
      found += (found.empty() ? "" : ", ") + (gpu.empty() ? "no GPU" : gpu) +
               (cores ? fmt::format(" with {} cores", *cores) : "");
      if (!description.fits(gpu, cores)) continue;
      take(side, description);
      fits = true;
    }
    if (!fits)
      throw Failure(ExitCode::Usage,
                    fmt::format("--machine: {} is of GPU '{}'{}, the results are of {}",
                                description.name, description.gpu,
                                description.cores
                                    ? fmt::format(" with {} cores", *description.cores)
                                    : "",
                                found));
  }
}

}  // namespace

std::string_view name(By by) {
  constexpr std::array names{"auto", "machine", "file"};
  return names.at(static_cast<std::size_t>(by));
}

double wall_time(const Named<double>& phases) {
  double seconds = 0;
  for (const auto& phase : phases) seconds += phase.second;
  return seconds;
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

}  // namespace memstencil::compare
