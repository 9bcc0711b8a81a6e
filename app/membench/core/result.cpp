// The result of a program run as the one record that every writer prints.
#include "app/membench/core/result.hpp"

#include "app/common/statistics.hpp"

namespace memstencil::membench {

namespace {

Record measurement_record(const Measurement& m) {
  const Statistics s = statistics(m.samples.values);
  return {{"name", m.name},
          {"parameters", m.parameters},
          {"unit", m.unit},
          {"samples", m.samples.values},
          {"warmup", m.samples.warmup},
          {"experiments", m.experiments},
          {"min", s.minimum},
          {"median", s.median},
          {"max", s.maximum},
          {"mean", s.mean},
          {"ci95", {s.confidence_low, s.confidence_high}},
          {"relative_half_width", s.relative_half_width},
          {"stopped", m.samples.stopped}};
}

Record identity(const Probe& probe) {
  return {
      {"name", probe.name}, {"summary", probe.summary}, {"source", probe.source}, {"counted", probe.counted}};
}

Record probe_record(const ProbeRun& run) {
  Record record = identity(*run.probe);
  record["verified"] = run.skipped.empty();
  if (!run.skipped.empty()) {
    record["skipped"] = run.skipped;
    return record;
  }
  record["seconds"] = run.seconds;
  record["measurements"] = Record::array();
  for (const Measurement& m : run.result.measurements)
    record["measurements"].push_back(measurement_record(m));
  record["tables"] = run.result.tables;
  record["derived"] = run.result.derived;
  record["notes"] = run.result.notes;
  return record;
}

}  // namespace

Record make_record(const std::string& chosen, const std::vector<ProbeRun>& runs, const Record& options,
                   const Record& machine) {
  Record record{
      {"schema", "memstencil-results"}, {"schema_version", 1}, {"program", "membench"}, {"probe", chosen},
      {"probes", Record::array()},      {"verified", true},    {"options", options},    {"machine", machine}};
  for (const ProbeRun& run : runs) record["probes"].push_back(probe_record(run));
  return record;
}

Record measurement_rows(const Record& record) {
  Record rows = Record::array();
  for (const Record& probe : record["probes"]) {
    if (probe.contains("skipped")) continue;
    for (const Record& m : probe["measurements"]) {
      std::string parameters;
      for (const auto& [key, value] : m["parameters"].items())
        parameters += (parameters.empty() ? "" : ";") + key + "=" +
                      (value.is_string() ? value.get<std::string>() : value.dump());
      rows.push_back({{"probe", probe["name"]}, {"name", m["name"]}, {"parameters", parameters}});
      rows.back()["samples"] = m["samples"].size();
      for (const char* key :
           {"unit", "experiments", "min", "median", "max", "mean", "relative_half_width", "stopped"})
        rows.back()[key] = m[key];
    }
  }
  return rows;
}

Record list_record(const std::vector<Probe>& probes) {
  Record list = Record::array();
  for (const Probe& probe : probes) {
    list.push_back(identity(probe));
    const std::string reason = probe.refused();
    list.back()["refused"] = reason.empty() ? Record() : Record(reason);
  }
  return {{"probes", list}};
}

}  // namespace memstencil::membench
