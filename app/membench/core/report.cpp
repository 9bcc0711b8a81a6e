// The text that a person reads: the list of probes, and a table for each probe that ran.
#include "app/membench/core/report.hpp"

#include "app/common/record/report_head.hpp"
#include "app/common/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace memstencil::membench {

namespace {

/// A row a measurement; the name's column is as wide as its longest name.
std::string measurement_table(const std::vector<MeasurementRecord>& measurements) {
  std::size_t width = 11;
  for (const MeasurementRecord& m : measurements) width = std::max(width, m.name.size());
  std::string out = fmt::format("  {:<{}} {:>12} {:>12} {:>12} {:>8} {:>7}  {}\n", "measurement",
                                width, "median", "min", "max", "+-95 %", "samples", "unit");
  for (const MeasurementRecord& m : measurements)
    out += fmt::format("  {:<{}} {:>12.5g} {:>12.5g} {:>12.5g} {:>7.2f}% {:>7}  {}\n", m.name,
                       width, m.spread.median, m.spread.minimum, m.spread.maximum,
                       100 * m.relative_half_width, m.samples.size(), m.unit);
  return out;
}

/// Has so many rows that lines of dotted names could not be read: an object of objects of numbers.
bool is_grid(const Record& value) {
  constexpr std::size_t most_listed = 8;
  if (!value.is_object() || value.size() <= most_listed) return false;
  const auto number = [](const Record& cell) { return cell.is_number(); };
  return std::all_of(value.begin(), value.end(), [&](const Record& row) {
    return row.is_object() && std::all_of(row.begin(), row.end(), number);
  });
}

std::string grid_text(const std::string& path, const Record& grid) {
  std::size_t width = path.size();
  std::vector<std::string> columns;
  for (const auto& [name, row] : grid.items()) {
    width = std::max(width, name.size() + 2);
    for (const auto& [column, value] : row.items())
      if (std::find(columns.begin(), columns.end(), column) == columns.end())
        columns.push_back(column);
  }
  const auto cell = [](const std::string& text, const std::string& column) {
    return fmt::format("  {:>{}}", text, std::max(column.size(), std::size_t{8}));
  };
  std::string out = fmt::format("  {:<{}}", path, width);
  for (const std::string& column : columns) out += cell(column, column);
  for (const auto& [name, row] : grid.items()) {
    out += fmt::format("\n    {:<{}}", name, width - 2);
    for (const std::string& column : columns)
      out += cell(row.contains(column) ? fmt::format("{:.4g}", row[column].get<double>()) : "-",
                  column);
  }
  return out + "\n";
}

/// The grids, a table each.
std::string grids_text(const Record& value, const std::string& path) {
  std::string out;
  if (is_grid(value)) return grid_text(path, value);
  if (!value.is_object()) return out;
  for (const auto& [key, item] : value.items())
    out += grids_text(item, path.empty() ? key : path + "." + key);
  return out;
}

/// Scalars of the derived values by their dotted names, except those of grids; curves and other
/// arrays stand in JSON and HDF5.
void add_derived(const Record& value, const std::string& path, Lines& lines) {
  if (is_grid(value)) return;
  if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      add_derived(item, path.empty() ? key : path + "." + key, lines);
    return;
  }
  if (value.is_array()) return;
  lines.emplace_back("  " + path, value.is_number_float()
                                      ? fmt::format("{:.5g}", value.get<double>())
                                      : plain_text(value));
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

/// A line for each series whose pages can move.
Lines pages_of_series(const ProbeRecord& probe) {
  Lines lines;
  for (const SeriesPages& series : probe.residency.value_or(std::vector<SeriesPages>()))
    lines.emplace_back(fmt::format("  pages of {}, {}", series.name,
                                   bytes_text(static_cast<double>(series.bytes))),
                       text(series.residency, series.executor, "repeat"));
  return lines;
}

std::string probe_text(const ProbeRecord& p) {
  std::string out = fmt::format("{}: {}\n", p.identity.name, p.identity.summary);
  if (p.skipped) return out + "  skipped: " + *p.skipped + "\n";
  out += fmt::format("  from {}\n  counted: {}; verified; {}\n", p.identity.source,
                     p.identity.counted, seconds_text(p.seconds));
  if (!p.measurements.empty()) out += measurement_table(p.measurements);
  Lines derived;
  add_derived(p.derived, "", derived);
  if (p.clocks) derived.emplace_back("  clocks", clocks_text(*p.clocks));
  out += aligned_lines(derived) + grids_text(p.derived, "") + table_sizes(p.tables) +
         aligned_lines(pages_of_series(p));
  for (const std::string& note : p.notes) out += "  note: " + note + "\n";
  return out;
}

}  // namespace

std::string text_report(const Result& result) {
  std::string out = aligned_lines(banner("membench", result.machine, result.provenance));
  for (const ProbeRecord& probe : result.probes) out += "\n" + probe_text(probe);
  return out;
}

std::string text_list(const std::vector<ListedProbe>& list) {
  std::string out;
  for (const auto& [probe, refused] : list) {
    out += fmt::format("{:<10} {} ({}); counted: {}\n", probe.name, probe.summary, probe.source,
                       probe.counted);
    if (refused) out += fmt::format("{:<10} not here: {}\n", "", *refused);
  }
  out += fmt::format(
      "{:<10} [names] of sources: docs/bibliography.md; a page a probe: docs/probes/\n", "");
  return out;
}

}  // namespace memstencil::membench
