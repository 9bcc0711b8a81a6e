// Tables and sections of a report, drawn from the answer: as text and as Markdown.
#include "app/compare/document.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/reasons.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace memstencil::compare {

namespace {

/// Characters of a line of the first screen.
constexpr std::size_t screen_width = 100;
constexpr std::ptrdiff_t most_lines = 57;   // and up to three that say what is left out
constexpr std::size_t least_of_texts = 34;  // of a last column that is wrapped
const std::string gap = "  ";

std::string padded(const std::string& text, std::size_t to, bool left) {
  const std::string blanks(to - std::min(to, text_width(text)), ' ');
  return left ? text + blanks : blanks + text;
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(text_width(column.title));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(row[c]));
  return widths;
}

/// The table with these columns alone, the first of which name the rows; rows that have nothing
/// else are left out.
Table part_of(const Table& table, const std::vector<std::size_t>& picked, std::ptrdiff_t names) {
  Table part;
  for (const std::size_t c : picked) part.columns.push_back(table.columns[c]);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::size_t c : picked) cells.push_back(row[c]);
    if (std::any_of(cells.begin() + names, cells.end(),
                    [](const auto& each) { return each != ""; }))
      part.rows.push_back(std::move(cells));
  }
  return part;
}

/// Of a table with columns for each side those that a screen has room for, then the others, each
/// time with the columns that name the rows. Columns of one side stay together.
std::vector<Table> parts_of(const Table& table) {
  const std::vector<Column>& columns = table.columns;
  std::vector<std::size_t> widths = widths_of(table), names;
  if (columns.back().text) widths.back() = std::min(widths.back(), least_of_texts);
  for (std::size_t& width : widths) width += gap.size();
  while (names.size() < columns.size() && columns[names.size()].key.empty())
    names.push_back(names.size());
  if (names.size() == columns.size()) return {table};  // of no side
  const auto width_of = [&](std::size_t from, std::size_t to) {
    return std::accumulate(&widths[from], &widths[0] + to, std::size_t{0});
  };
  std::vector<std::vector<std::size_t>> picked{names};
  std::size_t used = width_of(0, names.size());
  for (std::size_t c = names.size(), end = c; c < columns.size(); c = end) {
    while (end < columns.size() && columns[end].key == columns[c].key) ++end;
    if (used + width_of(c, end) > screen_width + gap.size() && picked.back() != names) {
      picked.push_back(names);
      used = width_of(0, names.size());
    }
    used += width_of(c, end);
    for (std::size_t each = c; each < end; ++each) picked.back().push_back(each);
  }
  std::vector<Table> parts;
  for (const auto& each : picked)
    parts.push_back(part_of(table, each, static_cast<std::ptrdiff_t>(names.size())));
  std::erase_if(parts, [](const Table& part) { return part.rows.empty(); });
  parts.front().title = table.title;
  parts.back().note = table.note;
  return parts;
}

std::string table_text(const Table& table, bool wrap) {
  const std::vector<Column>& columns = table.columns;
  const bool wraps = wrap && columns.back().text && columns.size() > 1;
  std::vector<std::size_t> widths = widths_of(table);
  std::size_t before = 0;
  for (std::size_t c = 0; c + 1 < widths.size(); ++c) before += widths[c] + gap.size();
  // A last column of texts takes what the others leave.
  if (wraps)
    widths.back() = std::min(
        widths.back(), std::max(least_of_texts, screen_width - std::min(before, screen_width)));
  const auto line = [&](auto&& cell) {
    std::string out;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      std::string text = cell(c);
      if (wraps && c + 1 == widths.size()) text = wrapped(text, widths[c], before);
      out += (c == 0 ? "" : gap) + padded(text, widths[c], columns[c].text);
    }
    return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = table.title.empty() ? "" : wrapped(table.title, screen_width) + "\n";
  out += line([&](std::size_t c) { return columns[c].title; });
  for (const auto& row : table.rows) out += line([&](std::size_t c) { return row[c]; });
  return table.note.empty() ? out : out + wrapped(table.note, screen_width) + "\n";
}

std::string section_text(const Section& section, bool first) {
  std::string out = "\n" + section.title + "\n";
  if (!first) out += std::string(text_width(section.title), '=') + "\n";
  for (const std::string& sentence : section.sentences)
    out += "- " + wrapped(sentence, screen_width - 2, 2) + "\n";
  for (const Table& table : section.tables) {
    std::string before = first ? "" : "\n";
    for (const Table& part : first ? parts_of(table) : std::vector{table})
      out += std::exchange(before, "\n") + table_text(part, first);
  }
  return out;
}

std::string first_text(const Document& document) {
  std::string out = wrapped(document.title, screen_width) + "\n";
  for (const Section& section : document.first) out += section_text(section, true);
  return out;
}

