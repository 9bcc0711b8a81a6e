// A side of the comparison: the runs of a folder, of a machine, or of a file, by case.
#include "app/compare/side.hpp"

#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace memstencil::compare {

namespace {

std::string of_machine(const Run& run, const char* member) {
  return text_or(run.record, std::string("machine.") + member);
}

std::string machine_key(const Run& run) {
  return of_machine(run, "gpu.name") + "\n" + of_machine(run, "cpu.model") + "\n" +
         of_machine(run, "cpu.cores") + "\n" + text_or(run.record, "site");
}

std::filesystem::path folder_of(const Run& run) {
  return run.folder.empty() ? std::filesystem::path(run.file).parent_path()
                            : std::filesystem::path(run.folder);
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
  nlohmann::ordered_map<Key, std::vector<const Run*>> by_key;
  for (const Run& run : runs) by_key[key_of(run, by)].push_back(&run);
  std::vector<Side> sides;
  for (const auto& [key, of_key] : by_key) sides.push_back({.by = key.first, .runs = of_key});
  return sides;
}

/// What has to be equal in runs of one sample, with its name in labels.
constexpr std::array settings{
    std::pair{"driver", "machine.gpu.driver"}, std::pair{"page size", "machine.memory.page_bytes"},
    std::pair{"GPU", "machine.gpu.name"}, std::pair{"processor", "machine.cpu.model"}};

/// Those in which the runs of the side differ.
std::vector<std::pair<const char*, const char*>> differing_settings(const Side& side) {
  std::vector<std::pair<const char*, const char*>> differing;
  for (const auto& [key, path] : settings)
    if (side.values(path).size() > 1) differing.emplace_back(key, path);
  return differing;
}

std::vector<Group> groups_of(const Side& side) {
  const auto differing = differing_settings(side);
  nlohmann::ordered_map<std::string, Group> by_label;  // which differs where cases do
  for (const Run* run : side.runs)
    for (Sample& sample : samples_of(*run)) {
      for (const auto& [key, path] : differing)
        sample.what.settings.emplace_back(key, text_or(run->record, path, "not known"));
      Group& group = by_label[label(sample.what)];
      group.what = sample.what;
      group.samples.push_back(std::move(sample));
    }
  std::vector<Group> groups;
  for (auto& [label, group] : by_label) {
    std::stable_sort(group.samples.begin(), group.samples.end(),
                     [](const Sample& a, const Sample& b) { return a.seconds() < b.seconds(); });
    std::swap(group.samples.front(), group.samples[(group.samples.size() - 1) / 2]);
    groups.push_back(std::move(group));
  }
  return groups;
}

/// The last part of a path: of "results/miyabi/" the name miyabi, of "." that of the folder.
std::string folder_name(const std::filesystem::path& path) {
  std::error_code none;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, none);
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

std::string name_of(const Side& side) {
  const Run& run = *side.runs.front();
  if (side.by == By::Folder) return folder_name(folder_of(run));
  if (side.by == By::File) return std::filesystem::path(run.file).stem().string();
  if (side.description) return side.description->name;
  const std::string machine = side.gpu().empty() ? side.processor() : side.gpu();
  const std::string site = text_or(run.record, "site");
  return site.empty() ? machine : machine + ", " + site;
}

/// What may tell two machines of one name apart, with its unit in a name.
constexpr std::array machine_members{std::pair{"site", ""}, std::pair{"machine.cpu.model", ""},
                                     std::pair{"machine.cpu.cores", " cores"}};

/// Machines of one name get what they differ in: "NVIDIA H200, 16 cores".
void add_what_differs(const std::vector<Side*>& machines) {
  for (const auto& [path, unit] : machine_members) {
    std::set<std::string> values;
    for (const Side* side : machines) values.insert(text_or(side->runs.front()->record, path));
    if (values.size() == 1) continue;
    for (Side* side : machines)
      if (const std::string value = text_or(side->runs.front()->record, path); !value.empty())
        side->name += ", " + value + unit;
  }
}

void make_names_differ(std::vector<Side>& sides) {
  std::map<std::string, std::vector<Side*>> machines;
  for (Side& side : sides)
    if (side.by == By::Machine) machines[side.name].push_back(&side);
  for (const auto& [name, of_name] : machines) add_what_differs(of_name);
  for (std::size_t n = 0; n < sides.size(); ++n)
    for (std::size_t other = 0; other < n; ++other)
      if (sides[n].name == sides[other].name) sides[n].name += fmt::format(" [{}]", n + 1);
}

/// "'NVIDIA H100' with 48 cores", as far as they are known.
std::string machine_text(const std::string& gpu, std::optional<std::int64_t> cores) {
  return (gpu.empty() ? "no GPU" : "'" + gpu + "'") +
         (cores ? fmt::format(" with {} cores", *cores) : "");
}

/// Where another description fits the side, too, the site that its results name decides.
/// @throws Failure(Usage) where it is neither of the two
void take(Side& side, const MachineDescription& description) {
  const std::string site = text_or(side.runs.front()->record, "site");
  if (!side.description || site == description.name)
    side.description = description;
  else if (site != side.description->name)
    throw Failure(ExitCode::Usage,
                  fmt::format("--machine: {} and {} both fit the results of '{}': give the one "
                              "that is meant",
                              side.description->name, description.name, side.gpu()));
}

void describe(std::vector<Side>& sides, const std::vector<MachineDescription>& descriptions) {
  for (const MachineDescription& description : descriptions) {
    bool fits = false;
    std::vector<std::string> found;
    for (Side& side : sides) {
      const auto number = number_if(side.runs.front()->record, "machine.cpu.cores");
      const auto cores = number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
      found.push_back(machine_text(side.gpu(), cores));
      if (!description.fits(side.gpu(), cores)) continue;
      take(side, description);
      fits = true;
    }
    if (!fits)
      throw Failure(
          ExitCode::Usage,
          fmt::format("--machine: {} is of {}, the results are of {}", description.name,
                      machine_text(description.gpu, description.cores), fmt::join(found, ", ")));
  }
}

}  // namespace

