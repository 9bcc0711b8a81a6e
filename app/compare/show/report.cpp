// The answer as text of a given width, and in sections: the screen, and sentences and tables behind
// it.
#include "app/compare/show/show.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace memstencil::compare {

namespace {

std::vector<std::string> side_names(const Record& answer) {
  std::vector<std::string> names;
  for (const Record& side : answer.at("sides")) names.push_back(text(side, "side"));
  return names;
}

std::vector<std::string> texts(const Record& record, const char* member) {
  return record.at(member).get<std::vector<std::string>>();
}

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

/// Rates side by side, a row a side.
/// @param only this probe; empty: all
Section probe_rates(const Record& answer, const std::string& title, const std::string& only = "") {
  Record rows = Record::array();
  for (const Record& pair : answer.at("probe_pairs"))
    for (const auto& [side, value] : pair.at("values").items())
      if (only.empty() || pair.at("probe") == only) {
        Record& row = rows.emplace_back(pair);
        row["side"] = side;
        row["value"] = value;
        row["to_base"] = pair.at("to_base").value(side, Record());
      }
  return {.title = title,
          .table = table_of(rows, {"probe", "row", "side", "value", "unit", "to_base"},
                            "Probes with many points show their levels, or their values at the "
                            "largest size; the plots have all points.")};
}

/// An array of the answer as a table.
Section listing(const Record& answer, const char* title, const char* rows,
                const std::vector<std::string>& members, const char* note = "") {
  return {.title = title, .table = table_of(answer.at(rows), members, note)};
}

Section scaling(const Record& answer, const char* title) {
  return listing(
      answer, title, "scaling",
      {"side", "scaling", "curve", "ranks", "nodes", "division", "messages", "processors", "rate",
       "unit", "predicted", "speedup", "efficiency", "exposed_messages", "not_predicted"});
}

std::vector<Section> filled(std::vector<Section> sections) {
  std::erase_if(sections, [](const Section& section) {
    return section.sentences.empty() && section.table.rows.empty();
  });
  return sections;
}

/// Printed behind the screen.
std::vector<Section> behind_screen(const Record& answer) {
  std::vector<Section> sections;
  if (answer.at("screen").at("blocks").empty()) {
    const char* title = "Rates measured by membench";
    sections.push_back(probe_rates(answer, title, "link"));
    if (sections.back().table.rows.empty()) sections.back() = probe_rates(answer, title);
  }
  sections.push_back(
      listing(answer, "Published figures, those here and their ratio", "published",
              {"source", "note", "published", "unit", "side", "ours", "to_published", "case"}));
  if (!answer.at("predictions").is_null())
    sections.push_back(
        scaling(answer, "PREDICTION, not measured: scaling over nodes, device memory"));
  return filled(sections);
}

}  // namespace

std::string screen_text(const Record& answer, std::size_t width, bool full) {
  const Record& screen = answer.at("screen");
  std::string out, tables;
  for (const std::string& sentence : texts(answer, "sentences"))
    out += wrapped(sentence, width) + "\n";
  for (const Record& block : screen.at("blocks")) tables += block_text(answer, block, width, full);
  out += tables;
  if (!tables.empty()) out += wrapped(legend_of(tables), width) + "\n";
  if (screen.at("also") != "") out += "\n" + wrapped(text(screen, "also"), width) + "\n";
  if (!screen.at("know").empty()) out += "\nBefore quoting it\n";
  for (const std::string& each : texts(screen, "know"))
    out += "- " + wrapped(each, width - 2, 2) + "\n";
  return out;
}

std::string to_text(const Record& answer, std::size_t width, bool full) {
  std::string out = screen_text(answer, width, full) + to_text(behind_screen(answer), full);
  if (!full) return out + "--full prints every case, --html FILE makes a page of it.\n";
  out += "\n";
  for (const Record& block : answer.at("placements")) out += block_text(answer, block, width, true);
  return out + to_text(other_sections(answer), true);
}

std::vector<Section> first_sections(const Record& answer) {
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
  for (Section& section : behind_screen(answer)) sections.push_back(std::move(section));
  return filled(sections);
}

std::vector<Section> other_sections(const Record& answer) {
  std::vector<Section> sections{
      {.title = "Settings that differ", .sentences = sentences_of(answer.at("facts"))},
      {.title = "Notes", .sentences = texts(answer, "notes")},
      listing(answer, "Every case", "cases",
              {"side", "case", "runs", "half_width", "seconds", "median_step", "speed", "unit",
               "limit_gbs", "fraction", "fraction_of_theory", "joules_a_step", "mean_watts",
               "gflops_a_watt", "pages"},
              "Seconds: of all phases. Limit: of the memory or link, measured in the same run; "
              "fraction: of it reached by all steps together. Half width: of the 95 % interval of "
              "the seconds."),
      listing(
          answer, "Seconds by part", "cases",
          {"side", "case", "parts.allocate", "parts.initialise", "parts.upload", "parts.pre_touch",
           "parts.steps", "parts.beyond", "parts.messages", "parts.download", "parts.free"},
          "steps: at the pace of their median; beyond: all that they took more, as the moving "
          "of pages."),
      listing(answer, "Model: predicted and measured", "model",
              {"side", "case", "predicted", "measured", "error", "median_step_predicted",
               "median_step_measured", "not_predicted"}),
      probe_rates(answer, "Probes of membench")};
  if (answer.at("predictions").is_null())
    sections.insert(sections.begin(), scaling(answer, "Scaling"));
  return filled(sections);
}

}  // namespace memstencil::compare
