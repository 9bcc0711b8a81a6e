// A side of the comparison: the runs of a folder, of a file, or of a name, by case.
#include "app/compare/read/sample.hpp"

#include <fmt/ranges.h>

#include <filesystem>
#include <iterator>

namespace memstencil::compare {

namespace {

std::string gpu_name(const Run& run) { return text_or(run.record, "machine.gpu.name"); }

/// What the runs of a side have in common: its name, or the folder or file that was named.
std::string key_of(const Run& run) {
  if (!run.side.empty()) return run.side + "=";
  return run.folder.empty() ? run.file : run.folder;
}

/// Sides in the order in which their keys first appear.
std::vector<Side> grouped(const std::vector<Run>& runs) {
  nlohmann::ordered_map<std::string, Side> by_key;
  std::map<std::pair<std::string, std::string>, std::string> first;  // file of a side's content
  for (const Run& run : runs) {
    const std::string key = key_of(run);
    Side& side = by_key[key];
    if (!run.content.empty() &&
        first.emplace(std::pair(key, run.content), run.file).first->second != run.file)
      side.copies.insert(run.file);
    if (side.copies.count(run.file) == 0) side.runs.push_back(&run);
  }
  if (by_key.size() > most_sides)
    throw Failure(ExitCode::Usage,
                  fmt::format("{0} files and folders are {0} sides, and at most {1} are compared: "
                              "name a folder, or NAME=FILE ... for files of one side",
                              by_key.size(), most_sides));
  std::vector<Side> sides;
  for (auto& [key, side] : by_key) sides.push_back(std::move(side));
  return sides;
}

/// What has to be equal in runs of one sample, with its name in labels. These are of the machine:
/// where they differ anywhere on the side, every case of it names them.
using Settings = std::vector<std::pair<const char*, const char*>>;
const Settings of_the_machine{{"driver", "machine.gpu.driver"},
                              {"page size", "machine.memory.page_bytes"},
                              {"GPU", "machine.gpu.name"},
                              {"processor", "machine.cpu.model"}};
/// And these of the build and of the run: where runs of one case differ in them, it is several.
const Settings of_the_build{{"revision", "machine.program.git_revision"},
                            {"build type", "machine.program.build_type"},
                            {"compiler", "machine.program.compiler"},
                            {"Kokkos", "machine.program.kokkos"},
                            {"flags", "machine.program.cxx_flags"},
                            {"CUDA flags", "machine.program.cuda_flags"},
                            {"architecture", "machine.program.architecture"},
                            {"MPI", "machine.program.mpi.library"},
                            {"kernel", "sweep_kernel"},
                            {"nodes", "provenance.hosts"},
                            {"host threads", "execution.host_threads"},
                            {"memory policy", "provenance.memory_policy.mode"}};

/// Of a list the number of its members; the ring of streamed sweeps is as large as there is room.
std::string setting_of(const Run& run, const char* path, const std::string& otherwise = "") {
  const Record* found = find(run.record, path);
  if (found != nullptr && found->is_array()) return std::to_string(found->size());
  const std::string text = text_or(run.record, path, otherwise);
  return text.starts_with("streamed") ? "streamed" : text;
}

/// Adds to the cases of the samples those settings in which the runs differ.
void add_differing(const Settings& settings, const std::vector<const Run*>& runs,
                   std::vector<Sample>& samples) {
  for (const auto& [key, path] : settings) {
    std::set<std::string> values;
    for (const Run* run : runs) values.insert(setting_of(*run, path));
    if (values.size() == 1) continue;
    for (Sample& sample : samples)
      sample.what.settings.emplace_back(key, setting_of(*sample.run, path, "not recorded"));
  }
}

/// The samples by the label of their case: labels differ where cases do.
nlohmann::ordered_map<std::string, std::vector<Sample>> by_case(std::vector<Sample>& samples) {
  nlohmann::ordered_map<std::string, std::vector<Sample>> all;
  for (Sample& sample : samples) all[label(sample.what)].push_back(std::move(sample));
  return all;
}

std::vector<Group> groups_of(const Side& side) {
  std::vector<Sample> all;
  for (const Run* run : side.runs) std::ranges::move(samples_of(*run), std::back_inserter(all));
  add_differing(of_the_machine, side.runs, all);
  std::vector<Group> groups;
  for (auto& [shared, alike] : by_case(all)) {
    std::vector<const Run*> runs;
    for (const Sample& sample : alike) runs.push_back(sample.run);
    add_differing(of_the_build, runs, alike);
    for (auto& [label, samples] : by_case(alike)) {
      std::ranges::stable_sort(samples, {}, &Sample::seconds);
      std::swap(samples.front(), samples[(samples.size() - 1) / 2]);
      groups.push_back({samples.front().what, std::move(samples)});
    }
  }
  return groups;
}

/// A transpose over the link goes both ways at once, which gives less than its two ways, each
/// alone: where membench measured that, it is the limit.
void limit_both_ways(Side& side) {
  const auto probes = runs_of_probes(side.runs);
  for (Group& group : side.groups)
    for (Sample& sample : group.samples) {
      const auto runs = probes.find(gpu_name(*sample.run));
      if (sample.step == "sweep" || sample.limit_kind != "link" || runs == probes.end()) continue;
      for (const Run* run : runs->second)
        if (const auto gbs = both_ways_gbs(run->probe_rows)) {
          sample.limit_kind = "link, both ways at once";
          sample.limit = *gbs;
          sample.fraction = sample.bandwidth / sample.limit;
        }
    }
}

/// The folder that was named, or the file without its extension.
std::filesystem::path path_of(const Run& run) {
  if (!run.folder.empty()) return run.folder;
  return std::filesystem::path(run.file).replace_extension();
}

std::string last_part(const std::filesystem::path& of) {
  const std::filesystem::path path = std::filesystem::absolute(of).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename();
}

/// "'NVIDIA H100' with 48 cores", as far as they are known.
std::string machine_text(const std::string& gpu, std::optional<std::int64_t> cores) {
  return (gpu.empty() ? "no GPU" : "'" + gpu + "'") +
         (cores ? fmt::format(" with {} cores", *cores) : "");
}

/// Gives the sides names that differ: where two have one, the path as it was named.
void name_sides(std::vector<Side>& sides) {
  std::map<std::string, int> sides_of_name;
  const auto given = [](const Side& side) { return side.runs.front()->side; };
  for (Side& side : sides) {
    side.name = given(side).empty() ? last_part(path_of(*side.runs.front())) : given(side);
    ++sides_of_name[side.name];
  }
  for (Side& side : sides)
    if (sides_of_name[side.name] > 1 && given(side).empty())
      side.name = path_of(*side.runs.front()).string();
  for (std::size_t n = 0; n < sides.size(); ++n)
    for (std::size_t other = 0; other < n; ++other)
      if (sides[n].name == sides[other].name) sides[n].name += fmt::format(" [{}]", n + 1);
}

/// Gives each description to the sides whose machine it is of. @throws as sides_of()
void describe(std::vector<Side>& sides, const std::vector<MachineDescription>& descriptions) {
  for (const MachineDescription& description : descriptions) {
    bool fits = false;
    std::vector<std::string> found;
    for (Side& side : sides) {
      const auto number = number_if(side.runs.front()->record, "machine.cpu.cores");
      const auto cores = number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
      found.push_back(machine_text(side.gpu(), cores));
      if (!description.fits(side.gpu(), cores)) continue;
      fits = true;
      // If another description fits the side, too, the site that its results name decides.
      const std::string site = text_or(side.runs.front()->record, "site");
      if (!side.description || site == description.name)
        side.description = description;
      else if (site != side.description->name)
        throw Failure(ExitCode::Usage,
                      fmt::format("--machine: {} and {} both fit the results of '{}': give the one "
                                  "that is meant",
                                  side.description->name, description.name, side.gpu()));
    }
    if (!fits)
      throw Failure(
          ExitCode::Usage,
          fmt::format("--machine: {} is of {}, the results are of {}", description.name,
                      machine_text(description.gpu, description.cores), fmt::join(found, ", ")));
  }
}

}  // namespace

std::map<std::string, std::vector<const Run*>> runs_of_probes(std::vector<const Run*> runs) {
  std::erase_if(runs, [](const Run* run) {
    return run->program != "membench" || find(run->record, "machine.gpu") == nullptr;
  });
  const auto options_of = [](const Run* run) {
    return text_or(run->record, "options.numa") + "," + text_or(run->record, "options.gpu");
  };
  std::ranges::stable_partition(runs, [&](const Run* run) { return options_of(run) == ","; });
  std::map<std::string, std::vector<const Run*>> by_gpu;
  for (const Run* run : runs) {
    std::vector<const Run*>& of_gpu = by_gpu[gpu_name(*run)];
    if (of_gpu.empty() || options_of(of_gpu.front()) == options_of(run)) of_gpu.push_back(run);
  }
  return by_gpu;
}

std::vector<Side> sides_of(const std::vector<Run>& runs,
                           const std::vector<MachineDescription>& descriptions) {
  std::vector<Side> sides = grouped(runs);
  describe(sides, descriptions);
  for (Side& side : sides) {
    side.groups = groups_of(side);
    limit_both_ways(side);
  }
  name_sides(sides);
  return sides;
}

}  // namespace memstencil::compare
