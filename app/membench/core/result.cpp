// The result of a run, from what its probes gave.
#include "app/membench/core/result.hpp"

#include "app/common/record/report_head.hpp"
#include "app/common/runtime/statistics.hpp"

#include <optional>
#include <set>

namespace memstencil::membench {

namespace {

MeasurementRecord measurement_record(const Measurement& m) {
  const Statistics s = statistics(m.samples.values);
  return {.name = m.name,
          .parameters = m.parameters,
          .unit = m.unit,
          .samples = m.samples.values,
          .warmup = m.samples.warmup,
          .experiments = m.experiments,
          .spread = {s.minimum, s.median, s.maximum},
          .mean = s.mean,
          .ci95 = {s.confidence_low, s.confidence_high},
          .relative_half_width = s.relative_half_width,
          .stopped = m.samples.stopped};
}

ProbeIdentity identity(const Probe& probe) {
  return {probe.name, probe.summary, probe.source, probe.counted};
}

/// The spaces of the probe's arrays.
std::set<MemorySpace> spaces_of(const ProbeResult& result) {
  std::set<MemorySpace> spaces;
  for (const Measurement& m : result.measurements)
    if (m.parameters.contains("memory"))
      if (const auto space = memory_space_from_name(plain_text(m.parameters["memory"])))
        spaces.insert(*space);
  return spaces;
}

ProbeRecord probe_record(const ProbeRun& run, const MachineFacts& machine) {
  ProbeRecord record{.identity = identity(*run.probe),
                     .verified = run.skipped.empty(),
                     .skipped = {},
                     .seconds = run.seconds,
                     .clocks = run.clocks,
                     .measurements = {},
                     .tables = run.result.tables,
                     .derived = run.result.derived,
                     .residency = {},
                     .notes = run.result.notes};
  for (const auto& [what, text] : memory_lines(machine, spaces_of(run.result)))
    record.notes.push_back(what == "note" ? text : what + ": " + text);
  if (!run.skipped.empty()) record.skipped = run.skipped;
  if (!run.result.residency.empty()) record.residency = run.result.residency;
  for (const Measurement& m : run.result.measurements)
    record.measurements.push_back(measurement_record(m));
  return record;
}

std::string parameters_text(const Record& parameters) {
  std::string text;
  for (const auto& [key, value] : parameters.items())
    text += (text.empty() ? "" : ";") + key + "=" + plain_text(value);
  return text;
}

/// A line of the CSV.
struct MeasurementRow {
  std::string probe, parameters;
  std::size_t samples = 0;
  MeasurementRecord of;
};

void describe(Archive& a, MeasurementRow& row) {
  a("probe", row.probe);
  a("name", row.of.name);
  a("parameters", row.parameters);
  a("samples", row.samples);
  a("unit", row.of.unit);
  a("experiments", row.of.experiments);
  describe(a, row.of.spread);
  a("mean", row.of.mean);
  a("relative_half_width", row.of.relative_half_width);
  a("stopped", row.of.stopped);
}

}  // namespace

Result make_result(const std::string& chosen, const std::vector<ProbeRun>& runs,
                   const Record& options, const MachineFacts& machine,
                   const ExecutionRecord& execution) {
  Result result{.origin = {},
                .probe = chosen,
                .probes = {},
                .verified = true,
                .options = options,
                .machine = machine,
                .provenance = {},
                .execution = execution};
  for (const ProbeRun& run : runs) result.probes.push_back(probe_record(run, machine));
  return result;
}

Record measurement_rows(const Result& result) {
  Record rows = Record::array();
  for (const ProbeRecord& probe : result.probes)
    if (!probe.skipped)
      for (const MeasurementRecord& m : probe.measurements)
        rows.push_back(to_record(MeasurementRow{probe.identity.name, parameters_text(m.parameters),
                                                m.samples.size(), m}));
  return rows;
}

void describe(Archive& a, ListedProbe& probe) {
  describe(a, probe.identity);
  a("refused", probe.refused);
}

std::vector<ListedProbe> listed(const std::vector<Probe>& probes) {
  std::vector<ListedProbe> list;
  for (const Probe& probe : probes) {
    const std::string reason = probe.refused();
    list.push_back({identity(probe), reason.empty() ? std::nullopt : std::optional(reason)});
  }
  return list;
}

}  // namespace memstencil::membench
