// Tables and sections as text and as Markdown.
#include "app/base/record/text_report.hpp"
#include "app/compare/show/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <regex>
#include <set>

namespace memstencil::compare {

namespace {

/// Characters of a line of a section.
constexpr std::size_t usual_width = 100;
constexpr std::size_t longest_name = 24;
const std::string gap = "  ";

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string blanks(to - std::min(to, text_width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

std::string trimmed(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(text_width(column.title));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(row[c]));
  widths[0] = std::min(widths[0], longest_name);
  return widths;
}

bool has_reasons(const Table& table) { return table.columns.back().title == why_title; }

std::string section_text(const Section& section) {
  std::string out =
      fmt::format("\n{}\n{}\n", section.title, std::string(text_width(section.title), '='));
  for (const std::string& sentence : section.sentences)
    out += "- " + wrapped(sentence, usual_width - 2, 2) + "\n";
  return section.table.rows.empty() ? out : out + "\n" + to_text(section.table, usual_width);
}

/// Leaves out all but the first ones. @returns how many
std::size_t cut(Section& section) {
  std::size_t fewer = 0;
  const auto keep = [&](auto& items) {
    const std::size_t kept = std::min(items.size(), most_shown);
    fewer += items.size() - kept;
    items.resize(kept);
  };
  keep(section.sentences);
  keep(section.table.rows);
  return fewer;
}

/// A bar would end the cell.
std::string without_bars(const std::string& text) {
  static const std::regex bar("\\|");
  return std::regex_replace(text, bar, "\\|");
}

std::string table_markdown(const Table& table) {
  std::string out = "\n|";
  for (const Column& column : table.columns) out += " " + without_bars(column.title) + " |";
  out += "\n|";
  for (const Column& column : table.columns) out += column.text ? "---|" : "--:|";
  for (const auto& row : table.rows) {
    out += "\n|";
    for (const std::string& cell : row) out += " " + without_bars(cell) + " |";
  }
  return out + "\n" + (table.note.empty() ? "" : "\n" + table.note + "\n");
}

/// The member of a row of the answer; null if there is none.
const Record* member_of(const Record& row, const std::string& member) {
  const Record* found = find(row, member);
  return found == nullptr || *found == "" ? nullptr : found;
}

/// As a person reads it; nothing for null.
std::string cell_text(const std::string& member, const Record* cell) {
  static const std::set<std::string> fractions{
      "half_width", "fraction", "fraction_of_theory", "efficiency", "exposed_messages", "error"};
  static const std::set<std::string> ratios{"to_base", "speedup", "to_published"};
  if (cell == nullptr) return "";
  if (!cell->is_number_float()) return plain_text(*cell);
  const double value = cell->get<double>();
  if (fractions.contains(member)) return percent(value);
  if (ratios.contains(member)) return times_text(value) + " x";
  return four_digits(value);
}

}  // namespace

Table table_of(const Record& rows, const std::vector<std::string>& members,
               const std::string& note) {
  Table table{.rows = std::vector<std::vector<std::string>>(rows.size()), .note = note};
  for (const std::string& member : members) {
    Column column{.title = member.substr(member.rfind('.') + 1), .text = true};
    std::ranges::replace(column.title, '_', ' ');
    if (std::ranges::none_of(rows, [&](const Record& row) { return member_of(row, member); }))
      continue;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Record* cell = member_of(rows[r], member);
      column.text = column.text && (cell == nullptr || !cell->is_number());
      table.rows[r].push_back(cell_text(member, cell));
    }
    table.columns.push_back(column);
  }
  return table;
}

std::size_t width_of(const Table& table) {
  const std::vector<std::size_t> widths = widths_of(table);
  const std::size_t count = widths.size() - (has_reasons(table) ? 1 : 0);
  return std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(count),
                         gap.size() * (count - 1));
}

/// A cell that repeats the one above it in the first column says nothing; one that is too long
/// stands above its row.
std::string to_text(const Table& table, std::size_t width) {
  const std::vector<std::size_t> widths = widths_of(table);
  const bool reasons = has_reasons(table);
  std::vector<std::string> titles;
  for (const Column& column : table.columns) titles.push_back(column.title);
  const auto line = [&](const std::string& first, const std::vector<std::string>& cells) {
    std::string out = padded(first, widths[0], table.columns[0].text);
    for (std::size_t c = 1; c < cells.size() - (reasons ? 1 : 0); ++c)
      out += gap + padded(cells[c], widths[c], table.columns[c].text);
    return out;
  };
  std::string out = trimmed(line(titles[0], titles)) + "\n", above;
  for (const auto& row : table.rows) {
    const bool alone = text_width(row[0]) > widths[0] && row[0] != above;
    if (alone) out += wrapped(row[0], std::max(width, usual_width)) + "\n";
    const std::string text = line(alone || row[0] == above ? "" : row[0], row),
                      reason = reasons ? row.back() : "";
    above = row[0];
    const bool has_room = text_width(text + gap + reason) <= width;
    out += trimmed(has_room ? text + gap + reason : text) + "\n";
    if (!has_room && !reason.empty()) out += "    " + wrapped(reason, width - 4, 4) + "\n";
  }
  return table.note.empty() ? out : out + wrapped(table.note, width) + "\n";
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
  for (const Section& section : sections) {
    out += "\n## " + section.title + "\n";
    for (const std::string& sentence : section.sentences) out += "\n- " + sentence;
    if (!section.sentences.empty()) out += "\n";
    if (!section.table.rows.empty()) out += table_markdown(section.table);
  }
  return out;
}

}  // namespace memstencil::compare