std::string_view name(By by) {
  constexpr std::array names{"folder", "machine", "file"};
  return names.at(static_cast<std::size_t>(by));
}

double noise(const std::optional<Spread>& seen) {
  constexpr double assumed = 0.05, least = 0.02;  // runs that happen to agree prove no more
  return seen ? std::max(seen->fraction, least) : assumed;
}

std::optional<Spread> wider(const std::optional<Spread>& a, const std::optional<Spread>& b) {
  if (!a || !b) return a ? a : b;
  return std::pair(a->runs > 2, a->fraction) < std::pair(b->runs > 2, b->fraction) ? b : a;
}

std::map<std::string, std::vector<double>> Group::seconds_by_host() const {
  std::map<std::string, std::vector<double>> hosts;
  for (const Sample& each : samples)
    hosts[of_machine(*each.run, "hostname")].push_back(each.seconds());
  return hosts;
}

std::optional<Spread> Group::spread() const {
  std::optional<Spread> widest;
  for (const auto& [host, times] : seconds_by_host()) {
    if (times.size() < 2) continue;
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    widest = wider(widest, Spread{(*most - *least) / median_of(times), times.size()});
  }
  return widest;
}

std::string Side::gpu() const { return of_machine(*runs.front(), "gpu.name"); }
std::string Side::processor() const { return of_machine(*runs.front(), "cpu.model"); }

std::set<std::string> Side::values(const char* path) const {
  std::set<std::string> all;
  for (const Run* run : runs) all.insert(text_or(run->record, path));
  return all;
}

std::optional<Spread> Side::spread() const {
  std::optional<Spread> widest;
  for (const Group& group : groups) widest = wider(widest, group.spread());
  return widest;
}

std::optional<Spread> spread(const Side& side, const Group& a, const Side& other, const Group& b) {
  const auto own = wider(a.spread(), b.spread());
  return own ? own : wider(side.spread(), other.spread());
}

std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions,
                           std::optional<By> by) {
  std::vector<Side> sides = grouped(runs, by);
  describe(sides, descriptions);
  for (Side& side : sides) {
    side.groups = groups_of(side);
    side.name = name_of(side);
  }
  make_names_differ(sides);
  return sides;
}

}  // namespace memstencil::compare
