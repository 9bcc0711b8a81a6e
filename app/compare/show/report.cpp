// The answer in sections: the screen, and sentences and tables behind it.
#include "app/compare/show/report.hpp"
#include "app/base/record/text_report.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

namespace memstencil::compare {

namespace {

/// Rates side by side, a row a side.
Table probe_table(const Record& answer, const char* only = "") {
  Record rows = Record::array();
  for (const Record& pair : answer.at("probe_pairs"))
    for (const std::string& side : side_names(answer))
      if (pair.at("values").contains(side) && (*only == '\0' || pair.at("probe") == only)) {
        Record& row = rows.emplace_back(pair);
        row["side"] = side;
        row["value"] = pair.at("values").at(side);
        row["to_base"] = pair.at("to_base").value(side, Record());
      }
  return table_of(rows, {"probe", "row", "side", "value", "unit", "to_base"},
                  "Probes with many points show their levels, or their values at the largest size; "
                  "the plots have all points.");
}

/// An array of the answer as a table.
Section listing(const Record& answer, const char* title, const char* rows,
                const std::vector<std::string>& members, const char* note = "") {
  return {.title = title, .table = table_of(answer.at(rows), members, note)};
}

std::vector<Section> filled(std::vector<Section> sections) {
  std::erase_if(sections, [](const Section& section) { return section.empty(); });
  return sections;
}

Section scaling(const Record& answer) {
  const bool predicted = !answer.at("predictions").is_null();
  return listing(
      answer, predicted ? "PREDICTION, not measured: scaling over nodes, device memory" : "Scaling",
      "scaling",
      {"side", "scaling", "curve", "ranks", "nodes", "division", "messages", "processors", "rate",
       "unit", "predicted", "speedup", "efficiency", "exposed_messages", "not_predicted"});
}

/// Printed behind the screen.
std::vector<Section> behind_screen(const Record& answer) {
  std::vector<Section> sections;
  if (answer.at("screen").at("blocks").empty()) {
    sections.push_back(
        {.title = "Rates measured by membench", .table = probe_table(answer, "link")});
    if (sections.back().empty()) sections.back().table = probe_table(answer);
  }
  sections.push_back(
      listing(answer, "Published figures, those here and their ratio", "published",
              {"source", "note", "published", "unit", "side", "ours", "to_published", "case"}));
  if (!answer.value("predictions", Record()).is_null()) sections.push_back(scaling(answer));
  return filled(sections);
}

/// With --full, and folded on the page.
std::vector<Section> rest_of(const Record& answer) {
  std::vector<Section> sections;
  if (answer.at("predictions").is_null()) sections.push_back(scaling(answer));
  sections.push_back(
      {.title = "Settings that differ", .sentences = sentences_of(answer.at("facts"))});
  sections.push_back({.title = "Notes", .sentences = texts(answer, "notes")});
  sections.push_back(listing(
      answer, "Every case", "cases",
      {"side", "case", "runs", "half_width", "seconds", "median_step", "speed", "unit", "limit_gbs",
       "fraction", "fraction_of_theory", "joules_a_step", "mean_watts", "gflops_a_watt", "pages"},
      "Seconds: of all phases. Limit: of the memory or link, measured in the same run; fraction: "
      "of it reached by all steps together. Half width: of the 95 % interval of the seconds."));
  sections.push_back(listing(
      answer, "Seconds by part", "cases",
      {"side", "case", "parts.allocate", "parts.initialise", "parts.upload", "parts.pre_touch",
       "parts.steps", "parts.beyond", "parts.messages", "parts.download", "parts.free"},
      "steps: at the pace of their median; beyond: all that they took more, as the moving of "
      "pages."));
  sections.push_back(listing(answer, "Model: predicted and measured", "model",
                             {"side", "case", "predicted", "measured", "error",
                              "median_step_predicted", "median_step_measured", "not_predicted"}));
  sections.push_back({.title = "Probes of membench", .table = probe_table(answer)});
  return filled(sections);
}

std::string escaped(const std::string& text) {
  static const std::map<char, std::string> marks{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  static const std::regex unit(" (%|x$)");  // stays on the line of its number
  std::string out;
  for (const char c : text) {
    const auto mark = marks.find(c);
    out += mark == marks.end() ? std::string(1, c) : mark->second;
  }
  return std::regex_replace(out, unit, "&nbsp;$1");
}

std::string folded(const std::string& title, const std::string& size, const std::string& content) {
  return fmt::format("<details><summary>{} <small>{}</small></summary>\n{}</details>\n",
                     escaped(title), size, content);
}

const char* kind(const Column& column) { return column.text ? " class=\"text\"" : ""; }

/// @param named each cell has its column's title, too, for a screen that has room for one cell
std::string table_html(const Table& table, bool named) {
  if (table.rows.empty()) return "";
  std::string out = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const Column& column : table.columns)
    out += fmt::format("<th{}>{}</th>", kind(column), escaped(column.title));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += fmt::format("<td{}{}>{}</td>", kind(table.columns[c]),
                         named ? fmt::format(" title=\"{}\"", escaped(table.columns[c].title)) : "",
                         escaped(row[c]));
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  return table.note.empty() ? out
                            : out + fmt::format("<p class=\"note\">{}</p>\n", escaped(table.note));
}

/// A section, folded if it is long.
std::string section_html(const Section& section, bool open) {
  const std::size_t lines = section.sentences.size() + section.table.rows.size();
  open = open && lines <= 2 * most_shown;
  std::string html;
  for (const std::string& sentence : section.sentences)
    html += fmt::format("<p>{}</p>\n", escaped(sentence));
  html += table_html(section.table, open);
  if (!open) return folded(section.title, counted(lines, "line"), html);
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(section.title), html);
}

/// "As [key]" with a link to the source of this key, further down on the page.
std::string linked(const std::string& caption) {
  static const std::regex key("\\[([a-z0-9-]+)\\]");
  return std::regex_replace(escaped(caption), key, "<a href=\"#$1\">[$1]</a>");
}

/// A picture has its title within.
std::string picture_html(const Picture& picture) {
  return fmt::format(
      "<figure id=\"{}\"><img alt=\"{}\" "
      "src=\"data:image/svg+xml,{}\">\n<figcaption>{}</figcaption></figure>\n",
      escaped(picture.name), escaped(picture.title), picture.svg, linked(picture.caption));
}

}  // namespace

