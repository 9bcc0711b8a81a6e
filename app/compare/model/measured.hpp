// A membench run as compare and the model look at it: measurements with their parameters. Results
// from tables of rows are turned into it; older ones have it. Until both read rows.
#pragma once

#include "app/base/machine/machine_facts.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/provenance.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/memory_record.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::probed {

/// One thing measured: raw samples, and what they were taken of.
struct MeasurementRecord {
  std::string name;
  Record parameters = Record::object();  ///< flat; with the name its identity in every report
  std::string unit;
  std::vector<double> samples, warmup;
  int experiments = 1;
  Spread spread;
  double mean = 0;
  std::array<double, 2> ci95{};
  double relative_half_width = 0;
  std::string stopped;
};
void describe(Archive& a, MeasurementRecord& measurement);

struct ProbeIdentity {
  std::string name, summary, source, counted;
};
void describe(Archive& a, ProbeIdentity& identity);

struct ProbeRecord {
  ProbeIdentity identity;
  bool verified = true;
  std::optional<std::string> skipped;  ///< why; then what follows is not there
  double seconds = 0;
  std::vector<MeasurementRecord> measurements;
  Record tables = Record::object();   ///< {table: {column: [values]}}
  Record derived = Record::object();  ///< each probe has its own
  std::vector<std::string> notes;
};
void describe(Archive& a, ProbeRecord& probe);

struct Result {
  std::string probe;
  std::vector<ProbeRecord> probes;
  bool verified = true;
  Record options = Record::object();
  MachineFacts machine;
  std::optional<Provenance> provenance;  ///< older versions did not tell
  ExecutionRecord execution;             ///< the host's
  Origin origin;
};
void describe(Archive& a, Result& result);

/// The run of a record, of either form. @throws Failure(Other) as from_record
Result read_result(Record record, const std::string& where);

}  // namespace memstencil::probed
