// A table of a report: columns with units, rows of cells, and how a cell is written.
#include "app/compare/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memstencil::compare {

namespace {

/// Characters as a terminal counts them.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string blanks(to - std::min(to, width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

/// A bar would end the cell.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

/// The titles, numbered where an earlier column has the same.
std::vector<std::string> different_names(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    std::string name = column.title;
    for (int n = 2; std::find(names.begin(), names.end(), name) != names.end(); ++n)
      name = fmt::format("{} [{}]", column.title, n);
    names.push_back(name);
  }
  return names;
}

}  // namespace

std::string number_text(double value) {
  const double size = std::abs(value);
  if (size == 0 || size >= 1e9 || size < 1e-3) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, 3 - static_cast<int>(std::floor(std::log10(size))));
}

std::string cell_text(const Column& column, const Record& cell) {
  if (cell.is_null()) return "";
  if (cell.is_string()) return cell.get<std::string>();
  if (!cell.is_number()) return cell.dump();
  const double value = cell.get<double>();
  switch (column.show) {
    case Show::Percent:
      return fmt::format("{:.1f} %", 100 * value);
    case Show::Times:
      return fmt::format("{:.3g} x", value);
    case Show::Count:
    case Show::Text:
      return fmt::format("{}", value);
    case Show::Number:
      break;
  }
  return number_text(value);
}

std::string heading(const Column& column) {
  return column.unit.empty() ? column.title : fmt::format("{} ({})", column.title, column.unit);
}

std::string to_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(width(heading(column)));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], width(cell_text(table.columns[c], row[c])));
  const auto line = [&](auto&& cell) {
    std::string out;
    for (std::size_t c = 0; c < widths.size(); ++c)
      out += (c == 0 ? "" : "  ") + padded(cell(c), widths[c], table.columns[c].show == Show::Text);
    return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = table.title + "\n" + line([&](std::size_t c) { return heading(table.columns[c]); }) +
                    line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : table.rows)
    out += line([&](std::size_t c) { return cell_text(table.columns[c], row[c]); });
  return table.note.empty() ? out : out + table.note + "\n";
}

std::string to_markdown(const Table& table) {
  std::string out = fmt::format("**{}**\n\n|", table.title);
  for (const Column& column : table.columns) out += " " + escaped(heading(column)) + " |";
  out += "\n|";
  for (const Column& column : table.columns) out += column.show == Show::Text ? "---|" : "--:|";
  for (const auto& row : table.rows) {
    out += "\n|";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += " " + escaped(cell_text(table.columns[c], row[c])) + " |";
  }
  out += "\n";
  return table.note.empty() ? out : out + "\n" + table.note + "\n";
}

Record to_record(const Table& table) {
  Record columns = Record::array(), rows = Record::array();
  const std::vector<std::string> names = different_names(table.columns);
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::string& unit = table.columns[c].unit;
    columns.push_back({{"name", names[c]}, {"unit", unit.empty() ? Record() : Record(unit)}});
  }
  for (const auto& row : table.rows) {
    Record members = Record::object();
    for (std::size_t c = 0; c < row.size(); ++c) members[names[c]] = row[c];
    rows.push_back(members);
  }
  Record out{{"title", table.title}, {"columns", columns}, {"rows", rows}};
  if (!table.note.empty()) out.emplace("note", table.note);
  return out;
}

}  // namespace memstencil::compare
