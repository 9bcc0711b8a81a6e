// A machine as its data sheets and papers describe it: inputs/machines/*.toml.
#include "app/common/machine/machine_description.hpp"

#include "app/common/cli/toml_file.hpp"

#include <vector>

namespace memstencil {

namespace {

const std::vector<std::string> figure_names{"host_memory", "device_memory", "link_host_to_device",
                                            "link_device_to_host", "network"};

MachineFigure read_figure(const TomlTable& table) {
  table.only({"gbs", "kind", "source"});
  const std::string kind = table.text("kind");
  if (kind != "theory" && kind != "measured")
    table.refuse("kind", "valid are \"theory\" and \"measured\"");
  const double gbs = table.number("gbs");
  if (gbs <= 0) table.refuse("gbs", "a bandwidth above 0 GB/s is wanted");
  return {.gbs = gbs, .measured = kind == "measured", .source = table.text("source")};
}

}  // namespace

std::optional<double> MachineDescription::gbs(const std::string& figure) const {
  const auto found = figures.find(figure);
  return found == figures.end() ? std::nullopt : std::optional(found->second.gbs);
}

MachineDescription read_machine_description(const std::string& path) {
  const TomlTable file(path, "the machine description");
  file.only({"name", "title", "match", "figures", "parameters"});
  const TomlTable match = file.table("match");
  match.only({"gpu"});
  MachineDescription machine{.name = file.text("name"),
                             .title = file.text("title"),
                             .gpu = match.text("gpu"),
                             .figures = {},
                             .parameters = {}};
  const TomlTable figures = file.table("figures");
  figures.only(figure_names);
  for (const std::string& key : figures.keys())
    machine.figures[key] = read_figure(figures.table(key));
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
