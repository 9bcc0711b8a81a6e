// Predictions as a document.
#include "app/compare/document.hpp"
#include "app/compare/tree.hpp"

namespace memstencil::compare {

Document predicted_document(const Record& answer) {
  const Record& predicted = answer.at("predictions");
  Document document{.title = text(answer, "title")};
  Section spaces{.title = "PREDICTION, not measured: " + text(predicted, "what")};
  for (const Record& machine : predicted.at("machines"))
    for (Table& table : table_of(machine.at("memories"), text(machine, "title"),
                                 {{"memory", "memory"},
                                  {"seconds", "s", Show::Number},
                                  {"to_best", "to best", Show::Times},
                                  {"speed", text(predicted, "unit") + ", steps", Show::Number},
                                  {"first_step", "first step (s)", Show::Number},
                                  {"last_step", "last step (s)", Show::Number},
                                  {"why", "why"}}))
      spaces.tables.push_back(table);
  add(document.first, spaces);
  Section scaling{.title = "PREDICTION, not measured: scaling over nodes, arrays in device memory"};
  for (const Record& machine : predicted.at("machines"))
    for (Table& table : table_of(machine.at("scaling"), text(machine, "machine"),
                                 {{"scaling", "scaling"},
                                  {"curve", "case"},
                                  {"nodes", "nodes", Show::Count},
                                  {"ranks", "ranks", Show::Count},
                                  {"division", "division"},
                                  {"rate", "TFLOPS", Show::Number},
                                  {"speedup", "speedup", Show::Times},
                                  {"efficiency", "efficiency", Show::Percent},
                                  {"messages", "messages", Show::Percent},
                                  {"not_predicted", "why not"}}))
      scaling.tables.push_back(table);
  if (!scaling.tables.empty()) scaling.sentences = texts(answer, "scaling_sentences");
  add(document.first, scaling);
  add(document.first, {.title = "Rates", .sentences = texts(answer, "notes")});
  return document;
}

}  // namespace memstencil::compare
