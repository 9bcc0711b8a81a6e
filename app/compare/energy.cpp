// Energy to solution side by side, and the runs whose clocks were held down.
#include "app/compare/energy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

namespace memstencil::compare {

namespace {

struct EnergyCase {
  Entry entry;  ///< for its identity and label
  std::vector<std::vector<const Energy::Part*>>
      sides;  ///< the GPUs' energy of each run of each side
};

/// Those of a himeno run whose GPUs told their energy; otherwise null.
const Energy::Part* energy_of_gpus(const Run& run) {
  const auto* const result = run.as<himeno::Result>();
  return result != nullptr && result->energy && result->energy->gpus ? &*result->energy->gpus
                                                                     : nullptr;
}

std::vector<EnergyCase> cases_with_energy(const std::vector<Side>& sides) {
  std::vector<EnergyCase> cases;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (const Run* run : sides[s].runs) {
      const Energy::Part* const gpus = energy_of_gpus(*run);
      if (gpus == nullptr) continue;
      const Entry entry = entries_of(*run).front();
      auto found = std::find_if(cases.begin(), cases.end(), [&entry](const EnergyCase& each) {
        return each.entry.identity == entry.identity;
      });
      if (found == cases.end()) {
        cases.push_back({entry, {}});
        found = cases.end() - 1;
        found->sides.resize(sides.size());
      }
      found->sides[s].push_back(gpus);
    }
  return cases;
}

template <class Figure>
std::optional<double> median_of(const std::vector<const Energy::Part*>& runs, Figure figure) {
  std::vector<double> values;
  for (const Energy::Part* run : runs)
    if (const std::optional<double> value = figure(*run)) values.push_back(*value);
  return values.empty() ? std::nullopt : std::optional(spread_of(values).median);
}

std::optional<double> joules_of(const std::vector<const Energy::Part*>& runs) {
  return median_of(runs, [](const Energy::Part& part) { return part.joules_per_iteration; });
}

struct Throttled {
  std::size_t runs = 0;
  std::set<std::string> reasons = {};
};

Throttled throttled(const std::vector<const Energy::Part*>& runs) {
  Throttled of;
  for (const Energy::Part* run : runs) {
    if (!run->throttled || run->throttled->empty()) continue;
    ++of.runs;
    of.reasons.insert(run->throttled->begin(), run->throttled->end());
  }
  return of;
}

Record known_or_null(const std::optional<double>& value) {
  return value ? Record(*value) : Record();
}

}  // namespace

Table energy_table(const std::vector<Side>& sides) {
  Table table{.title = "himeno: energy of the GPUs in the timed sweeps", .columns = {{"case"}}};
  for (const Side& side : sides) {
    table.columns.push_back({side.label, Show::Number, "J a sweep"});
    table.columns.push_back({side.label + " mean", Show::Number, "W"});
    table.columns.push_back({side.label + " speed", Show::Number, "GFLOPS/W"});
  }
  for (std::size_t s = 1; s < sides.size(); ++s)
    table.columns.push_back({sides[s].label + " / " + sides[0].label, Show::Times});
  for (const EnergyCase& each : cases_with_energy(sides)) {
    std::vector<Record> row{full_label(each.entry)};
    for (const auto& runs : each.sides) {
      row.push_back(known_or_null(joules_of(runs)));
      row.push_back(known_or_null(median_of(
          runs, [](const Energy::Part& part) { return std::optional(part.mean_watts); })));
      row.push_back(known_or_null(
          median_of(runs, [](const Energy::Part& part) { return part.gflops_per_watt; })));
    }
    const std::optional<double> first = joules_of(each.sides[0]);
    for (std::size_t s = 1; s < sides.size(); ++s) {
      const std::optional<double> here = joules_of(each.sides[s]);
      row.push_back(first && here && *first > 0 ? Record(*here / *first) : Record());
    }
    table.rows.push_back(row);
  }
  return table;
}

std::vector<std::string> throttled_in_words(const std::vector<Side>& sides) {
  std::vector<std::string> words;
  for (const EnergyCase& each : cases_with_energy(sides))
    for (std::size_t s = 0; s < sides.size(); ++s)
      if (const Throttled of = throttled(each.sides[s]); of.runs > 0)
        words.push_back(
            fmt::format("{}, {}: the GPU's clocks were held down in {} of {} runs ({}); its speed "
                        "is that of lower clocks.",
                        sides[s].label, full_label(each.entry), of.runs, each.sides[s].size(),
                        fmt::join(of.reasons, ", ")));
  return words;
}

std::vector<std::string> throttled_sides(const std::vector<Side>& sides) {
  std::vector<std::string> words;
  for (const Side& side : sides) {
    std::vector<const Energy::Part*> runs;
    for (const Run* run : side.runs)
      if (const Energy::Part* const gpus = energy_of_gpus(*run)) runs.push_back(gpus);
    if (const Throttled of = throttled(runs); of.runs > 0)
      words.push_back(
          fmt::format("{}: in {} of {} runs the GPU's clocks were held down ({}), and so was its "
                      "speed. The section Energy names the runs.",
                      side.label, of.runs, runs.size(), fmt::join(of.reasons, ", ")));
  }
  return words;
}

}  // namespace memstencil::compare
