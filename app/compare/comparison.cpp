// Tables of the cases that sides have in common, with ratios; and what only one of them has.
#include "app/compare/comparison.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace memstencil::compare {

namespace {

/// One case: the entry of each side, or null.
using Case = std::vector<const Entry*>;

const Entry& any(const Case& of) {
  return **std::find_if(of.begin(), of.end(), [](const Entry* entry) { return entry != nullptr; });
}

std::ptrdiff_t holders(const Case& of) {
  return std::count_if(of.begin(), of.end(), [](const Entry* entry) { return entry != nullptr; });
}

/// With the memory spaces that any side asked for.
std::string label_of(const Case& of) {
  Entry all = any(of);
  for (const Entry* entry : of)
    if (entry != nullptr) add_requested(*entry, all);
  return full_label(all);
}

/// All cases of all sides, in the order in which they first appear.
std::vector<Case> all_cases(const std::vector<Side>& sides) {
  std::vector<Case> cases;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Entry& entry : sides[s].entries) {
      bool known = false;
      for (std::size_t before = 0; before < s; ++before)
        known = known || sides[before].find(entry) != nullptr;
      if (known) continue;
      Case found(sides.size(), nullptr);
      for (std::size_t other = s; other < sides.size(); ++other)
        found[other] = sides[other].find(entry);
      cases.push_back(found);
    }
  return cases;
}

/// A column and how a case fills it for the side `of`.
struct Filled {
  Column column;
  std::function<Record(const Case&)> cell;
};

/// The cell of a side that has the case; null for one that has it not.
std::function<Record(const Case&)> of_side(std::size_t side,
                                           std::function<Record(const Entry&)> cell) {
  return [side, cell = std::move(cell)](const Case& of) {
    return of[side] == nullptr ? Record() : cell(*of[side]);
  };
}

/// (Greatest - least) / middle over the runs of the case.
Record spread_of_runs(const Entry& e) {
  if (e.runs < 2 || e.value.median == 0) return {};
  return (e.over_runs.maximum - e.over_runs.minimum) / e.value.median;
}

void add_side(const std::vector<Side>& sides, std::size_t s, const std::string& unit,
              std::vector<Filled>& columns) {
  const Side& side = sides[s];
  const auto add = [&](const std::string& title, Show show,
                       std::function<Record(const Entry&)> cell) {
    const std::string shown_unit = show == Show::Number ? unit : "";
    columns.push_back({{.title = title, .show = show, .unit = shown_unit, .group = side.label},
                       of_side(s, std::move(cell))});
  };
  const auto bound = [](double Spread::*member) {
    return [member](const Entry& e) {
      return e.value.minimum == e.value.maximum ? Record() : Record(e.value.*member);
    };
  };
  add("", Show::Number, [](const Entry& e) { return Record(e.value.median); });
  add("min", Show::Number, bound(&Spread::minimum));
  add("max", Show::Number, bound(&Spread::maximum));
  for (std::size_t behind = 1; behind <= 2; ++behind)
    columns[columns.size() - behind].column.detail = true;
  add("spread of runs", Show::Percent, spread_of_runs);
  add("of limit", Show::Percent, [](const Entry& e) { return or_null(e.of_limit); });
  add("of theory", Show::Percent, [&side](const Entry& e) {
    const auto theory = side.theory(e);
    return theory && e.bandwidth ? Record(*e.bandwidth / *theory) : Record();
  });
}

void add_ratio(const std::vector<Side>& sides, std::size_t s, std::vector<Filled>& columns) {
  columns.push_back({{sides[s].label + " / " + sides[0].label, Show::Times}, [s](const Case& of) {
                       if (of[0] == nullptr || of[s] == nullptr || of[0]->value.median == 0)
                         return Record();
                       return Record(of[s]->value.median / of[0]->value.median);
                     }});
}

Table table_of(const std::vector<Side>& sides, const std::vector<Case>& cases) {
  const Entry& first = any(cases.front());
  std::vector<Filled> columns;
  for (std::size_t s = 0; s < sides.size(); ++s) add_side(sides, s, first.unit, columns);
  for (std::size_t s = 1; s < sides.size(); ++s) add_ratio(sides, s, columns);
  Table table{.title = first.table, .columns = {{"case"}}};
  const bool beyond = std::any_of(cases.begin(), cases.end(), [](const Case& of) {
    return std::any_of(of.begin(), of.end(),
                       [](const Entry* e) { return e != nullptr && e->of_limit.value_or(0) > 1; });
  });
  if (beyond && first.program == "himeno")
    table.note =
        "The limit is of one sweep over one memory: fused sweeps share their traffic, and "
        "may be above 100 %.";
  for (const Filled& filled : columns) table.columns.push_back(filled.column);
  for (const Case& of : cases) {
    std::vector<Record> row{label_of(of)};
    for (const Filled& filled : columns) row.push_back(filled.cell(of));
    table.rows.push_back(row);
  }
  return without_empty_columns(table);
}

}  // namespace

std::vector<Table> side_by_side(const std::vector<Side>& sides) {
  std::vector<std::vector<Case>> by_table;
  for (const Case& of : all_cases(sides)) {
    if (sides.size() > 1 && holders(of) < 2) continue;
    const auto same = [&](const std::vector<Case>& group) {
      return any(group.front()).table == any(of).table && any(group.front()).unit == any(of).unit;
    };
    const auto found = std::find_if(by_table.begin(), by_table.end(), same);
    if (found == by_table.end())
      by_table.push_back({of});
    else
      found->push_back(of);
  }
  std::vector<Table> tables;
  for (const auto& cases : by_table) tables.push_back(table_of(sides, cases));
  return tables;
}

Table only_one_has(const std::vector<Side>& sides) {
  Table table{.title = "Cases that one side alone has", .columns = {{"of"}, {"case"}, {"on"}}};
  if (sides.size() < 2) return table;
  for (const Case& of : all_cases(sides)) {
    if (holders(of) != 1 || !any(of).primary) continue;
    const auto at =
        std::find_if(of.begin(), of.end(), [](const Entry* entry) { return entry != nullptr; });
    table.rows.push_back(
        {any(of).table, label_of(of), sides[static_cast<std::size_t>(at - of.begin())].label});
  }
  return table;
}

bool anything_in_common(const std::vector<Side>& sides) {
  if (sides.size() == 1) return true;
  const std::vector<Case> cases = all_cases(sides);
  return std::any_of(cases.begin(), cases.end(), [](const Case& of) { return holders(of) > 1; });
}

}  // namespace memstencil::compare
