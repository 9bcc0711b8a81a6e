// The result of a membench run: the members of its record (docs/reference/result-format.md).
#include "app/membench/core/result_record.hpp"

namespace memstencil::membench {

void describe(Archive& a, MeasurementRecord& m) {
  a("name", m.name);
  a.any_group("parameters", m.parameters);
  a("unit", m.unit);
  a.not_empty("samples", m.samples);
  a.defaulted("warmup", m.warmup);
  a.defaulted("experiments", m.experiments);
  describe(a, m.spread);
  a.defaulted("mean", m.mean);
  a.defaulted("ci95", m.ci95);
  a.defaulted("relative_half_width", m.relative_half_width);
  a.defaulted("stopped", m.stopped);
}

void describe(Archive& a, SeriesPages& pages) {
  a("name", pages.name);
  a("executor", pages.executor);
  a("bytes", pages.bytes);
  describe(a, pages.residency);
}

void describe(Archive& a, ProbeIdentity& identity) {
  a("name", identity.name);
  a.defaulted("summary", identity.summary);
  a.defaulted("source", identity.source);
  a.defaulted("counted", identity.counted);
}

void describe(Archive& a, ProbeRecord& probe) {
  describe(a, probe.identity);
  a.defaulted("verified", probe.verified);
  a.optional("skipped", probe.skipped);
  if (probe.skipped) return;
  a.defaulted("seconds", probe.seconds);
  a.optional("clocks", probe.clocks);
  a("measurements", probe.measurements);
  a.defaulted("tables", probe.tables);
  a.defaulted("derived", probe.derived);
  a.optional("residency", probe.residency);
  a.defaulted("notes", probe.notes);
}

void describe(Archive& a, Result& r) {
  describe_head(a, "membench", r.origin);
  a.defaulted("probe", r.probe);
  a("probes", r.probes);
  a.defaulted("verified", r.verified);
  a.any_group("options", r.options);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
  a.defaulted("execution", r.execution);
}

}  // namespace memstencil::membench