/// Leaves out the last row, or else the columns of the last side. @returns what it was; empty where
/// there is none
std::string shorten(Table& table) {
  if (table.rows.size() > 1) {
    table.rows.pop_back();
    return "the last rows of the table";
  }
  const auto last = std::find_if(table.columns.rbegin(), table.columns.rend(),
                                 [](const Column& column) { return !column.key.empty(); });
  if (last == table.columns.rend()) return "";
  const std::string side = last->key;
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    if (table.columns[c].key != side) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    table.rows.front().erase(table.rows.front().begin() + at);
  }
  return "the last sides of the table";
}

/// Leaves out the last section that can wait, or else a part of the first table, or else the last
/// of most sentences.
/// @returns whether there was one
bool shorten(Document& document, std::vector<std::string>& left_out) {
  std::vector<Section>& first = document.first;
  const auto last = std::find_if(first.rbegin(), first.rend(),
                                 [](const Section& section) { return section.can_wait; });
  if (last != first.rend()) {
    left_out.push_back(last->title);
    first.erase(std::next(last).base());
    return true;
  }
  const auto table = std::find_if(first.begin(), first.end(),
                                  [](const Section& section) { return !section.tables.empty(); });
  const auto most = std::max_element(first.begin(), first.end(), [](const auto& a, const auto& b) {
    return a.sentences.size() < b.sentences.size();
  });
  std::string what = table == first.end() ? "" : shorten(table->tables.front());
  if (what.empty()) {
    if (most == first.end() || most->sentences.size() < 2) return false;
    what = "the last sentences";  // of many sides
    most->sentences.pop_back();
  }
  if (left_out.empty() || left_out.back() != what) left_out.push_back(what);
  return true;
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

/// The column's cell in a row of the answer; null where there is none.
const Record* cell_of(const Record& row, const Column& column) {
  const Record* found = find(row, column.member);
  if (found != nullptr && !column.key.empty()) {
    const auto of_key = found->find(column.key);
    found = of_key == found->end() ? nullptr : &*of_key;
  }
  return found == nullptr || found->is_null() || *found == "" ? nullptr : found;
}

/// As a person reads it; nothing for null.
std::string cell_text(const Column& column, const Record* cell) {
  if (cell == nullptr) return "";
  if (!cell->is_number_float()) return plain_text(*cell);
  const double value = cell->get<double>();
  if (column.show == Show::Percent) return fmt::format("{:.1f} %", 100 * value);
  return column.show == Show::Times ? times_text(value) + " x" : number_text(value);
}

}  // namespace

std::vector<Column> columns_of(const std::vector<std::string>& members) {
  static const std::set<std::string> fractions{
      "spread", "fraction", "fraction_of_theory", "efficiency", "exposed_messages", "error"};
  static const std::set<std::string> ratios{"to_best",   "to_base", "step_to_base", "limits",
                                            "fractions", "speedup", "to_published"};
  std::vector<Column> columns;
  for (const std::string& member : members) {
    std::string title = member.substr(member.rfind('.') + 1);
    std::replace(title.begin(), title.end(), '_', ' ');
    const Show show = fractions.count(member) > 0 ? Show::Percent
                      : ratios.count(member) > 0  ? Show::Times
                                                  : Show::Plain;
    columns.push_back({member, title, show});
  }
  return columns;
}

std::vector<Table> table_of(const Record& rows, const std::string& title,
                            const std::vector<Column>& columns, const std::string& note) {
  Table table{title, {}, std::vector<std::vector<std::string>>(rows.size()), note};
  for (Column column : columns) {
    std::vector<std::string> cells;
    bool any = false;
    for (const Record& row : rows) {
      const Record* cell = cell_of(row, column);
      any = any || cell != nullptr;
      column.text = column.text && (cell == nullptr || !cell->is_number());
      cells.push_back(cell_text(column, cell));
    }
    if (!any) continue;
    table.columns.push_back(column);
    for (std::size_t r = 0; r < cells.size(); ++r) table.rows[r].push_back(std::move(cells[r]));
  }
  return rows.empty() ? std::vector<Table>{} : std::vector{table};
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (size == 0 || size >= 1e9 || size < 1e-3) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, 3 - static_cast<int>(std::floor(std::log10(size))));
}

std::string to_text(Document document, bool full) {
  std::string out = first_text(document);
  std::vector<std::string> left_out;
  while (document.one_screen && !full && std::count(out.begin(), out.end(), '\n') > most_lines &&
         shorten(document, left_out))
    out = first_text(document);
  if (full)
    for (const Section& section : document.rest) out += section_text(section, false);
  std::size_t rows = 0;
  for (const Section& section : document.rest)
    for (const Table& table : section.tables) rows += table.rows.size();
  if (!full && rows > 0) left_out.push_back(fmt::format("{} of tables", counted(rows, "row")));
  if (left_out.empty()) return out;
  return out + "\n" +
         wrapped(fmt::format("Left out: {}. --full prints all, --html FILE makes a page of it.",
                             fmt::join(left_out, ", ")),
                 screen_width) +
         "\n";
}

std::string to_markdown(const Document& document) {
  std::string out = "# " + document.title + "\n";
  for (const auto* part : {&document.first, &document.rest})
    for (const Section& section : *part) out += section_markdown(section);
  return out;
}

}  // namespace memstencil::compare
