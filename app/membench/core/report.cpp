// The text that a person reads: the list of probes, and a table for each probe that ran.
#include "app/membench/core/report.hpp"

#include "app/common/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace memstencil::membench {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string text(const Record& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

Lines head(const Record& r) {
  const Record& machine = r["machine"];
  Lines lines;
  if (machine.contains("program"))
    lines.emplace_back(
        "program",
        fmt::format("membench {} (git {}), GPU backend {}", text(machine["program"]["version"]),
                    text(machine["program"]["git_revision"]), text(machine["program"]["gpu_backend"])));
  if (machine.contains("cpu")) lines.emplace_back("host", text(machine["cpu"]["model"]));
  if (machine.contains("gpu") && !machine["gpu"].is_null())
    lines.emplace_back(
        "GPU", fmt::format("{}, driver {}, address translation {}", text(machine["gpu"]["name"]),
                           text(machine["gpu"]["driver"]), text(machine["gpu"]["address_translation"])));
  return lines;
}

/// A row a measurement; the name's column is as wide as its longest name.
std::string measurement_table(const Record& measurements) {
  std::size_t width = 11;
  for (const Record& m : measurements) width = std::max(width, text(m["name"]).size());
  std::string out = fmt::format("  {:<{}} {:>12} {:>12} {:>12} {:>8} {:>7}  {}\n", "measurement", width,
                                "median", "min", "max", "+-95 %", "samples", "unit");
  for (const Record& m : measurements)
    out += fmt::format("  {:<{}} {:>12.5g} {:>12.5g} {:>12.5g} {:>7.2f}% {:>7}  {}\n", text(m["name"]), width,
                       m["median"].get<double>(), m["min"].get<double>(), m["max"].get<double>(),
                       100 * m["relative_half_width"].get<double>(), m["samples"].size(), text(m["unit"]));
  return out;
}

/// Scalars of the derived values by their dotted names; curves and other arrays stand in JSON and HDF5.
void add_derived(const Record& value, const std::string& path, Lines& lines) {
  if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      add_derived(item, path.empty() ? key : path + "." + key, lines);
    return;
  }
  if (value.is_array()) return;
  lines.emplace_back("  " + path,
                     value.is_number_float() ? fmt::format("{:.5g}", value.get<double>()) : text(value));
}

std::string table_sizes(const Record& tables) {
  std::string out;
  for (const auto& [name, columns] : tables.items()) {
    std::vector<std::string> names;
    std::size_t rows = 0;
    for (const auto& [column, values] : columns.items()) {
      names.push_back(column);
      rows = values.size();
    }
    std::string joined;
    for (const std::string& each : names) joined += (joined.empty() ? "" : ", ") + each;
    out += fmt::format("  table {}: {} rows of {} (in JSON and HDF5)\n", name, rows, joined);
  }
  return out;
}

std::string probe_text(const Record& p) {
  std::string out = fmt::format("{}: {}\n", text(p["name"]), text(p["summary"]));
  if (p.contains("skipped")) return out + "  skipped: " + text(p["skipped"]) + "\n";
  out += fmt::format("  from {}; counted: {}; verified; {}\n", text(p["source"]), text(p["counted"]),
                     seconds_text(p["seconds"].get<double>()));
  if (!p["measurements"].empty()) out += measurement_table(p["measurements"]);
  Lines derived;
  add_derived(p["derived"], "", derived);
  out += aligned_lines(derived) + table_sizes(p["tables"]);
  for (const Record& note : p["notes"]) out += "  note: " + text(note) + "\n";
  return out;
}

}  // namespace

std::string text_report(const Record& record) {
  std::string out = aligned_lines(head(record));
  for (const Record& probe : record["probes"]) out += "\n" + probe_text(probe);
  return out;
}

std::string text_list(const Record& list) {
  std::string out;
  for (const Record& probe : list["probes"]) {
    out += fmt::format("{:<10} {} ({}); counted: {}\n", text(probe["name"]), text(probe["summary"]),
                       text(probe["source"]), text(probe["counted"]));
    if (!probe["refused"].is_null()) out += fmt::format("{:<10} not here: {}\n", "", text(probe["refused"]));
  }
  return out;
}

}  // namespace memstencil::membench
