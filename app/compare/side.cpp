// A side of the comparison: the runs of a folder, of a machine, or of a file.
#include "app/compare/side.hpp"

#include "app/base/runtime/failure.hpp"

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
  return fmt::format("{}\n{}\n{}\n{}", gpu_name(run), cpu_model(run),
                     cores ? std::to_string(*cores) : "", run.origin().site.value_or(""));
}

std::filesystem::path folder_of(const Run& run) {
  if (!run.folder.empty()) return run.folder;
  return std::filesystem::path(run.file).parent_path();
}

/// What the runs of a side have in common.
using Key = std::pair<By, std::string>;

Key key_of(const Run& run, std::optional<By> asked) {
  const By by = asked.value_or(run.folder.empty() ? By::Machine : By::Folder);
  if (by == By::File) return {by, run.file};
  return {by, by == By::Folder ? folder_of(run).string() : machine_key(run)};
}

/// Sides in the order in which their keys first appear.
std::vector<Side> grouped(const std::vector<Run>& runs, std::optional<By> by) {
  std::vector<Side> sides;
  std::vector<Key> keys;
  for (const Run& run : runs) {
    const Key key = key_of(run, by);
    const auto at = std::find(keys.begin(), keys.end(), key) - keys.begin();
    if (at == static_cast<std::ptrdiff_t>(keys.size())) {
      keys.push_back(key);
      sides.push_back({.label = "",
                       .by = key.first,
                       .runs = {},
                       .description = {},
                       .entries = {},
                       .himeno_cases = {}});
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

std::string machine_name(const Side& side) {
  const Run& run = *side.runs.front();
  if (side.description) return side.description->name;
  const std::string gpu = gpu_name(run), name = gpu.empty() ? cpu_model(run) : gpu;
  const auto& site = run.origin().site;
  return site ? name + ", " + *site : name;
}

/// The last part of a path: of "results/miyabi/" the name miyabi, of "." that of the folder.
std::string folder_name(const std::filesystem::path& path) {
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, none);
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::string label_of(const Side& side) {
  const Run& run = *side.runs.front();
  switch (side.by) {
    case By::Folder:
      return folder_name(folder_of(run));
    case By::Machine:
      return machine_name(side);
    case By::File:
      return std::filesystem::path(run.file).stem().string();
  }
  return "";
}

/// Columns are told apart by their names.
void make_labels_differ(std::vector<Side>& sides) {
  for (std::size_t n = 0; n < sides.size(); ++n)
    for (std::size_t other = 0; other < n; ++other)
      if (sides[n].label == sides[other].label) sides[n].label += fmt::format(" [{}]", n + 1);
}

/// Where another description fits the side, too, the site that its results name decides.
/// @throws Failure(Usage) where it is neither of the two
void take(Side& side, const MachineDescription& description) {
  const std::string site = side.runs.front()->origin().site.value_or("");
  if (!side.description || site == description.name)
    side.description = description;
  else if (site != side.description->name)
    throw Failure(
        ExitCode::Usage,
        fmt::format("--machine: {} and {} both fit the results of '{}': give the one "
                    "that is meant",
                    side.description->name, description.name, gpu_name(*side.runs.front())));
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
      throw Failure(
          ExitCode::Usage,
          fmt::format("--machine: {} is of GPU '{}'{}, the results are of {}", description.name,
                      description.gpu,
                      description.cores ? fmt::format(" with {} cores", *description.cores) : "",
                      found));
  }
}

}  // namespace

std::string_view name(By by) {
  constexpr std::array names{"folder", "machine", "file"};
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
                           const std::vector<MachineDescription>& descriptions,
                           std::optional<By> by) {
  std::vector<Side> sides = grouped(runs, by);
  describe(sides, descriptions);
  for (Side& side : sides) {
    side.himeno_cases = himeno_cases_of(side);
    side.entries = entries_of_side(side);
    side.label = label_of(side);
  }
  make_labels_differ(sides);
  return sides;
}

}  // namespace memstencil::compare
