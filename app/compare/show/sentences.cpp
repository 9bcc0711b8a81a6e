// Predictions in sentences: which machine and memory is the faster one, and by how much.
#include "app/compare/show/sentences.hpp"

#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace memstencil::compare {

namespace {

/// The fastest row of those memories; null where none is predicted.
const Record* best_of(const Record& machine, bool unified) {
  for (const Record& row : machine.at("memories"))
    if (const auto space = memory_space_from_name(text(row, "memory"));
        row.contains("seconds") && (!unified || (space && home(*space) == Home::Migrates)))
      return &row;
  return nullptr;
}

std::string in_memory(const Record& row) {
  const std::string range = row.contains("range") ? " (" + text(row, "range") + ")" : "";
  return text(row, "memory") + " " + short_seconds(number(row, "seconds")) + range;
}

/// "miyabi-g is predicted to be 1.75 times as fast as pegasus, ...".
std::string against(const Record& here, const Record& there, const Record& a, const Record& b,
                    const std::string& how, const std::string& step) {
  if (number(a, "seconds") > number(b, "seconds")) return against(there, here, b, a, how, step);
  const double times = number(b, "seconds") / number(a, "seconds");
  const std::string names = text(here, "machine") + " is predicted to be ";
  std::string said =
      fmt::format("{}{} times as fast as {}, {}: {} against {}; the last {} {} times", names,
                  times_text(times), text(there, "machine"), how, in_memory(a), in_memory(b), step,
                  times_text(number(b, "last_step") / number(a, "last_step")));
  if (number(b, "least_seconds") < number(a, "most_seconds"))
    said += ". Which one is faster hangs on assumed figures: their ranges overlap";
  return said + ".";
}

}  // namespace

std::vector<std::string> predicted_sentences(const Record& machines, const std::string& step) {
  std::vector<std::string> all;
  for (const Record& machine : machines)
    for (const bool unified : {false, true}) {
      const Record *a = best_of(machine, unified), *b = best_of(machines.front(), unified);
      if (&machine != &machines.front() && a != nullptr && b != nullptr &&
          (!unified || a != best_of(machine, false) || b != best_of(machines.front(), false)))
        all.push_back(against(machine, machines.front(), *a, *b,
                              unified ? "in unified memory" : "best against best", step));
    }
  for (const Record& machine : machines) {
    const Record* best = best_of(machine, false);
    if (best == nullptr) continue;
    std::vector<std::string> unsure;
    for (const Record& row : machine.at("memories"))
      if (&row != best && row.contains("seconds") &&
          number(row, "least_seconds") < number(*best, "most_seconds"))
        unsure.push_back(in_memory(row));
    std::string said = fmt::format("{}: {}", text(machine, "machine"), in_memory(*best));
    if (unsure.empty())
      said += " is the fastest memory";
    else
      said += fmt::format(" and {} cannot be ranked: they hang on assumed figures",
                          fmt::join(unsure, ", "));
    all.push_back(said + ".");
  }
  return all;
}

}  // namespace memstencil::compare
