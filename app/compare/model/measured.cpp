// A membench run as compare and the model look at it, read from either form of record.
#include "app/compare/model/measured.hpp"

#include "app/membench/core/result_record.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::probed {

namespace {

using membench::Row;

/// Names and numbers that tell rows apart, under the names that readers know.
Record parameters_of(const Row& row, const std::vector<std::string>& axes,
                     const std::string& probe) {
  Record out = Record::object();
  for (const auto& [name, value] : row.cells) {
    const auto* number = std::get_if<double>(&value);
    const bool axis = std::find(axes.begin(), axes.end(), name) != axes.end();
    if (name == "stopped" || (number != nullptr && !axis)) continue;
    std::string known = name;
    if (probe == "pages" && name == "memory") known = "memspace";
    if (probe == "copy" && name == "access") known = "pattern";
    if (probe == "copy" && name == "side") known = "rows";
    if (probe == "atomics" && name == "where") known = "memory";
    if (number != nullptr)
      out[known] = static_cast<std::int64_t>(*number);
    else
      out[known] = std::get<std::string>(value);
  }
  return out;
}

std::string title_of(const Record& parameters) {
  std::string title;
  for (const auto& [name, value] : parameters.items())
    title += (title.empty() ? "" : ", ") +
             (value.is_string() ? plain_text(value) : name + " " + value.dump());
  return title;
}

/// The figure that stands for the row: the first of these that was sampled.
std::string figure_of(const Row& row) {
  for (const char* column : {"gbs", "per_second", "per_clock", "cycles", "ns", "seconds"})
    if (row.samples.contains(column)) return column;
  return row.samples.empty() ? "" : row.samples.begin()->first;
}

Record measurement_of(const Record& parameters, const std::string& unit,
                      const std::vector<double>& samples, std::size_t experiments) {
  const Statistics s = statistics(samples);
  return {{"name", title_of(parameters)},
          {"parameters", parameters},
          {"unit", unit},
          {"samples", samples},
          {"experiments", experiments},
          {"min", s.minimum},
          {"median", s.median},
          {"max", s.maximum}};
}

std::string bytes_key(const Row& row) { return fmt::format("{:.0f} bytes", row.number("bytes")); }

/// What migration derives from a phase.
void add_phase(const Row& row, Record& derived) {
  const std::string phase = row.text("phase"), mode = row.text("mode");
  Record& own = derived[bytes_key(row)][row.text("memory")];
  const double repeat = row.number("steady_repeat");
  own[mode][phase] = {{"first_gbs", row.number("first_gbs")},
                      {"steady_gbs", row.number("steady_gbs")},
                      {"steady_repeat", repeat > 0 ? Record(repeat) : Record()}};
  const std::string way = phase == "host" ? "DtoH" : "HtoD";
  const auto movement = [&](const char* by, const char* column) {
    if (row.number(column) > 0)
      own["movement"][fmt::format("{} by {}, {}, one way GB/s", way, by, phase)] =
          row.number(column);
  };
  if (mode == "plain" && row.is("memory", "managed")) movement("fault", "moved_gbs");
  movement("prefetch", "prefetch_gbs");
}

/// Figures that published ones are compared with, under their names there.
void add_derived(const std::string& probe, const Row& row, Record& derived) {
  if (probe == "migration" && row.has("phase")) add_phase(row, derived);
  if (probe == "latency" && row.has("level"))
    derived["plateaus"][fmt::format("{}, {}, random line", row.text("path"), row.text("memory"))]
           [row.text("level")] = {{"cycles", row.number("cycles")}, {"ns", row.number("ns")}};
  if (probe == "l2" && row.has("level"))
    derived["gbs"][row.text("operation") + ", " + row.text("data")][row.text("level")] =
        row.number("gbs");
  if (probe == "shared" && row.has("model"))
    derived[fmt::format("{:.0f}-bit loads",
                        row.number("word_bits"))][row.has("C3") ? "hopper_fit" : "paper_fit"] = {
        {"C1", row.number("C1")}, {"C2", row.number("C2")}, {"r_squared", row.number("r_squared")}};
  if (probe == "overlap" && row.has("hidden"))
    derived[row.text("direction")][row.text("work")] = {{"hidden", row.number("hidden")}};
}

/// Both ways at once, by kernel: the sum of the rates of each way against the other.
void add_both_ways(const std::vector<Row>& rows, Record& measurements) {
  for (const Row& up : rows)
    for (const Row& down : rows)
      if (up.is("direction", "HtoD against DtoH") && down.is("direction", "DtoH against HtoD") &&
          up.text("by") == down.text("by") && up.text("memory") == down.text("memory") &&
          up.number("bytes") == down.number("bytes"))
        measurements.push_back(measurement_of({{"direction", "both"},
                                               {"memory", up.text("memory")},
                                               {"by", up.text("by")},
                                               {"bytes", up.number("bytes")}},
                                              "GB/s", {up.number("gbs") + down.number("gbs")}, 1));
}

Record probe_of_rows(const Record& record, const std::string& where) {
  const auto probe = from_record<membench::ProbeRecord>(record, where);
  Record out = record;
  out.erase("rows");
  Record measurements = Record::array(), derived = Record::object();
  for (const Row& row : probe.rows) {
    add_derived(probe.name, row, derived);
    const bool cost = probe.name == "pages" && row.has("ns_per_byte");
    if (row.samples.empty() && !cost) continue;
    if (probe.name == "pages" && !cost) continue;
    Record parameters = parameters_of(row, probe.axes, probe.name);
    if (cost) {
      parameters["bytes"] = std::int64_t{1'000'000'000};
      measurements.push_back(measurement_of(parameters, "ns/byte", {row.number("ns_per_byte")}, 1));
      continue;
    }
    for (const char* fact : {"ranks", "nodes"})
      if (row.has(fact)) parameters[fact] = static_cast<std::int64_t>(row.number(fact));
    const std::string figure = figure_of(row);
    const membench::Series& series = row.samples.at(figure);
    measurements.push_back(measurement_of(parameters, membench::unit_of(figure), series.values,
                                          series.experiments.size()));
  }
  if (probe.name == "link") add_both_ways(probe.rows, measurements);
  out["measurements"] = std::move(measurements);
  out["derived"] = std::move(derived);
  return out;
}

}  // namespace

Result read_result(Record record, const std::string& where) {
  const auto probes = record.find("probes");
  if (probes != record.end() && probes->is_array())
    for (Record& probe : *probes)
      if (probe.is_object() && probe.contains("rows")) probe = probe_of_rows(probe, where);
  return from_record<Result>(record, where);
}

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
  a("measurements", probe.measurements);
  a.defaulted("tables", probe.tables);
  a.defaulted("derived", probe.derived);
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

}  // namespace memstencil::probed
