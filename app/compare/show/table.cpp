// Tables and sections of a report, drawn from the answer: as text and as Markdown.
#include "app/compare/show/table.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace memstencil::compare {

namespace {

/// Characters of a line of the first screen.
constexpr std::size_t screen_width = 100;
const std::string gap = "  ";

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string blanks(to - std::min(to, text_width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

/// A cell that repeats the one above it in the first column says nothing.
std::string table_text(const Table& table) {
  const std::vector<Column>& columns = table.columns;
  constexpr std::size_t longest_name = 34;
  std::vector<std::size_t> widths;
  for (const Column& column : columns) widths.push_back(text_width(column.title));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(row[c]));
  widths[0] = std::min(widths[0], longest_name);
  const auto line = [&](auto&& cell) {
    std::string out;
    for (std::size_t c = 0; c < columns.size(); ++c)
      out += (c == 0 ? "" : gap) + padded(cell(c), widths[c], columns[c].text);
    return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = table.title.empty() ? "" : wrapped(table.title, screen_width) + "\n";
  out += line([&](std::size_t c) { return columns[c].title; });
  std::string above;
  for (const auto& row : table.rows) {
    const bool alone = text_width(row[0]) > widths[0] && row[0] != above;  // above its row
    if (alone) out += row[0] + "\n";
    out += line([&](std::size_t c) { return c == 0 && (alone || row[c] == above) ? "" : row[c]; });
    above = row.front();
  }
  return table.note.empty() ? out : out + wrapped(table.note, screen_width) + "\n";
}

std::string section_text(const Section& section) {
  std::string out =
      fmt::format("\n{}\n{}\n", section.title, std::string(text_width(section.title), '='));
  for (const std::string& sentence : section.sentences)
    out += "- " + wrapped(sentence, screen_width - 2, 2) + "\n";
  for (const Table& table : section.tables) out += "\n" + table_text(table);
  return out;
}

/// Leaves out all beyond `most`. @returns how many
std::size_t cut(Section& section) {
  std::size_t fewer = 0;
  const auto keep = [&](auto& items) {
    const std::size_t kept = std::min(items.size(), section.most);
    fewer += items.size() - kept;
    items.resize(kept);
  };
  keep(section.sentences);
  for (Table& table : section.tables) keep(table.rows);
  return fewer;
}

/// A bar would end the cell.
std::string without_bars(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

std::string table_markdown(const Table& table) {
  std::string out = table.title.empty() ? "|" : fmt::format("**{}**\n\n|", table.title);
  for (const Column& column : table.columns) out += " " + without_bars(column.title) + " |";
  out += "\n|";
  for (const Column& column : table.columns) out += column.text ? "---|" : "--:|";
  for (const auto& row : table.rows) {
    out += "\n|";
    for (std::size_t c = 0; c < row.size(); ++c) out += " " + without_bars(row[c]) + " |";
  }
  return out + "\n" + (table.note.empty() ? "" : "\n" + table.note + "\n");
}

std::string section_markdown(const Section& section) {
  std::string out = "\n## " + section.title + "\n";
  for (const std::string& sentence : section.sentences) out += "\n- " + sentence;
  if (!section.sentences.empty()) out += "\n";
  for (const Table& table : section.tables) out += "\n" + table_markdown(table);
  return out;
}

/// The column's cell in a row of the answer; null if there is none.
const Record* cell_of(const Record& row, const Column& column) {
  const Record* found = find(row, column.member);
  return found == nullptr || *found == "" ? nullptr : found;
}

/// As a person reads it; nothing for null.
std::string cell_text(const Column& column, const Record& row) {
  static const std::set<std::string> fractions{
      "half_width", "fraction", "fraction_of_theory", "efficiency", "exposed_messages", "error"};
  static const std::set<std::string> ratios{"to_base", "speedup", "to_published"};
  const Record* cell = cell_of(row, column);
  if (cell == nullptr) return "";
  if (!cell->is_number_float()) return plain_text(*cell);
  const double value = cell->get<double>();
  if (fractions.contains(column.member)) return percent(value);
  if (ratios.contains(column.member)) return times_text(value) + " x";
  return four_digits(value);
}

}  // namespace

std::vector<Table> table_of(const Record& rows, const std::string& title,
                            const std::vector<Column>& columns, const std::string& note) {
  Table table{title, {}, std::vector<std::vector<std::string>>(rows.size()), note};
  for (Column column : columns) {
    if (column.title.empty()) column.title = column.member.substr(column.member.rfind('.') + 1);
    std::ranges::replace(column.title, '_', ' ');
    std::vector<std::string> cells;
    bool any = false;
    for (const Record& row : rows) {
      const Record* cell = cell_of(row, column);
      any = any || cell != nullptr;
      column.text = column.text && (cell == nullptr || !cell->is_number());
      cells.push_back(cell_text(column, row));
    }
    if (!any) continue;
    table.columns.push_back(column);
    for (std::size_t r = 0; r < cells.size(); ++r) table.rows[r].push_back(std::move(cells[r]));
  }
  return rows.empty() ? std::vector<Table>{} : std::vector{table};
}

std::string to_text(const std::vector<Section>& sections, bool full) {
  std::string out;
  for (Section section : sections) {
    const std::size_t fewer = full ? 0 : cut(section);
    out += section_text(section);
    if (fewer > 0) out += fmt::format("and {} (--full)\n", counted(fewer, "more row"));
  }
  return out;
}

std::string to_markdown(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections) out += section_markdown(section);
  return out;
}

}  // namespace memstencil::compare
