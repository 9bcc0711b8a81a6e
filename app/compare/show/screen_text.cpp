// The screen as text of a given width, and as sections for Markdown and the page.
#include "app/compare/show/screen.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/read/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace memstencil::compare {

namespace {

/// From this number of sides on cells are seconds and the ratio to the base.
constexpr std::size_t many_sides = 4;
constexpr std::size_t wide_screen = 100;
constexpr std::size_t column_gap = 2, longest_row_name = 24, longest_side = 14;

std::string cut_to(const std::string& text, std::size_t most) {
  return text_width(text) <= most ? text : text.substr(0, most - 2) + "..";
}

std::string half_text(const Cell& cell) {
  return cell.half ? fmt::format("\u00b1 {:.0f} %", 100 * *cell.half) : "";
}

/// "~": scaled from another number of steps; "?": with assumed figures.
std::string marked(const Cell& cell, const std::string& seconds) {
  return (cell.scaled ? "~" : "") + seconds + (cell.assumed ? "?" : "");
}

std::string seconds_text_of(const Cell& cell) {
  return cell.seconds ? marked(cell, short_seconds(*cell.seconds)) : "-";
}

/// In brackets where no difference can be told.
std::string ratio_text(const Cell& cell) {
  if (!cell.to_base) return "";
  const std::string times = times_text(cell.to_base->value);
  return cell.to_base->told() ? times : "(" + times + ")";
}

bool is_untold(const Cell& cell) { return cell.to_base && !cell.to_base->told(); }
bool is_assumed(const Cell& cell) { return cell.assumed; }
bool is_scaled(const Cell& cell) { return cell.scaled; }
bool is_slower(const Cell& cell) { return cell.to_best.value_or(1) > 1; }

/// Rows of a block without --full.
constexpr std::size_t most_rows = 8;

/// Cells of a row; the first column has the names.
using Lines = std::vector<std::vector<std::string>>;

/// A block's table for the sides from `first` to `last`, the titles of its columns first. The base
/// has no ratio to itself.
Lines lines_of(const Screen& screen, const Block& block, std::size_t first, std::size_t last,
               bool compact, bool full) {
  Lines lines{{compact ? "seconds" : ""}};
  for (std::size_t side = first; side < last; ++side) {
    lines[0].push_back(cut_to(screen.sides[side], longest_side));
    if (!compact || full || side > 0) lines[0].emplace_back("");
  }
  for (std::size_t side = std::max<std::size_t>(first, 1); !compact && side < last; ++side)
    lines[0].push_back(cut_to("to " + screen.sides[0], longest_side));
  for (const Row& row : block.rows) {
    auto& line = lines.emplace_back(std::vector{row.name});
    for (std::size_t side = first; side < last; ++side) {
      const Cell& cell = row.cells[side];
      line.push_back(compact && cell.seconds ? marked(cell, three_digits(*cell.seconds))
                                             : seconds_text_of(cell));
      const bool interval = full || (&row == &block.rows.front() && !compact);
      std::string second =
          compact ? ratio_text(cell)
                  : (cell.to_best && *cell.to_best > 1 ? times_text(*cell.to_best) : "");
      if (interval && cell.seconds) second = half_text(cell) + (second.empty() ? "" : " " + second);
      if (!compact || full || side > 0) line.push_back(second);
    }
    for (std::size_t side = std::max<std::size_t>(first, 1); !compact && side < last; ++side)
      line.push_back(ratio_text(row.cells[side]));
  }
  return lines;
}

std::vector<std::size_t> widths_of(const Lines& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (std::size_t n = 0; n < lines.size(); ++n)
    for (std::size_t c = 0; c < lines[n].size(); ++c) {
      // A side's name stands over both of its columns, at their left.
      if (n > 0 || c == 0) widths[c] = std::max(widths[c], text_width(lines[n][c]));
    }
  for (std::size_t c = 1; c < widths.size(); ++c) {
    const std::size_t title = text_width(lines[0][c]);
    const bool over_two = c + 1 < widths.size() && lines[0][c + 1].empty();
    const std::size_t has = widths[c] + (over_two ? widths[c + 1] + 1 : 0);
    if (title > has) widths[c] += title - has;
  }
  widths[0] = std::min(widths[0], longest_row_name);
  return widths;
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         column_gap * (widths.size() - 1);
}

std::string to_right(const std::string& text, std::size_t to) {
  return std::string(to - std::min(to, text_width(text)), ' ') + text;
}
std::string to_left(const std::string& text, std::size_t to) {
  return text + std::string(to - std::min(to, text_width(text)), ' ');
}
std::string trimmed(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// One table of some sides. "why" stands at the end of a line where it has room, otherwise under
/// it.
std::string table_of_sides(const Lines& lines, const std::vector<std::string>& why,
                           std::size_t width, bool below) {
  const std::vector<std::size_t> widths = widths_of(lines);
  std::string out;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const auto& cells = lines[n];
    std::string line = to_left(text_width(cells[0]) > widths[0] ? "" : cells[0], widths[0]);
    if (text_width(cells[0]) > widths[0]) out += cut_to(cells[0], width) + "\n";
    for (std::size_t c = 1; c < cells.size(); ++c) {
      const bool title = n == 0 && c + 1 < cells.size() && cells[c + 1].empty();
      line += std::string(column_gap, ' ');
      if (title)
        line += to_left(cells[c], widths[c] + column_gap + widths[c + 1]), ++c;
      else
        line += to_right(cells[c], widths[c]);
    }
    const std::string& reason = n == 0 ? "" : why[n - 1];
    if (!below && text_width(line) + column_gap + text_width(reason) <= width) {
      out += trimmed(line + std::string(column_gap, ' ') + reason) + "\n";
    } else {
      out += trimmed(line) + "\n";
      if (!reason.empty()) out += "    " + wrapped(reason, width - 4, 4) + "\n";
    }
  }
  return out;
}

std::string block_text(const Screen& screen, Block block, std::size_t width, bool full) {
  const std::size_t more =
      full || block.rows.size() <= most_rows ? 0 : block.rows.size() - most_rows;
  block.rows.resize(block.rows.size() - more);
  const bool compact = screen.sides.size() >= many_sides || width < wide_screen;
  std::vector<std::string> why;
  for (const Row& row : block.rows) why.push_back(row.why);
  std::string out = wrapped(block.title, width) + "\n";
  for (std::size_t first = 0; first < screen.sides.size();) {
    std::size_t last = screen.sides.size();
    const auto fits = [&] {
      return total_width(widths_of(lines_of(screen, block, first, last, compact, full))) <= width;
    };
    while (last > first + 1 && !fits()) --last;
    out += table_of_sides(lines_of(screen, block, first, last, compact, full),
                          first == 0 ? why : std::vector<std::string>(why.size()), width, compact);
    first = last;
  }
  return more == 0 ? out : out + fmt::format("and {} (--full)\n", counted(more, "more row"));
}

}  // namespace

