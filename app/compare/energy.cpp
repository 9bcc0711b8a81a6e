// Energy to solution side by side, and the runs whose clocks were held down.
#include "app/compare/energy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace memstencil::compare {

namespace {

using Energies = std::vector<const Energy*>;

struct EnergyCase {
  Entry entry;                  ///< for its identity and label
  std::vector<Energies> sides;  ///< of each run of each side
};

/// The cases of a run that told energy or clocks: himeno's, or each variant of a transpose.
std::vector<std::pair<Entry, const Energy*>> energies_of(const Run& run) {
  std::vector<std::pair<Entry, const Energy*>> found;
  const auto add = [&found](const Entry& entry, const std::optional<Energy>& energy) {
    if (energy && (energy->gpus || energy->hosts)) found.emplace_back(entry, &*energy);
  };
  if (const auto* result = run.as<himeno::Result>(); result != nullptr && result->energy)
    add(entries_of(*result).front(), result->energy);
  if (const auto* result = run.as<transpose::Result>()) {
    const std::vector<Entry> entries = entries_of(*result);
    for (std::size_t n = 0; n < result->variants.size(); ++n)
      add(entries[n], result->variants[n].energy);
  }
  return found;
}

std::vector<EnergyCase> cases_with_energy(const std::vector<Side>& sides) {
  std::vector<EnergyCase> cases;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Run* run : sides[s].runs)
      for (const auto& [entry, energy] : energies_of(*run)) {
        const auto same = [&known = entry](const EnergyCase& each) {
          return each.entry.table == known.table && each.entry.identity == known.identity;
        };
        auto found = std::find_if(cases.begin(), cases.end(), same);
        if (found == cases.end())
          found = cases.insert(cases.end(), {entry, std::vector<Energies>(sides.size())});
        found->sides[s].push_back(energy);
      }
  return cases;
}

/// A figure of the GPUs or of the hosts: the median of the runs that have it, or null.
using Figure = std::optional<double> Energy::Part::*;
Record median_of(const Energies& runs, std::optional<Energy::Part> Energy::*part, Figure figure) {
  std::vector<double> values;
  for (const Energy* run : runs)
    if (run->*part && (*(run->*part)).*figure) values.push_back(*((*(run->*part)).*figure));
  return values.empty() ? Record() : Record(spread_of(values).median);
}

Record of_gpus(const Energies& runs, Figure figure) {
  return median_of(runs, &Energy::gpus, figure);
}

struct Throttled {
  std::size_t runs = 0;
  std::set<std::string> reasons = {};

  /// Counts the run where any of its energies says so.
  void add(const Energies& of_run) {
    bool any = false;
    for (const Energy* energy : of_run) {
      if (!energy->throttled()) continue;
      any = true;
      reasons.insert(energy->gpus->throttled->begin(), energy->gpus->throttled->end());
    }
    if (any) ++runs;
  }
};

}  // namespace

Table energy_table(const std::vector<Side>& sides) {
  using Of = Energy::Part;
  Table table{.title = "Energy to solution: of the timed part", .columns = {{"case"}}};
  for (const Side& side : sides)
    for (const auto& [title, unit] : {std::pair("GPUs", "J"),
                                      {"hosts", "J"},
                                      {"a step", "J"},
                                      {"mean", "W"},
                                      {"speed", "GFLOPS/W"}})
      table.columns.push_back({title, Show::Number, unit, side.label});
  for (std::size_t s = 1; s < sides.size(); ++s)
    table.columns.push_back({sides[s].label + " / " + sides[0].label, Show::Times});
  for (const EnergyCase& each : cases_with_energy(sides)) {
    std::vector<Record> row{full_label(each.entry)};
    for (const Energies& runs : each.sides)
      row.insert(row.end(),
                 {of_gpus(runs, &Of::joules), median_of(runs, &Energy::hosts, &Of::joules),
                  of_gpus(runs, &Of::joules_per_iteration), of_gpus(runs, &Of::mean_watts),
                  of_gpus(runs, &Of::gflops_per_watt)});
    const Record first = of_gpus(each.sides[0], &Of::joules_per_iteration);
    for (std::size_t s = 1; s < sides.size(); ++s) {
      const Record here = of_gpus(each.sides[s], &Of::joules_per_iteration);
      const bool both = first.is_number() && here.is_number() && first > 0.0;
      row.push_back(both ? Record(here.get<double>() / first.get<double>()) : Record());
    }
    // Clocks alone are no energy.
    if (std::any_of(row.begin() + 1, row.end(), [](const Record& cell) { return !cell.is_null(); }))
      table.rows.push_back(row);
  }
  table.note =
      "A step is a sweep or a transpose, and the ratio is of its joules on the GPUs. Of several "
      "runs of a case the median of each figure.";
  return without_empty_columns(table);
}

std::vector<std::string> throttled_in_words(const std::vector<Side>& sides) {
  std::vector<std::string> words;
  for (const EnergyCase& each : cases_with_energy(sides))
    for (std::size_t s = 0; s < sides.size(); ++s) {
      Throttled of;
      for (const Energy* run : each.sides[s]) of.add({run});
      if (of.runs > 0)
        words.push_back(
            fmt::format("{}, {}: the GPU's clocks were held down in {} of {} runs ({}); its speed "
                        "is that of lower clocks.",
                        sides[s].label, full_label(each.entry), of.runs, each.sides[s].size(),
                        fmt::join(of.reasons, ", ")));
    }
  return words;
}

std::vector<std::string> throttled_sides(const std::vector<Side>& sides) {
  std::vector<std::string> words;
  for (const Side& side : sides) {
    Throttled of;
    std::size_t told = 0;
    for (const Run* run : side.runs) {
      Energies energies;
      for (const auto& [entry, energy] : energies_of(*run)) energies.push_back(energy);
      if (!energies.empty()) ++told;
      of.add(energies);
    }
    if (of.runs > 0)
      words.push_back(
          fmt::format("{}: in {} of {} runs the GPU's clocks were held down ({}), and so was its "
                      "speed. The section Energy names the runs.",
                      side.label, of.runs, told, fmt::join(of.reasons, ", ")));
  }
  return words;
}

}  // namespace memstencil::compare
