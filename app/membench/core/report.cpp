// The text that a person reads: the list of probes, and the table of each probe that ran.
#include "app/membench/core/report.hpp"

#include "app/base/record/report_head.hpp"
#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::membench {

namespace {

/// More rows of one kind are not read but plotted.
constexpr std::size_t most_rows = 400;

std::string cell_text(const std::string& column, const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return std::get<std::string>(value);
  if (column == "half_width") return fmt::format("{:.1f} %", 100 * *number);
  return *number == std::floor(*number) ? fmt::format("{:.0f}", *number)
                                        : fmt::format("{:.5g}", *number);
}

/// Rows with the same columns, as a table.
std::string table_text(const std::vector<const Row*>& rows) {
  std::string out;
  std::vector<std::string> lines(rows.size() + 1, "  ");
  for (const auto& [column, unused] : rows.front()->cells) {
    const std::string unit = unit_of(column);
    std::vector<std::string> cells{unit.empty() ? column : fmt::format("{} ({})", column, unit)};
    for (const Row* row : rows) cells.push_back(cell_text(column, *row->find(column)));
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    const bool number = std::holds_alternative<double>(unused);
    for (std::size_t n = 0; n < cells.size(); ++n)
      lines[n] += number ? fmt::format("{:>{}}  ", cells[n], width)
                         : fmt::format("{:<{}}  ", cells[n], width);
  }
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string columns_text(const Row& row) {
  std::string all;
  for (const auto& [column, value] : row.cells) all += (all.empty() ? "" : ", ") + column;
  return all;
}

std::string rows_text(const std::vector<Row>& rows) {
  std::vector<std::vector<const Row*>> kinds;
  for (const Row& row : rows) {
    const std::string columns = columns_text(row);
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) {
      return columns_text(*kind.front()) == columns;
    });
    (found == kinds.end() ? kinds.emplace_back() : *found).push_back(&row);
  }
  std::string out;
  for (const auto& kind : kinds)
    out += kind.size() <= most_rows ? table_text(kind)
                                    : fmt::format("  {} rows of {} (in JSON, CSV and HDF5)\n",
                                                  kind.size(), columns_text(*kind.front()));
  return out;
}

std::string probe_text(const ProbeRecord& p) {
  std::string out = fmt::format("{}: {}\n", p.name, p.summary);
  if (p.skipped) return out + "  skipped: " + *p.skipped + "\n";
  out += fmt::format("  from {}\n  counted: {}; verified; {}\n", p.source, p.counted,
                     seconds_text(p.seconds));
  out += rows_text(p.rows);
  if (p.clocks) out += "  clocks: " + clocks_text(*p.clocks) + "\n";
  for (const std::string& note : p.notes) out += "  note: " + note + "\n";
  return out;
}

}  // namespace

void describe(Archive& a, ListedProbe& probe) {
  a("name", probe.name);
  a("summary", probe.summary);
  a("source", probe.source);
  a("counted", probe.counted);
  a("axes", probe.axes);
  a("refused", probe.refused);
}

std::string text_report(const Result& result) {
  std::string out = aligned_lines(banner("membench", result.machine, result.provenance));
  for (const ProbeRecord& probe : result.probes) out += "\n" + probe_text(probe);
  return out;
}

std::string text_list(const std::vector<ListedProbe>& list) {
  std::string out;
  for (const ListedProbe& probe : list) {
    out += fmt::format("{:<10} {} ({}); counted: {}\n", probe.name, probe.summary, probe.source,
                       probe.counted);
    out += fmt::format("{:<10} axes: {}\n", "", probe.axes);
    if (probe.refused) out += fmt::format("{:<10} not here: {}\n", "", *probe.refused);
  }
  out += fmt::format(
      "{:<10} [names] of sources: docs/bibliography.md; a page a probe: docs/probes/\n", "");
  return out;
}

}  // namespace memstencil::membench
