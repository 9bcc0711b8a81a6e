// The screen as text of a given width, and as sections for Markdown and the page.
#include "app/base/record/text_report.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"
#include "app/compare/show/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {

namespace {

/// From this number of sides on cells are seconds and the ratio to the base.
constexpr std::size_t many_sides = 4;
constexpr std::size_t wide_screen = 100;
constexpr std::size_t longest_side = 12;
/// Rows of a block without --full.
constexpr std::size_t most_rows = 8;

/// A long name's start, or its end if another one starts alike. Letters of several bytes stay
/// whole.
std::string cut_to(const std::string& name, const std::vector<std::string>& all) {
  if (name.size() <= longest_side || text_width(name) < name.size()) return name;
  const std::string start = name.substr(0, longest_side - 2);
  const auto alike = [&](const std::string& each) { return each.starts_with(start); };
  return std::ranges::count_if(all, alike) == 1 ? start + ".."
                                                : ".." + name.substr(name.size() - start.size());
}

/// The cell of a side, or null.
Record cell_of(const Record& row, const std::string& side) {
  return row.at("sides").value(side, Record());
}

std::string half_text(const Record& cell) {
  const Record half = cell.value("half_width", Record());
  return half.is_null() ? "" : fmt::format("\u00b1 {:.0f} %", 100 * half.get<double>());
}

/// "~": scaled from another number of steps; "?": with assumed figures.
std::string seconds_of(const Record& cell, bool with_unit) {
  if (cell.is_null()) return "-";
  const double seconds = number(cell, "seconds");
  return (cell.at("scaled") == true ? "~" : "") +
         (with_unit ? short_seconds(seconds) : three_digits(seconds)) +
         (cell.at("assumed") == true ? "?" : "");
}

/// In brackets where no difference can be told.
std::string ratio_text(const Record& cell) {
  if (!cell.contains("told")) return "";
  const std::string times = times_text(number(cell, "times_the_base"));
  return cell.at("told") == true ? times : "(" + times + ")";
}

/// How many times the side's best; of the best nothing.
std::string to_best(const Record& cell) {
  const double times = number_or(cell, "to_best", 1);
  return times > 1 ? times_text(times) : "";
}

/// Compact: seconds and the ratio to the base; full: with every interval; page: with whole names.
struct Looks {
  bool compact = false, full = false, page = false;
};

/// A block's table for the sides from `first` to `last`. The base has no ratio to itself.
Table table_of_sides(const std::vector<std::string>& sides, const Record& block, std::size_t first,
                     std::size_t last, const Looks& looks) {
  const bool compact = looks.compact, full = looks.full;
  const auto name = [&](const std::string& text) {
    return looks.page ? text : cut_to(text, sides);
  };
  Table table{.columns = {{compact ? "seconds" : "case", true}}};
  const auto has_second = [&](std::size_t side) { return !compact || full || side > 0; };
  for (std::size_t side = first; side < last; ++side) {
    table.columns.push_back({name(sides[side])});
    if (has_second(side)) table.columns.push_back({compact ? "x base" : "x best"});
  }
  const std::size_t first_ratio = compact ? last : std::max<std::size_t>(first, 1);
  for (std::size_t side = first_ratio; side < last; ++side)
    table.columns.push_back({(looks.page ? sides[side] + " to " : "to ") + name(sides[0])});
  if (first == 0) table.columns.push_back({why_title, true});
  for (const Record& row : block.at("rows")) {
    auto& line = table.rows.emplace_back(std::vector{text(row, "name")});
    const bool interval = full || (table.rows.size() == 1 && !compact);
    for (std::size_t side = first; side < last; ++side) {
      const Record cell = cell_of(row, sides[side]);
      line.push_back(seconds_of(cell, !compact));
      const std::string half = interval && !cell.is_null() ? half_text(cell) : "",
                        times = compact ? ratio_text(cell) : to_best(cell);
      if (has_second(side))
        line.push_back(half + (half.empty() || times.empty() ? "" : " ") + times);
    }
    for (std::size_t side = first_ratio; side < last; ++side)
      line.push_back(ratio_text(cell_of(row, sides[side])));
    if (first == 0) line.push_back(text(row, "why"));
  }
  return table;
}

/// The meaning of each mark and word that these tables have.
std::string legend_of(const std::string& tables) {
  std::vector<std::string> found;
  for (const auto& [sign, meaning] :
       {std::pair{"  x best", "x best: times as long as the side's best"},
        {"  x base", "x base: times as fast as the first side"},
        {"  to ", "to NAME: times as fast as NAME"},
        {"  (", "(...): no difference can be told"},
        {"~", "~: scaled from another number of steps"},
        {"?", "?: figures behind it are assumed"},
        {"packed", "packed: all coefficients in one array"}})
    if (tables.find(sign) != std::string::npos) found.emplace_back(meaning);
  return fmt::format("{}", fmt::join(found, "; "));
}

}  // namespace

std::string block_text(const Record& answer, const Record& block, std::size_t width, bool full) {
  const std::vector<std::string> sides = side_names(answer);
  const Looks looks{.compact = sides.size() >= many_sides || width < wide_screen, .full = full};
  Record shown = block;
  Record::array_t& rows = shown["rows"].get_ref<Record::array_t&>();
  const std::size_t more = full || rows.size() <= most_rows ? 0 : rows.size() - most_rows;
  rows.resize(rows.size() - more);
  std::string out = "\n" + wrapped(text(block, "title"), width) + "\n";
  for (std::size_t first = 0, last = 0; first < sides.size(); first = last) {
    last = sides.size();
    Table table = table_of_sides(sides, shown, first, last, looks);
    while (last > first + 1 && width_of(table) > width)
      table = table_of_sides(sides, shown, first, --last, looks);
    out += to_text(table, width);
  }
  return more == 0 ? out : out + fmt::format("and {} (--full)\n", counted(more, "more row"));
}

std::string screen_text(const Record& answer, std::size_t width, bool full) {
  const Record& screen = answer.at("screen");
  std::string out;
  for (const std::string& sentence : texts(answer, "sentences"))
    out += wrapped(sentence, width) + "\n";
  std::string tables;
  for (const Record& block : screen.at("blocks")) tables += block_text(answer, block, width, full);
  out += tables;
  if (!tables.empty()) out += wrapped(legend_of(tables), width) + "\n";
  if (screen.at("also") != "") out += "\n" + wrapped(text(screen, "also"), width) + "\n";
  if (!screen.at("know").empty()) out += "\nBefore quoting it\n";
  for (const Record& each : screen.at("know"))
    out += "- " + wrapped(each.get<std::string>(), width - 2, 2) + "\n";
  return out;
}

std::vector<Section> sections_of_screen(const Record& answer) {
  const std::vector<std::string> sides = side_names(answer);
  const Record& screen = answer.at("screen");
  std::vector<Section> sections{{.title = "Answer", .sentences = texts(answer, "sentences")}};
  for (const Record& block : screen.at("blocks"))
    sections.push_back(
        {.title = text(block, "title"),
         .table = table_of_sides(sides, block, 0, sides.size(), {.full = true, .page = true})});
  if (screen.at("also") != "")
    sections.push_back({.title = "Also", .sentences = {text(screen, "also")}});
  sections.push_back({.title = "Before quoting it", .sentences = texts(screen, "know")});
  std::erase_if(sections, [](const Section& section) { return section.empty(); });
  return sections;
}

}  // namespace memstencil::compare
