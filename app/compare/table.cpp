// Tables and sections of a report, drawn from the answer: as text and as Markdown.
#include "app/compare/document.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace memstencil::compare {

namespace {

/// Characters of a line of the first screen.
constexpr std::size_t screen_width = 100;
const std::string gap = "  ";

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string blanks(to - std::min(to, text_width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

std::string without_blanks_at_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  std::size_t sum = gap.size() * (widths.size() - 1);
  for (const std::size_t each : widths) sum += each;
  return sum;
}

/// The groups' names, each above the first of its columns; widens a group whose name is longer.
/// Nothing without groups.
std::string group_line(const std::vector<Column>& columns, std::vector<std::size_t>& widths) {
  std::string out;
  bool any = false;
  for (std::size_t c = 0, end = 0; c < columns.size(); c = end) {
    std::size_t all = 0;
    for (end = c; end < columns.size() && columns[end].group == columns[c].group; ++end)
      all += widths[end] + (end == c ? 0 : gap.size());
    any = any || !columns[c].group.empty();
    const std::size_t name = text_width(columns[c].group);
    if (name > all) widths[end - 1] += name - all;
    out += (c == 0 ? "" : gap) + padded(columns[c].group, std::max(all, name), true);
  }
  return any ? without_blanks_at_end(out) + "\n" : "";
}

/// A last column of texts takes what the others leave, but for so much on a line of its own.
std::size_t width_of_last(const std::vector<std::size_t>& widths) {
  constexpr std::size_t least = 34;
  const std::size_t others = total_width(widths) - widths.back();
  return others + least > screen_width ? least : screen_width - others;
}

std::string table_text(const Table& table, bool wrap) {
  const std::vector<Column>& columns = table.columns;
  const bool wraps = wrap && columns.back().show == Show::Text && columns.size() > 1;
  std::vector<std::size_t> widths;
  for (const Column& column : columns) widths.push_back(text_width(column.title));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(cell_text(columns[c], row[c])));
  const std::string groups = group_line(columns, widths);
  if (wraps) widths.back() = std::min(widths.back(), width_of_last(widths));
  const std::size_t before = total_width(widths) - widths.back();
  const auto line = [&](auto&& cell) {
    std::string out;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      std::string text = cell(c);
      if (wraps && c + 1 == widths.size()) text = indented(wrapped(text, widths[c]), before);
      out += (c == 0 ? "" : gap) + padded(text, widths[c], columns[c].show == Show::Text);
    }
    return without_blanks_at_end(out) + "\n";
  };
  std::string out = table.title.empty() ? "" : wrapped(table.title, screen_width) + "\n";
  out += groups + line([&](std::size_t c) { return columns[c].title; });
  for (const auto& row : table.rows)
    out += line([&](std::size_t c) { return cell_text(columns[c], row[c]); });
  return table.note.empty() ? out : out + wrapped(table.note, screen_width) + "\n";
}

std::string section_text(const Section& section, bool first) {
  std::string out = "\n" + section.title + "\n";
  if (!first) out += std::string(text_width(section.title), '=') + "\n";
  for (const std::string& sentence : section.sentences)
    out += "- " + indented(wrapped(sentence, screen_width - 2), 2) + "\n";
  for (std::size_t n = 0; n < section.tables.size(); ++n)
    out += (n == 0 && section.sentences.empty() && first ? ""
            : first                                      ? ""
                                                         : "\n") +
           table_text(section.tables[n], first);
  return out;
}

/// A bar would end the cell.
std::string without_bars(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

std::string table_markdown(const Table& table) {
  std::string out = table.title.empty() ? "|" : fmt::format("**{}**\n\n|", table.title);
  for (const Column& column : table.columns)
    out +=
        " " + without_bars(column.group + (column.group.empty() ? "" : " ") + column.title) + " |";
  out += "\n|";
  for (const Column& column : table.columns) out += column.show == Show::Text ? "---|" : "--:|";
  for (const auto& row : table.rows) {
    out += "\n|";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += " " + without_bars(cell_text(table.columns[c], row[c])) + " |";
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

}  // namespace

std::size_t Document::rows_of_rest() const {
  std::size_t rows = 0;
  for (const Section& section : rest)
    for (const Table& table : section.tables) rows += table.rows.size();
  return rows;
}

std::vector<Table> table_of(const Record& rows, const std::string& title,
                            const std::vector<Column>& columns, const std::string& note) {
  Table table{title, {}, {}, note};
  for (const Column& column : columns)
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const Record& row) { return cell_of(row, column) != nullptr; }))
      table.columns.push_back(column);
  for (const Record& row : rows) {
    table.rows.emplace_back();
    for (const Column& column : table.columns) {
      const Record* cell = cell_of(row, column);
      table.rows.back().push_back(cell == nullptr ? Record() : *cell);
    }
  }
  return rows.empty() ? std::vector<Table>{} : std::vector{table};
}

const Record* cell_of(const Record& row, const Column& column) {
  const Record* found = find(row, column.member);
  if (found != nullptr && !column.key.empty()) {
    const auto of_key = found->find(column.key);
    found = of_key == found->end() ? nullptr : &*of_key;
  }
  return found == nullptr || found->is_null() || *found == "" ? nullptr : found;
}

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

std::string to_text(const Document& document, bool full) {
  std::string out = wrapped(document.title, screen_width) + "\n";
  for (const Section& section : document.first) out += section_text(section, true);
  if (document.rest.empty()) return out;
  if (!full)
    return out + fmt::format(
                     "\nLeft out: {} rows of tables. --full prints them, --html FILE makes "
                     "a page of all.\n",
                     document.rows_of_rest());
  for (const Section& section : document.rest) out += section_text(section, false);
  return out;
}

std::string to_markdown(const Document& document) {
  std::string out = "# " + document.title + "\n";
  for (const auto* part : {&document.first, &document.rest})
    for (const Section& section : *part) out += section_markdown(section);
  return out;
}

}  // namespace memstencil::compare
