// What is compared of a membench run: each measurement of each probe, and the numbers derived from them.
#include "app/common/text_report.hpp"
#include "app/compare/entry.hpp"

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

std::string text(const Record& parameters, const char* key) {
  const auto found = parameters.find(key);
  return found != parameters.end() && found->is_string() ? found->get<std::string>() : "";
}

void add_threads(const std::string& threads, Entry& entry) {
  if (threads.empty()) return;
  entry.identity["threads"] = threads;
  entry.label += ", " + threads;
}

/// Which figures of a machine's description bound the measurement; empty where none does.
std::vector<std::string> theory_of(const std::string& probe, const Record& parameters) {
  if (probe == "link") {
    static const std::map<std::string, std::vector<std::string>> by_direction{
        {"host copy", {"host_memory"}},
        {"device copy", {"device_memory"}},
        {"HtoD", {"link_host_to_device"}},
        {"DtoH", {"link_device_to_host"}},
        {"both", {"link_host_to_device", "link_device_to_host"}}};
    const auto found = by_direction.find(text(parameters, "direction"));
    return found == by_direction.end() ? std::vector<std::string>{} : found->second;
  }
  if (probe == "copy") return {"device_memory"};
  const std::string place = text(parameters, "executor");
  const bool one_place =
      !place.empty() && text(parameters, "source") == place && text(parameters, "destination") == place;
  return probe == "patterns" && one_place ? std::vector<std::string>{place + "_memory"}
                                          : std::vector<std::string>{};
}

/// Do the host's threads do the work? Without a GPU nobody else does.
bool by_host(const Run& run, const Record& parameters) {
  return run.find("machine.gpu") == nullptr || text(parameters, "direction") == "host copy" ||
         text(parameters, "executor") == "host" || text(parameters, "phase") == "host" ||
         text(parameters, "act").ends_with("by host");
}

/// `threads`: of the host, where they count; otherwise nothing.
Entry measured(const std::string& name, const Record& parameters, const Run& measurement,
               const std::string& threads) {
  Entry entry{.program = "membench", .table = "membench: " + name, .identity = {{"probe", name}}};
  entry.identity["name"] = measurement.text("name");
  entry.identity.update(parameters);
  entry.label = label_of(measurement.text("name"), parameters);
  add_threads(threads, entry);
  entry.unit = measurement.text("unit");
  entry.value = {measurement.number("min"), measurement.number("median"), measurement.number("max")};
  entry.primary = true;
  measurement.numbers("samples");  // the plots read them
  if (entry.unit == "GB/s") {
    entry.bandwidth = entry.value.median;
    entry.theory = theory_of(name, parameters);
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
    entry.identity["derived"] = entry.label;
    const double number = value.get<double>();
    entry.value = {number, number, number};
    entries.push_back(entry);
  }
}

}  // namespace

std::vector<Entry> membench_entries(const Run& run) {
  std::vector<Entry> entries;
  for (const Record& record : run.objects("probes")) {
    const Run probe{run.file, run.name, record};
    const std::string name = probe.text("name");
    if (probe.find("skipped") != nullptr) continue;
    for (const Record& each : probe.objects("measurements")) {
      const Run measurement{run.file, run.name, each};
      const bool has_parameters = measurement.find("parameters") != nullptr;
      const Record parameters = has_parameters ? measurement.object("parameters") : Record::object();
      entries.push_back(
          measured(name, parameters, measurement, by_host(run, parameters) ? threads_text(run) : ""));
    }
    const Record* derived = probe.find("derived");
    const Entry like{
        .program = "membench", .table = "membench: " + name + ", derived", .identity = {{"probe", name}}};
    if (derived != nullptr) add_derived(*derived, "", like, entries);
  }
  return entries;
}

}  // namespace memstencil::compare
