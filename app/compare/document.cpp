// The answer as a document: sentences and tables, in the order in which a person reads them.
#include "app/compare/document.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
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

std::string side_sentence(const Record& side) {
  std::string processor = text_or(side, "processor", "a processor that is not known");
  if (const auto cores = side.at("cores").get<std::vector<int>>(); !cores.empty())
    processor += fmt::format(" ({} cores)", fmt::join(cores, " or "));
  const std::string gpu = text_or(side, "gpu");
  return fmt::format("{}: {}, {}; {}", text(side, "side"), gpu.empty() ? "no GPU" : gpu, processor,
                     counted(side.at("runs").get<std::size_t>(), "run"));
}

/// Columns of a ranking, and what is under it.
std::vector<Table> ranked_table(const Record& answer, const Record& rows, const std::string& title,
                                const std::string& first) {
  const bool sides = answer.at("sides").size() > 1;
  std::vector<Column> columns{{first, first}};
  if (sides) columns.push_back({"side", "side"});
  columns.push_back({"seconds", "s", Show::Plain, "", "extrapolated"});
  columns.push_back({"to_best", "to best", Show::Times});
  columns.push_back({"to_base", "to base", Show::Times});
  columns.push_back({"step_seconds", "s a step"});
  columns.push_back({"once", "s once"});
  columns.push_back({"reason", "why"});
  const bool any = std::any_of(rows.begin(), rows.end(),
                               [](const Record& row) { return row.at("extrapolated") == true; });
  auto tables = table_of(rows, title, columns,
                         any ? "~: extrapolated from a run of another number of steps." : "");
  for (Table& table : tables) table.last_below = true;
  return tables;
}

/// By the ratio to the fastest; those with one value of the member after the first of them.
Record grouped(std::vector<Record> rows, const char* member) {
  std::stable_sort(rows.begin(), rows.end(), [](const Record& a, const Record& b) {
    return number(a, "to_best") < number(b, "to_best");
  });
  nlohmann::ordered_map<std::string, Record> groups;
  for (const Record& row : rows) groups[text(row, member)].push_back(row);
  Record all = Record::array();
  for (const auto& [value, of] : groups) all.insert(all.end(), of.begin(), of.end());
  return all;
}

/// The ranking of one problem: a row a memory and side, each with its own reason.
std::vector<Table> ranking_table(const Record& answer, const std::string& problem,
                                 const std::string& title) {
  std::vector<Record> ranked;
  for (const Record& row : answer.at("ranking"))
    if (text(row, "problem") == problem) ranked.push_back(row);
  Record rows = grouped(std::move(ranked), "memory");
  for (Record row : answer.at("unified"))
    if (text(row, "problem") == problem) {
      row["memory"] = "unified: " + text(row, "memory");
      row["reason"] = "";  // it stands above
      rows.push_back(row);
    }
  return ranked_table(answer, rows, title, "memory");
}

/// Of a task that was computed in several kinds: each kind in its fastest memory.
std::vector<Table> kinds_table(const Record& answer, const std::string& task) {
  nlohmann::ordered_map<std::string, Record> best;  // by kind and side
  std::map<std::string, double> of_side;
  std::set<std::string> kinds;
  for (const Record& row : answer.at("ranking")) {
    if (text(row, "task") != task) continue;
    const std::string side = text(row, "side"), kind = text(row, "kind");
    kinds.insert(kind);
    const double seconds = number(row, "seconds");
    of_side[side] = std::min(of_side.emplace(side, seconds).first->second, seconds);
    Record& known = best[kind + "\n" + side];
    if (known.is_null() || seconds < number(known, "seconds")) known = row;
  }
  if (kinds.size() < 2) return {};
  std::vector<Record> rows;
  for (auto& [key, row] : best) {
    row["to_best"] = number(row, "seconds") / of_side[text(row, "side")];
    row["to_base"] = Record();
    const auto there = best.find(text(row, "kind") + "\n" + text(answer, "base"));
    if (there != best.end() && there->second.at("side") != row.at("side"))
      row["to_base"] = number(row, "seconds") / number(there->second, "seconds");
    row["kind"] = text(row, "kind") + ", in " + text(row, "memory");
    row["reason"] = "";
    rows.push_back(row);
  }
  return ranked_table(answer, grouped(std::move(rows), "kind"), "", "kind");
}