std::string to_text(const Screen& screen, std::size_t width, bool full) {
  std::string out;
  for (const std::string& sentence : screen.headline) out += wrapped(sentence, width) + "\n";
  if (!screen.placement.empty()) out += wrapped(screen.placement, width) + "\n";
  for (const Block& block : screen.blocks) out += "\n" + block_text(screen, block, width, full);
  const auto any = [&](bool (*is)(const Cell&)) {
    return std::ranges::any_of(screen.blocks, [&](const Block& block) {
      return std::ranges::any_of(
          block.rows, [&](const Row& row) { return std::ranges::any_of(row.cells, is); });
    });
  };
  std::vector<std::string> legend;
  if (any(is_slower) && screen.sides.size() < many_sides && width >= wide_screen)
    legend.emplace_back("second figure: times as long as the side's best");
  if (any(is_scaled)) legend.emplace_back("~: scaled from another number of steps");
  if (any(is_untold)) legend.emplace_back("(...): no difference can be told");
  if (any(is_assumed)) legend.emplace_back("?: figures behind it are assumed");
  if (!legend.empty()) out += wrapped(fmt::format("{}", fmt::join(legend, "; ")), width) + "\n";
  if (!screen.also.empty()) out += "\n" + wrapped(screen.also, width) + "\n";
  if (!screen.know.empty()) out += "\nBefore quoting it\n";
  for (const std::string& each : screen.know) out += "- " + wrapped(each, width - 2, 2) + "\n";
  return out;
}

std::string to_text(const Screen& screen, const std::vector<Block>& blocks, std::size_t width) {
  std::string out;
  for (const Block& block : blocks) out += "\n" + block_text(screen, block, width, true);
  return out;
}

std::vector<Section> sections_of(const Screen& screen) {
  std::vector<Section> sections;
  Section answer{.title = "Answer", .sentences = screen.headline};
  if (!screen.placement.empty()) answer.sentences.push_back(screen.placement);
  if (!answer.empty()) sections.push_back(answer);
  for (const Block& block : screen.blocks) {
    Table table{.title = "", .columns = {{"", "case", true}}};
    for (std::size_t side = 0; side < screen.sides.size(); ++side) {
      table.columns.push_back({"", screen.sides[side], false});
      if (side > 0)
        table.columns.push_back(
            {"", fmt::format("{} to {}", screen.sides[side], screen.sides[0]), false});
    }
    table.columns.push_back({"", "why", true});
    for (const Row& row : block.rows) {
      std::vector<std::string> cells{row.name};
      for (std::size_t side = 0; side < row.cells.size(); ++side) {
        const std::string half = half_text(row.cells[side]);
        cells.push_back(seconds_text_of(row.cells[side]) + (half.empty() ? "" : " " + half));
        if (side > 0) cells.push_back(ratio_text(row.cells[side]));
      }
      cells.push_back(row.why);
      table.rows.push_back(std::move(cells));
    }
    sections.push_back({.title = block.title, .tables = {std::move(table)}});
  }
  if (!screen.also.empty()) sections.push_back({.title = "Also", .sentences = {screen.also}});
  if (!screen.know.empty())
    sections.push_back({.title = "Before quoting it", .sentences = screen.know});
  return sections;
}

}  // namespace memstencil::compare
