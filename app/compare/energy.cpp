// Energy to solution of each case, and the runs whose clocks were held down.
#include "app/compare/energy.hpp"

#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace memstencil::compare {

namespace {

/// The record `energy` of what was timed: the run's, or that of the variant of a transpose.
const Record* energy_of(const Sample& sample) {
  const Record& record = sample.run->record;
  const Record* variants = find(record, "variants");
  if (variants == nullptr) return find(record, "energy");
  const std::string name = value_of(sample.what.problem, "variant");
  for (const Record& each : *variants)
    if (text_or(each, "name") == name) return find(each, "energy");
  return nullptr;
}

std::optional<double> median(const Group& group, const char* path) {
  std::vector<double> values;
  for (const Sample& sample : group.samples)
    if (const Record* energy = energy_of(sample); energy != nullptr)
      if (const auto value = number_if(*energy, path)) values.push_back(*value);
  return values.empty() ? std::nullopt : std::optional(median_of(values));
}

}  // namespace

std::vector<EnergyRow> energy_rows(const std::vector<Side>& sides) {
  std::vector<EnergyRow> rows;
  for (const Side& side : sides)
    for (const Group& group : side.groups) {
      EnergyRow row{.side = side.name,
                    .label = label(group.what),
                    .step = group.middle().step,
                    .gpu_joules = median(group, "gpus.joules"),
                    .host_joules = median(group, "hosts.joules"),
                    .joules_a_step = median(group, "gpus.joules_per_iteration"),
                    .watts = median(group, "gpus.mean_watts"),
                    .gflops_a_watt = median(group, "gpus.gflops_per_watt")};
      if (row.gpu_joules || row.host_joules || row.joules_a_step) rows.push_back(row);
    }
  return rows;
}

std::vector<std::string> throttled(const std::vector<Side>& sides) {
  std::vector<std::string> words;
  for (const Side& side : sides) {
    std::set<const Run*> told, held;
    std::set<std::string> reasons;
    for (const Group& group : side.groups)
      for (const Sample& sample : group.samples) {
        const Record* energy = energy_of(sample);
        const Record* why = energy == nullptr ? nullptr : find(*energy, "gpus.throttled");
        if (why == nullptr || !why->is_array()) continue;
        told.insert(sample.run);
        for (const Record& each : *why) reasons.insert(plain_text(each));
        if (!why->empty()) held.insert(sample.run);
      }
    if (!held.empty())
      words.push_back(
          fmt::format("{}: in {} of {} runs the GPU's clocks were held down ({}), and "
                      "so was its speed.",
                      side.name, held.size(), told.size(), fmt::join(reasons, ", ")));
  }
  return words;
}

}  // namespace memstencil::compare