/// Of each problem but the first that ran in several memories or on several sides.
std::vector<Table> other_rankings(const Record& answer) {
  std::set<std::string> known{text_or(answer, "problem")};
  std::vector<Table> tables;
  for (const Record& row : answer.at("ranking")) {
    const std::string problem = text(row, "problem");
    if (!known.insert(problem).second) continue;
    for (Table& table : ranking_table(answer, problem, problem))
      if (table.rows.size() > 1) tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<std::string> fact_sentence(const Record& answer) {
  const std::vector<std::string> sides = side_names(answer);
  std::vector<std::string> facts;
  for (const Record& fact : answer.at("facts")) {
    std::vector<std::string> values;
    for (const std::string& side : sides)
      if (const auto value = fact.at("values").at(side).get<std::string>(); !value.empty())
        values.push_back(value);
    facts.push_back(fmt::format("{} {}", text(fact, "fact"), fmt::join(values, " against ")));
  }
  if (facts.empty()) return {"None: driver, clocks, revision, environment and so on are the same."};
  return {fmt::format("{}. Any of them may be a reason.", fmt::join(facts, "; "))};
}

/// Rates side by side, a row a side.
std::vector<Table> probe_table(const Record& answer, const Record& pairs) {
  Record rows = Record::array();
  for (const Record& pair : pairs)
    for (const std::string& side : side_names(answer))
      if (const auto value = pair.at("values").find(side); value != pair.at("values").end()) {
        Record row{{"probe", pair.at("probe")}, {"row", pair.at("row")},
                   {"unit", pair.at("unit")},   {"side", side},
                   {"value", *value},           {"to_base", Record()}};
        if (const auto ratio = pair.at("to_base").find(side); ratio != pair.at("to_base").end())
          row["to_base"] = *ratio;
        rows.push_back(row);
      }
  return table_of(rows, "",
                  {{"probe", "probe"},
                   {"row", "measurement"},
                   {"side", "side"},
                   {"value", "value"},
                   {"unit", "unit"},
                   {"to_base", "to base", Show::Times}},
                  "Of probes with many points their levels, or those at the largest size; the "
                  "points are in the plots.");
}

/// Of membench alone, where all sides have them: the rates of link, and the first of each other
/// probe.
std::vector<Table> rates_table(const Record& answer) {
  constexpr int most_of_probe = 3;
  std::map<std::string, int> of_probe;
  Record shown = Record::array();
  for (const bool link : {true, false})
    for (const Record& row : answer.at("probe_pairs"))
      if ((row.at("probe") == "link") == link && row.at("unit") == "GB/s" &&
          row.at("values").size() == answer.at("sides").size() &&
          (link || ++of_probe[row.at("probe")] <= most_of_probe))
        shown.push_back(row);
  return probe_table(answer, shown);
}

std::vector<Section> first_screen(const Record& answer) {
  std::vector<Section> first;
  Section sides{.title = "Sides"};
  for (const Record& side : answer.at("sides")) sides.sentences.push_back(side_sentence(side));
  add(first, sides);
  add(first, {.title = "Answer", .sentences = texts(answer, "sentences")});
  if (find(answer, "problem") != nullptr) {
    Section ranking{.title = "Memory by wall time: " + text(answer, "problem_title"),
                    .tables = ranking_table(answer, text(answer, "problem"), "")};
    if (const auto out = texts(answer, "left_out"); !out.empty())
      ranking.tables.back().note = fmt::format("Not ranked: {}.", fmt::join(out, "; "));
    add(first, ranking);
    add(first, {.title = "Kinds of " + text(answer, "task"),
                .tables = kinds_table(answer, text(answer, "task")),
                .can_wait = true});
  } else {
    add(first, {.title = "Rates measured by membench", .tables = rates_table(answer)});
  }
  add(first, {.title = "Several ranks", .sentences = texts(answer, "scaling_sentences")});
  add(first, {.title = "Notes", .sentences = texts(answer, "notes")});
  add(first, {.title = answer.at("sides").size() > 1 ? "Settings that differ"
                                                     : "Settings that differ between its runs",
              .sentences = fact_sentence(answer),
              .can_wait = true});
  add(first, {.title = "Model", .sentences = texts(answer, "model_sentences"), .can_wait = true});
  add(first, {.title = "Published figures",
              .sentences = texts(answer, "published_sentences"),
              .can_wait = true});
  return first;
}

/// An array of the answer as a table behind the first screen.
Section listing(const Record& answer, const char* title, const char* rows,
                const std::vector<std::string>& members, const char* note = "") {
  return {.title = title, .tables = table_of(answer.at(rows), "", columns_of(members), note)};
}

Section scaling_of(const Record& answer) {
  Section scaling = listing(
      answer, "Scaling", "scaling",
      {"side", "scaling", "curve", "ranks", "nodes", "division", "messages", "processors", "rate",
       "unit", "predicted", "speedup", "efficiency", "exposed_messages", "not_predicted"});
  scaling.sentences = texts(answer, "scaling_sentences");
  return scaling;
}

/// Of --predict: all of it is the first screen, but a long table of scaling.
Document predicted_document(const Record& answer) {
  const Record& predicted = answer.at("predictions");
  Document document{.title = text(answer, "title")};
  add(document.first, {.title = "Answer", .sentences = texts(answer, "sentences")});
  Section memories{.title = fmt::format("PREDICTION, not measured: {}", text(predicted, "what"))};
  for (const Record& machine : predicted.at("machines"))
    for (Table& table : table_of(machine.at("memories"), text(machine, "title"),
                                 {{"memory", "memory"},
                                  {"seconds", "s", Show::Plain, "", "is_assumed"},
                                  {"range", "range (s)"},
                                  {"to_best", "to best", Show::Times},
                                  {"speed", text(predicted, "unit")},
                                  {"first_step", "first step (s)"},
                                  {"last_step", "last step (s)"},
                                  {"why", "why"}})) {
      table.last_below = true;
      memories.tables.push_back(std::move(table));
    }
  memories.tables.back().note =
      "~: hangs on assumed figures; range: with these half and twice as dear.";
  add(document.first, memories);
  constexpr std::size_t most_rows = 16;
  Section over_nodes = scaling_of(answer);
  over_nodes.title = "PREDICTION, not measured: scaling over nodes, arrays in device memory";
  if (answer.at("scaling").size() > most_rows)
    add(document.rest, {.title = over_nodes.title, .tables = std::exchange(over_nodes.tables, {})});
  add(document.first, over_nodes);
  add(document.first, {.title = "Rates", .sentences = texts(answer, "notes")});
  return document;
}

}  // namespace

Document document_of(const Record& answer) {
  if (find(answer, "predictions") != nullptr) return predicted_document(answer);
  Document document{
      .title = text(answer, "title"), .first = first_screen(answer), .one_screen = true};
  std::vector<Section>& rest = document.rest;
  add(rest, {.title = "Other problems by wall time", .tables = other_rankings(answer)});
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
