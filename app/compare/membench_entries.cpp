// Entries of a membench run: each measurement of each probe, and the numbers derived from them.
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/compare/entry.hpp"
#include "app/membench/core/settling.hpp"

#include <fmt/format.h>

#include <map>

namespace memstencil::compare {

namespace {

std::string parameter_text(const std::string& name, const Record& value) {
  if (name == "bytes" && value.is_number()) return bytes_text(value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  return fmt::format("{} {}", name, value.dump());
}

/// The name, and what it does not say of the parameters.
std::string label_of(const std::string& name, const Record& parameters) {
  std::string label = name;
  for (const auto& [key, value] : parameters.items()) {
    const std::string parameter = parameter_text(key, value);
    if (name.find(parameter) == std::string::npos) label += ", " + parameter;
  }
  return label;
}

void add_threads(const std::string& threads, Entry& entry) {
  if (threads.empty()) return;
  entry.identity.emplace("threads", threads);
  entry.label += ", " + threads;
}

/// The figures of a machine's description that bound the measurement; empty if none does.
std::vector<std::string> theory_of(const std::string& probe, const Record& parameters) {
  if (probe == "link") {
    static const std::map<std::string, std::vector<std::string>> by_direction{
        {"host copy", {"host_memory"}},
        {"device copy", {"device_memory"}},
        {"HtoD", {"link_host_to_device"}},
        {"DtoH", {"link_device_to_host"}},
        {"both", {"link_host_to_device", "link_device_to_host"}}};
    const auto found = by_direction.find(text_of(parameters, "direction"));
    return found == by_direction.end() ? std::vector<std::string>{} : found->second;
  }
  if (probe == "copy") return {"device_memory"};
  const std::string place = text_of(parameters, "executor");
  const bool one_place = !place.empty() && text_of(parameters, "source") == place &&
                         text_of(parameters, "destination") == place;
  return probe == "patterns" && one_place ? std::vector<std::string>{place + "_memory"}
                                          : std::vector<std::string>{};
}

/// Do the host's threads do the work? Without a GPU nobody else does.
bool by_host(const probed::Result& run, const Record& parameters) {
  return !run.machine.gpu || text_of(parameters, "direction") == "host copy" ||
         text_of(parameters, "executor") == "host" || text_of(parameters, "phase") == "host" ||
         text_of(parameters, "act").ends_with("by host");
}

/// The median over the experiments.
double settled(const probed::MeasurementRecord& measurement) {
  std::vector<double> levels;
  // A file may claim any number of experiments.
  const bool sound =
      measurement.experiments > 0 &&
      static_cast<std::size_t>(measurement.experiments) <= measurement.samples.size();
  for (const auto& each :
       membench::settlings(measurement.samples, sound ? measurement.experiments : 1))
    levels.push_back(each.steady);
  return statistics(levels).median;
}

/// `threads`: of the host, where they count; otherwise nothing.
Entry measured(const std::string& probe, const probed::MeasurementRecord& measurement,
               const std::string& threads) {
  Entry entry{.program = "membench", .table = "membench: " + probe, .identity = {{"probe", probe}}};
  entry.identity.emplace("name", measurement.name);
  entry.identity.update(measurement.parameters);
  entry.label = label_of(measurement.name, measurement.parameters);
  add_threads(threads, entry);
  entry.unit = measurement.unit;
  entry.value = measurement.spread;
  entry.primary = true;
  if (probe == "patterns" || probe == "migration") entry.settled = settled(measurement);
  if (entry.unit == "GB/s") {
    entry.bandwidth = entry.value.median;
    entry.theory = theory_of(probe, measurement.parameters);
  }
  return entry;
}

/// Numbers anywhere in the object, under names with dots.
void add_derived(const Record& derived, const std::string& prefix, const Entry& like,
                 std::vector<Entry>& entries) {
  for (const auto& [key, value] : derived.items()) {
    if (value.is_object()) add_derived(value, prefix + key + ".", like, entries);
    if (!value.is_number()) continue;
    Entry entry = like;
    entry.label = prefix + key;
    entry.identity.emplace("derived", entry.label);
    const double number = value.get<double>();
    entry.value = {number, number, number};
    entries.push_back(entry);
  }
}

}  // namespace

std::vector<Entry> entries_of(const probed::Result& run) {
  // Files that do not say how many threads they had are of a membench that always took all cores.
  const std::string threads = run.execution.host_threads ? threads_text(run.execution, run.machine)
                                                         : std::string("all cores");
  std::vector<Entry> entries;
  for (const probed::ProbeRecord& probe : run.probes) {
    const std::string& name = probe.identity.name;
    for (const probed::MeasurementRecord& each : probe.measurements)
      entries.push_back(measured(name, each, by_host(run, each.parameters) ? threads : ""));
    const Entry like{.program = "membench",
                     .table = "membench: " + name + ", derived",
                     .identity = {{"probe", name}}};
    add_derived(probe.derived, "", like, entries);
  }
  return entries;
}

}  // namespace memstencil::compare
