// The answer as a document: the screen, and sentences and tables behind it.
#include "app/compare/show/document.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/judge/facts.hpp"
#include "app/compare/read/tree.hpp"

#include <utility>

namespace memstencil::compare {

namespace {

std::vector<std::string> texts(const Record& answer, const char* member) {
  return answer.at(member).get<std::vector<std::string>>();
}

/// Unless it is empty.
void add(std::vector<Section>& sections, Section section) {
  if (!section.empty()) sections.push_back(std::move(section));
}

std::vector<std::string> side_names(const Record& answer) {
  std::vector<std::string> names;
  for (const Record& side : answer.at("sides")) names.push_back(text(side, "side"));
  return names;
}

/// Rates side by side, a row a side.
std::vector<Table> probe_table(const Record& answer, const Record& pairs) {
  Record rows = Record::array();
  for (const Record& pair : pairs)
    for (const std::string& side : side_names(answer))
      if (pair.at("values").contains(side)) {
        Record& row = rows.emplace_back(pair);
        row["side"] = side;
        row["value"] = pair.at("values").at(side);
        row["to_base"] = pair.at("to_base").value(side, Record());
      }
  return table_of(rows, "",
                  {{"probe"}, {"row", "measurement"}, {"side"}, {"value"}, {"unit"}, {"to_base"}},
                  "Of probes with many points their levels, or those at the largest size; the "
                  "points are in the plots.");
}

/// Of membench alone: the rates of link, or where there are none all.
std::vector<Table> rates_table(const Record& answer) {
  Record link = Record::array();
  for (const Record& row : answer.at("probe_pairs"))
    if (row.at("probe") == "link") link.push_back(row);
  return probe_table(answer, link.empty() ? answer.at("probe_pairs") : link);
}

/// An array of the answer as a table behind the first screen.
Section listing(const Record& answer, const char* title, const char* rows,
                const std::vector<std::string>& members, const char* note = "") {
  const std::vector<Column> columns(members.begin(), members.end());
  return {.title = title, .tables = table_of(answer.at(rows), "", columns, note)};
}

}  // namespace

Document document_of(const Answer& of) {
  const Record& answer = of.record;
  Document document{.screen = of.screen, .every = of.every};
  if (of.screen.blocks.empty())
    add(document.first, {.title = "Rates measured by membench", .tables = rates_table(answer)});
  add(document.first,
      listing(answer, "Published figures, those here and their ratio", "published",
              {"source", "note", "published", "unit", "side", "ours", "to_published", "case"}));
  if (!answer.contains("cases")) return document;
  Section scaling = listing(
      answer, "Scaling", "scaling",
      {"side", "scaling", "curve", "ranks", "nodes", "division", "messages", "processors", "rate",
       "unit", "predicted", "speedup", "efficiency", "exposed_messages", "not_predicted"});
  const bool predicted = !answer.at("predictions").is_null();
  if (predicted) scaling.title = "PREDICTION, not measured: scaling over nodes, device memory";
  std::vector<Section>& rest = document.rest;
  add(predicted ? document.first : rest, scaling);
  add(rest, {.title = "Settings that differ", .sentences = sentences_of(answer.at("facts"))});
  add(rest, {.title = "Notes", .sentences = texts(answer, "notes")});
  add(rest, listing(answer, "Every case", "cases",
                    {"side", "case", "runs", "half_width", "seconds", "median_step", "speed",
                     "unit", "limit_gbs", "fraction", "fraction_of_theory", "joules_a_step",
                     "mean_watts", "gflops_a_watt", "pages"},
                    "Seconds: of all phases. Limit: of the memory or link, measured in the same "
                    "run; fraction: of it reached by all steps together. Half width: of the 95 % "
                    "interval of the seconds."));
  add(rest, listing(answer, "Seconds by part", "cases",
                    {"side", "case", "parts.allocate", "parts.initialise", "parts.upload",
                     "parts.pre_touch", "parts.steps", "parts.beyond", "parts.messages",
                     "parts.download", "parts.free"},
                    "steps: at the pace of their median; beyond: all that they took more, as the "
                    "moving of pages."));
  add(rest, listing(answer, "Model: predicted and measured", "model",
                    {"side", "case", "predicted", "measured", "error", "median_step_predicted",
                     "median_step_measured", "not_predicted"}));
  add(rest,
      {.title = "Probes of membench", .tables = probe_table(answer, answer.at("probe_pairs"))});
  return document;
}

std::string to_text(const Document& document, std::size_t width, bool full) {
  const std::string text = to_text(document.screen, width, full) + to_text(document.first, full);
  if (!full) return text + "--full prints every case, --html FILE makes a page of it.\n";
  return text + "\n" + to_text(document.screen, document.every, width) +
         to_text(document.rest, full);
}

std::vector<Section> first_sections(const Document& document) {
  std::vector<Section> sections = sections_of(document.screen);
  sections.insert(sections.end(), document.first.begin(), document.first.end());
  return sections;
}

}  // namespace memstencil::compare