std::vector<std::string> side_names(const Record& answer) {
  std::vector<std::string> names;
  for (const Record& side : answer.at("sides")) names.push_back(text(side, "side"));
  return names;
}

std::vector<std::string> texts(const Record& record, const char* member) {
  return record.at(member).get<std::vector<std::string>>();
}

std::string to_text(const Answer& answer, std::size_t width, bool full) {
  std::string out =
      screen_text(answer.record, width, full) + to_text(behind_screen(answer.record), full);
  if (!full) return out + "--full prints every case, --html FILE makes a page of it.\n";
  out += "\n";
  for (const Record& block : answer.every) out += block_text(answer.record, block, width, true);
  return out + to_text(rest_of(answer.record), true);
}

std::vector<Section> first_sections(const Record& answer) {
  std::vector<Section> sections = sections_of_screen(answer);
  for (Section& section : behind_screen(answer)) sections.push_back(std::move(section));
  return sections;
}

std::string to_page(const Record& answer, const std::vector<Picture>& pictures) {
  constexpr std::size_t most_open = 8;  // pictures
  std::string first, open, rest, more;
  for (const Section& section : first_sections(answer)) first += section_html(section, true);
  for (const Section& section : rest_of(answer))
    rest += section_html(section, section.table.rows.empty());
  std::size_t shown = 0;
  for (const Picture& each : pictures)
    if (each.lead && ++shown <= most_open)
      open += picture_html(each);
    else
      more += folded(each.title, "", picture_html(each));
  const std::string title = escaped(text(answer, "title"));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}"
      "<div class=\"plots\">\n{}</div>\n<h2>More</h2>\n{}{}{}</body>\n</html>\n",
      title, content_of(shared_file("page/page.css")), title, first, open, more, rest,
      content_of(shared_file("page/words.html")));
}

}  // namespace memstencil::compare
