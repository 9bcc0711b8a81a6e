// A table of a report: columns with units, rows of cells, and how a cell is written.
#include "app/compare/table.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memstencil::compare {

namespace {

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string blanks(to - std::min(to, text_width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

/// A bar would end the cell.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

const std::string column_gap = "  ";

std::string without_blanks_behind(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  std::size_t sum = column_gap.size() * (widths.size() - 1);
  for (const std::size_t each : widths) sum += each;
  return sum;
}

/// The last column takes what the others leave.
void fit_last(std::vector<std::size_t>& widths, std::size_t most) {
  constexpr std::size_t least = 20;
  const std::size_t others = total_width(widths) - widths.back();
  widths.back() = std::min(widths.back(), std::max(least, most - std::min(most, others)));
}

/// A row whose last cell begins at `before`, wrapped there.
std::string wrapped_last(const std::string& row, std::size_t before, std::size_t most) {
  if (most == 0 || text_width(row) <= most + 1) return row;
  std::size_t at = 0;  // in bytes
  for (std::size_t seen = 0; at < row.size(); ++at)
    if ((static_cast<unsigned char>(row[at]) & 0xC0) != 0x80 && seen++ == before) break;
  const std::string cell = row.substr(at);
  return row.substr(0, at) + indented(wrapped(cell, most > before ? most - before : 1), before) +
         "\n";
}

/// The groups' names, each above the first of its columns; widens a group whose name is
/// longer. Nothing without groups.
std::string group_line(const std::vector<Column>& columns, std::vector<std::size_t>& widths) {
  std::string out;
  bool any = false;
  for (std::size_t c = 0, end = 0; c < columns.size(); c = end) {
    std::size_t all = 0;
    for (end = c; end < columns.size() && columns[end].group == columns[c].group; ++end)
      all += widths[end] + (end == c ? 0 : column_gap.size());
    any = any || !columns[c].group.empty();
    const std::size_t name = text_width(columns[c].group);
    if (name > all) widths[end - 1] += name - all;
    out += (c == 0 ? "" : column_gap) + padded(columns[c].group, std::max(all, name), true);
  }
  return any ? without_blanks_behind(out) + "\n" : "";
}

std::string full_heading(const Column& column) {
  const std::string name = full_name(column);
  return column.unit.empty() ? name : fmt::format("{} ({})", name, column.unit);
}

/// The titles, numbered where an earlier column has the same.
std::vector<std::string> different_names(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    std::string name = full_name(column);
    for (int n = 2; std::find(names.begin(), names.end(), name) != names.end(); ++n)
      name = fmt::format("{} [{}]", full_name(column), n);
    names.push_back(name);
  }
  return names;
}

/// `unwanted(c)`: of each column.
template <class Unwanted>
void erase_columns(Table& table, Unwanted unwanted) {
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    if (!unwanted(c)) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
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
      return value < 9.995 ? fmt::format("{:.2f} x", value) : fmt::format("{:.1f} x", value);
    case Show::Count:
    case Show::Text:
      return fmt::format("{}", value);
    case Show::Number:
      break;
  }
  return number_text(value);
}

std::string heading(const Column& column) {
  if (column.title.empty()) return column.unit;
  return column.unit.empty() ? column.title : fmt::format("{} ({})", column.title, column.unit);
}

std::string full_name(const Column& column) {
  if (column.group.empty()) return column.title;
  return column.title.empty() ? column.group : column.group + " " + column.title;
}

Table without_details(Table table) {
  erase_columns(table, [&table](std::size_t c) { return table.columns[c].detail; });
  return table;
}

Table without_empty_columns(Table table) {
  erase_columns(table, [&table](std::size_t c) {
    return std::all_of(table.rows.begin(), table.rows.end(),
                       [c](const auto& row) { return row[c].is_null(); });
  });
  return table;
}

std::string to_text(const Table& whole, std::size_t most) {
  const Table table = without_details(whole);
  const std::vector<Column>& columns = table.columns;
  std::vector<std::size_t> widths;
  for (const Column& column : columns) widths.push_back(text_width(heading(column)));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(cell_text(columns[c], row[c])));
  // A number is not wrapped.
  if (most > 0 && table.columns.back().show == Show::Text) fit_last(widths, most);
  const std::string groups = group_line(columns, widths);
  const auto line = [&](auto&& cell) {
    std::string out;
    for (std::size_t c = 0; c < widths.size(); ++c)
      out += (c == 0 ? "" : column_gap) + padded(cell(c), widths[c], columns[c].show == Show::Text);
    return without_blanks_behind(out) + "\n";
  };
  const auto sentence = [&](const std::string& text) {
    return text.empty() ? "" : (most > 0 ? wrapped(text, most) : text) + "\n";
  };
  std::string out =
      sentence(table.title) + groups + line([&](std::size_t c) { return heading(columns[c]); });
  if (most == 0) out += line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : table.rows) {
    const std::string text = line([&](std::size_t c) { return cell_text(columns[c], row[c]); });
    out += wrapped_last(text, total_width(widths) - widths.back(),
                        table.columns.back().show == Show::Text ? most : 0);
  }
  return out + sentence(table.note);
}

std::string to_markdown(const Table& whole) {
  const Table table = without_details(whole);
  std::string out = fmt::format("**{}**\n\n|", table.title);
  for (const Column& column : table.columns) out += " " + escaped(full_heading(column)) + " |";
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
