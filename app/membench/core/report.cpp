// The text that a person reads: the table of each probe that ran.
#include "app/base/machine/report_head.hpp"
#include "app/base/record/text_report.hpp"
#include "app/membench/core/program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::membench {

namespace {

/// More rows of one kind are not read but plotted: --verbose shows them.
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
  std::vector<std::string> lines(rows.size() + 1, "  ");
  for (const auto& [column, value] : rows.front()->cells) {
    if (column == "counted_bytes") continue;  // gbs times seconds
    const std::string unit = unit_of(column);
    std::vector<std::string> cells{unit.empty() ? column : fmt::format("{} ({})", column, unit)};
    for (const Row* row : rows) cells.push_back(cell_text(column, *row->find(column)));
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    for (std::size_t n = 0; n < cells.size(); ++n)
      lines[n] += std::holds_alternative<double>(value) ? fmt::format("{:>{}}  ", cells[n], width)
                                                        : fmt::format("{:<{}}  ", cells[n], width);
  }
  std::string out;
  for (const std::string& line : lines)
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return out;
}

std::string rows_text(const std::vector<Row>& rows, bool verbose) {
  std::string out;
  for (const auto& kind : rows_by_columns(rows)) {
    if (verbose || kind.size() <= most_rows) {
      out += table_text(kind);
      continue;
    }
    std::string columns;
    for (const auto& [column, value] : kind.front()->cells)
      columns += (columns.empty() ? "" : ", ") + column;
    out +=
        fmt::format("  {} rows of {} (--verbose, JSON and HDF5 have them)\n", kind.size(), columns);
  }
  return out;
}

std::string probe_text(const ProbeRecord& p, bool verbose) {
  std::string out = fmt::format("{}: {}\n", p.probe->name, p.probe->summary);
  if (p.skipped) return out + "  skipped: " + *p.skipped + "\n";
  out += fmt::format("  from {}\n  counted: {}; verified; {}\n", p.probe->source, p.probe->counted,
                     seconds_text(p.seconds));
  out += rows_text(p.rows, verbose);
  if (const std::string low = p.gpu ? low_clocks_text(*p.gpu) : ""; !low.empty())
    out += "  clocks: " + low + "\n";
  for (const std::string& note : p.notes) out += "  note: " + wrapped(note, 92, 8) + "\n";
  return out;
}

}  // namespace

std::string text_report(const Result& result, bool verbose) {
  std::string out = aligned_lines(banner("membench", result.machine, result.provenance));
  for (const ProbeRecord& probe : result.probes)
    if (!probe.skipped || verbose) out += "\n" + probe_text(probe, verbose);
  return out;
}

}  // namespace memstencil::membench
