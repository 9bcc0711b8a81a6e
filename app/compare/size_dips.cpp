// Matrices whose rows are multiples of 512 against their neighbours in a sweep of sizes.
#include "app/compare/size_dips.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace memstencil::compare {

namespace {

/// The variants of a side's sweeps of sizes by their label, each with its medians by size; of two
/// sweeps of one label the later counts.
std::map<std::string, Dip> dips_of(const Side& side) {
  std::map<std::string, std::map<std::int64_t, double>> rates;
  for (const Run* run : side.runs) {
    const auto* result = run->as<transpose::Result>();
    if (result == nullptr || !result->sizes) continue;
    for (const transpose::Result::Size& row : *result->sizes)
      rates[row.variant + label_of_any_size(*result)][row.size] = row.gbs.median;
  }
  std::map<std::string, Dip> dips;
  for (const auto& [label, by_size] : rates)
    if (const auto dip = dip_of({by_size.begin(), by_size.end()})) dips[label] = *dip;
  return dips;
}

}  // namespace

std::optional<Dip> dip_of(const std::vector<std::pair<std::int64_t, double>>& rates) {
  const auto multiple = [&](std::size_t n) { return rates[n].first % partitions_repeat == 0; };
  std::vector<double> ratios;
  Dip dip;
  for (std::size_t n = 1; n + 1 < rates.size(); ++n) {
    const double around = (rates[n - 1].second + rates[n + 1].second) / 2;
    if (!multiple(n) || multiple(n - 1) || multiple(n + 1) || around <= 0) continue;
    ratios.push_back(rates[n].second / around);
    if (ratios.size() > 1 && ratios.back() >= dip.lowest) continue;
    dip.lowest = ratios.back();
    dip.lowest_at = rates[n].first;
  }
  if (ratios.empty()) return std::nullopt;
  dip.median = spread_of(ratios).median;
  dip.multiples = ratios.size();
  return dip;
}

Table dips_table(const std::vector<Side>& sides) {
  Table table{.title = "transpose: dip at multiples of 512",
              .columns = {{"case"}},
              .note =
                  "Rate at a multiple of 512 rows over the mean rate of the sizes before and "
                  "behind it: 1 is no dip. On a GTX 280 partition camping made sharp ones "
                  "([ufrgs-thesis], 4.4)."};
  std::vector<std::map<std::string, Dip>> of_sides;
  std::set<std::string> labels;
  for (const Side& side : sides) {
    of_sides.push_back(dips_of(side));
    for (const auto& [label, dip] : of_sides.back()) labels.insert(label);
    const auto column = [&](const std::string& title, Show show) {
      table.columns.push_back({.title = title, .show = show, .group = side.label});
    };
    column("median", Show::Number);
    column("lowest", Show::Number);
    column("lowest at", Show::Count);
    column("multiples", Show::Count);
  }
  for (const std::string& label : labels) {
    std::vector<Record> row{label};
    for (const auto& dips : of_sides) {
      const auto found = dips.find(label);
      if (found == dips.end()) {
        row.resize(row.size() + 4);  // empty cells
        continue;
      }
      const Dip& dip = found->second;
      row.insert(row.end(), {dip.median, dip.lowest, dip.lowest_at, dip.multiples});
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace memstencil::compare
