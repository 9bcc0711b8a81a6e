// Facts of the machines and settings of the runs, side by side.
#include "app/compare/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <set>
#include <utility>

namespace memstencil::compare {

namespace {

std::string text(const std::string& fact) { return fact; }
std::string text(std::integral auto fact) { return fmt::format("{}", fact); }
/// Nothing for what is not known.
template <class T>
std::string text(const std::optional<T>& fact) {
  return fact ? text(*fact) : "";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string line;
  for (const std::string& text : texts) line += (line.empty() ? "" : "; ") + text;
  return line;
}

/// The different values in order of appearance, not_known for what a result does not tell.
template <class Value>
std::vector<std::string> distinct(const Side& side, Value value) {
  std::vector<std::string> values;
  for (const Run* run : side.runs) {
    std::string one = value(*run);
    if (one.empty()) one = not_known;
    if (std::find(values.begin(), values.end(), one) == values.end()) values.push_back(one);
  }
  return values;
}

/// A GPU or a program of which nothing is known where the run has none.
template <class Part>
const Part& known_or_empty(const std::optional<Part>& part) {
  static const Part nothing{};
  return part ? *part : nothing;
}

const MachineFacts::Gpu& gpu_of(const Run& run) { return known_or_empty(run.machine().gpu); }

struct Fact {
  std::string name;
  std::function<std::string(const Run&)> of;
};

/// The variables that any run had.
std::vector<Fact> environment(const std::vector<Side>& sides) {
  std::set<std::string> names;
  for (const Side& side : sides)
    for (const Run* run : side.runs)
      if (const auto* variables = run->environment())
        for (const auto& variable : *variables) names.insert(variable.first);
  std::vector<Fact> facts;
  for (const std::string& name : names)
    facts.push_back({name, [name](const Run& run) -> std::string {
                       const auto* variables = run.environment();
                       if (variables == nullptr) return "";
                       const std::string* value = variables->find(name);
                       return value == nullptr ? "not set" : *value;
                     }});
  return facts;
}

/// Those of the machines that any run tells, and the threads.
std::vector<Fact> facts(const std::vector<Side>& sides) {
  std::vector<Fact> all{
      {"host threads", [](const Run& run) { return text(run.execution().host_threads); }}};
  std::vector<std::string> titles;
  for (const Side& side : sides)
    for (const Run* run : side.runs)
      for (const auto& [title, value] : titled_facts(run->machine()))
        if (std::find(titles.begin(), titles.end(), title) == titles.end()) titles.push_back(title);
  for (const std::string& title : titles)
    all.push_back({title, [title](const Run& run) -> std::string {
                     for (const auto& [name, value] : titled_facts(run.machine()))
                       if (name == title) return value;
                     return "";
                   }});
  return all;
}

}  // namespace

Table machines_table(const std::vector<Side>& sides) {
  Table table{
      .title = "Machines",
      .columns = {
          {"machine"}, {"GPU"}, {"processor"}, {"hosts"}, {"files"}, {"runs", Show::Count}}};
  for (const Side& side : sides) {
    const std::string gpu = text(gpu_of(*side.runs.front()).name);
    table.rows.push_back(
        {side.label, gpu.empty() ? "none" : gpu, text(side.runs.front()->machine().cpu.model),
         joined(distinct(side, [](const Run& run) { return text(run.machine().hostname); })),
         joined(distinct(
             side, [](const Run& run) { return run.folder.empty() ? run.file : run.folder; })),
         side.runs.size()});
  }
  return table;
}

Table differing_facts(const std::vector<Side>& sides) {
  Table table{.title = "Facts that differ between runs", .columns = {{"fact"}}};
  for (const Side& side : sides) table.columns.push_back({side.label});
  std::vector<Fact> all = facts(sides);
  for (Fact& variable : environment(sides)) all.push_back(std::move(variable));
  for (const Fact& fact : all) {
    std::vector<Record> row{fact.name};
    bool differs = false;
    for (const Side& side : sides) {
      const std::vector<std::string> values = distinct(side, fact.of);
      row.push_back(joined(values));
      differs = differs || values.size() > 1 || row.back() != row[1];
    }
    if (differs) table.rows.push_back(row);
  }
  return table;
}

}  // namespace memstencil::compare
