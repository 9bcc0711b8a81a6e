// The names of sides, and the machines that they are described as.
#include "app/compare/read/side.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace memstencil::compare {

namespace {

/// As it was typed, without a slash at its end; "." and ".." have their folder's name.
std::filesystem::path as_typed(const std::string& path) {
  std::filesystem::path typed = std::filesystem::path(path).lexically_normal();
  if (!typed.has_filename()) typed = typed.parent_path();
  std::error_code none;
  return typed == "." || typed == ".." || typed.empty()
             ? std::filesystem::weakly_canonical(std::filesystem::absolute(typed), none)
             : typed;
}

/// The path that names the side; empty for a machine.
std::filesystem::path path_of(const Side& side) {
  const Run& run = *side.runs.front();
  if (side.by == By::Machine || !run.side.empty()) return run.side;
  if (side.by == By::Folder) return as_typed(folder_of(run));
  return std::filesystem::path(run.file).replace_extension();
}

std::string name_of(const Side& side) {
  const Run& run = *side.runs.front();
  if (side.by != By::Machine)
    return run.side.empty() ? path_of(side).filename().string() : run.side;
  if (side.description) return side.description->name;
  const std::string machine = side.gpu().empty() ? processor_of(run) : side.gpu();
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

}  // namespace

void name_sides(std::vector<Side>& sides) {
  for (Side& side : sides) side.name = name_of(side);
  std::map<std::string, std::vector<Side*>> named;
  for (Side& side : sides) named[side.name].push_back(&side);
  for (const auto& [name, of_name] : named) {
    if (of_name.size() < 2) continue;
    if (of_name.front()->by == By::Machine) add_what_differs(of_name);
    for (Side* side : of_name)
      if (side->by != By::Machine) side->name = path_of(*side).string();
  }
  for (std::size_t n = 0; n < sides.size(); ++n)
    for (std::size_t other = 0; other < n; ++other)
      if (sides[n].name == sides[other].name) sides[n].name += fmt::format(" [{}]", n + 1);
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

}  // namespace memstencil::compare
