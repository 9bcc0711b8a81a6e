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

/// The folder that was named, or the file without its extension.
std::filesystem::path path_of(const Side& side) {
  const Run& run = *side.runs.front();
  return run.folder.empty() ? std::filesystem::path(run.file).replace_extension()
                            : as_typed(run.folder);
}

/// "'NVIDIA H100' with 48 cores", as far as they are known.
std::string machine_text(const std::string& gpu, std::optional<std::int64_t> cores) {
  return (gpu.empty() ? "no GPU" : "'" + gpu + "'") +
         (cores ? fmt::format(" with {} cores", *cores) : "");
}

/// If another description fits the side, too, the site that its results name decides.
/// @throws Failure(Usage) if it is neither of the two
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
  std::map<std::string, std::vector<Side*>> named;
  for (Side& side : sides) {
    const std::string& given = side.runs.front()->side;
    side.name = given.empty() ? path_of(side).filename().string() : given;
    named[side.name].push_back(&side);
  }
  for (const auto& [name, of_name] : named)
    for (Side* side : of_name)
      if (of_name.size() > 1 && side->runs.front()->side.empty())
        side->name = path_of(*side).string();
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
