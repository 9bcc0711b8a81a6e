// A machine as its data sheets and papers describe it: inputs/machines/*.toml.
#include "app/base/machine/machine_description.hpp"

#include "app/base/cli/toml_file.hpp"

#include <fmt/format.h>

#include <vector>

namespace memstencil {

namespace {

const std::vector<std::string> figure_names{
    "host_memory",       "device_memory",      "link_host_to_device", "link_device_to_host",
    "kernel_reads_host", "kernel_writes_host", "between_gpus",        "network"};

MachineFigure read_figure(const TomlTable& table) {
  table.only({"gbs", "kind", "source"});
  const std::string kind = table.text("kind");
  if (kind != "theory" && kind != "measured")
    table.refuse("kind", "valid are \"theory\" and \"measured\"");
  const double gbs = table.number("gbs");
  if (gbs <= 0) table.refuse("gbs", "a bandwidth above 0 GB/s is wanted");
  return {.gbs = gbs, .measured = kind == "measured", .source = table.text("source")};
}

/// A value, or a range, whose middle counts.
MachineFigure read_measured(const TomlTable& table) {
  table.only({"gbs", "low", "high", "source"});
  const bool range = table.has("low") || table.has("high");
  if (range && table.has("gbs")) table.refuse("gbs", "either gbs, or low and high");
  const double low = table.number(range ? "low" : "gbs");
  const double high = table.number(range ? "high" : "gbs");
  if (low <= 0) table.refuse(range ? "low" : "gbs", "a bandwidth above 0 GB/s is wanted");
  if (high < low) table.refuse("high", "it is under low");
  const std::string source = table.text("source");
  return {.gbs = (low + high) / 2,
          .measured = true,
          .source = range ? fmt::format("{}: {} to {}", source, low, high) : source,
          .spread = range ? std::optional(std::array{low, high}) : std::nullopt};
}

std::map<std::string, MachineFigure> read_figures(const TomlTable& table,
                                                  MachineFigure (*read)(const TomlTable&)) {
  table.only(figure_names);
  std::map<std::string, MachineFigure> figures;
  for (const std::string& key : table.keys()) figures[key] = read(table.table(key));
  return figures;
}

}  // namespace

std::optional<double> MachineDescription::gbs(const std::string& figure) const {
  const auto found = figures.find(figure);
  return found == figures.end() ? std::nullopt : std::optional(found->second.gbs);
}

const MachineFigure* MachineDescription::reached(const std::string& figure) const {
  for (const auto* known : {&measured, &figures})
    if (const auto found = known->find(figure); found != known->end()) return &found->second;
  return nullptr;
}

bool MachineDescription::fits(const std::string& gpu_name,
                              std::optional<std::int64_t> cpu_cores) const {
  return gpu_name == gpu && (!cores || !cpu_cores || *cores == *cpu_cores);
}

MachineDescription read_machine_description(const std::string& path) {
  const TomlTable file(path, "the machine description");
  file.only({"name", "title", "match", "missing", "figures", "measured", "parameters"});
  const TomlTable match = file.table("match");
  match.only({"gpu", "cores"});
  MachineDescription machine{
      .name = file.text("name"), .title = file.text("title"), .gpu = match.text("gpu")};
  if (match.has("cores")) machine.cores = static_cast<std::int64_t>(match.number("cores"));
  if (file.has("missing")) machine.missing = file.texts("missing");
  machine.figures = read_figures(file.table("figures"), read_figure);
  if (file.has("measured")) machine.measured = read_figures(file.table("measured"), read_measured);
  for (const auto& [key, figure] : machine.measured)
    if (const auto limit = machine.figures.find(key);
        limit != machine.figures.end() && !limit->second.measured && figure.gbs > limit->second.gbs)
      file.table("measured")
          .refuse(key, fmt::format("measured {} GB/s are more than the theory, {} GB/s", figure.gbs,
                                   limit->second.gbs));
  if (!file.has("parameters")) return machine;
  const TomlTable parameters = file.table("parameters");
  for (const std::string& key : parameters.keys()) {
    const TomlTable parameter = parameters.table(key);
    parameter.only({"value", "source"});
    machine.parameters[key] = {.value = parameter.scalar("value"),
                               .source = parameter.text("source")};
  }
  return machine;
}

}  // namespace memstencil
