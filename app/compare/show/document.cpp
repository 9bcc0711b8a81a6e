// The answer as a document: sentences and tables, in the order in which a person reads them.
#include "app/compare/show/document.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

/// A row a memory and side, each with its own reason. `first` names its first column.
std::vector<Table> ranked_table(const Record& answer, const Record& rows, const char* first) {
  std::vector<Column> columns{{first},
                              {"side"},
                              {"seconds", "s", "extrapolated"},
                              {"to_best"},
                              {"to_base"},
                              {"step_seconds", "s a step"},
                              {"once", "s once"},
                              {"reason", "why"}};
  if (answer.at("sides").size() == 1) columns.erase(columns.begin() + 1);
  auto tables = table_of(rows, "", columns,
                         "to best: within the kind; to base: in the same memory; ~: extrapolated "
                         "from other steps.");
  for (Table& table : tables) table.last_below = true;
  return tables;
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

Section scaling_of(const Record& answer) {
  return listing(
      answer, "Scaling", "scaling",
      {"side", "scaling", "curve", "ranks", "nodes", "division", "messages", "processors", "rate",
       "unit", "predicted", "speedup", "efficiency", "exposed_messages", "not_predicted"});
}

/// Of --predict: all of it is the first screen.
Document predicted_document(const Record& answer) {
  const Record& predicted = answer.at("predictions");
  Document document{.title = text(answer, "title")};
  add(document.first, {.title = "Answer", .sentences = texts(answer, "sentences")});
  Section memories{.title = fmt::format("PREDICTION, not measured: {}", text(predicted, "what"))};
  for (const Record& machine : predicted.at("machines"))
    for (Table& table : table_of(machine.at("memories"), text(machine, "title"),
                                 {{"memory"},
                                  {"seconds", "s", "is_assumed"},
                                  {"range", "range (s)"},
                                  {"to_best"},
                                  {"speed", text(predicted, "unit")},
                                  {"first_step", "first step (s)"},
                                  {"last_step", "last step (s)"},
                                  {"why"}})) {
      table.last_below = true;
      memories.tables.push_back(std::move(table));
    }
  memories.tables.back().note =
      "~: hangs on assumed figures; range: with these half and twice as dear.";
  add(document.first, memories);
  Section over_nodes = scaling_of(answer);
  over_nodes.title = "PREDICTION, not measured: scaling over nodes, arrays in device memory";
  over_nodes.sentences = texts(answer, "scaling_sentences");
  over_nodes.most = 10;
  add(document.first, over_nodes);
  add(document.first, {.title = "Rates", .sentences = texts(answer, "notes")});
  return document;
}

}  // namespace

Document document_of(const Record& answer, const std::optional<Screen>& screen) {
  if (!screen) return predicted_document(answer);
  Document document{.title = text(answer, "title"), .first = sections_of(*screen)};
  if (screen->blocks.empty())
    add(document.first, {.title = "Rates measured by membench", .tables = rates_table(answer)});
  std::vector<Section>& rest = document.rest;
  add(rest, {.title = "Several ranks", .sentences = texts(answer, "scaling_sentences"), .most = 3});
  add(rest, {.title = "Model", .sentences = texts(answer, "model_sentences")});
  add(rest, {.title = "Every problem by wall time",
             .tables = ranked_table(answer, answer.at("ranking"), "case")});
  add(rest, listing(answer, "Every case", "cases",
                    {"side", "case", "runs", "spread", "seconds", "median_step", "speed", "unit",
                     "limit_gbs", "fraction", "fraction_of_theory", "joules_a_step", "mean_watts",
                     "gflops_a_watt", "pages"},
                    "Seconds: of all phases. Limit: of the memory or link, measured in the same "
                    "run; fraction: of it reached by all steps together. Spread: of the wall "
                    "times on one host."));
  add(rest, listing(answer, "Seconds by part", "cases",
                    {"side", "case", "parts.allocate", "parts.initialise", "parts.upload",
                     "parts.pre_touch", "parts.steps", "parts.beyond", "parts.messages",
                     "parts.download", "parts.free"},
                    "steps: at the pace of their median; beyond: what they took more, as the "
                    "moving of pages."));
  add(rest, listing(answer, "Each common case against the base", "pairs",
                    {"case", "side", "to_base", "step_to_base", "speed_to_base", "limits",
                     "fractions", "reason"},
                    "Times over those of the base. The ratio of two speeds is that of the limits "
                    "times that of the fractions."));
  add(rest, scaling_of(answer));
  add(rest, listing(answer, "Model: predicted and measured", "model",
                    {"side", "case", "predicted", "measured", "error", "median_step_predicted",
                     "median_step_measured", "not_predicted"}));
  add(rest,
      listing(answer, "Published figures, each", "published",
              {"source", "note", "published", "unit", "side", "ours", "to_published", "case"}));
  add(rest,
      {.title = "Probes of membench", .tables = probe_table(answer, answer.at("probe_pairs"))});
  return document;
}

}  // namespace memstencil::compare
