// The result of a membench run: the members of its record (docs/reference/result-format.md).
#pragma once

#include "app/common/machine/energy.hpp"
#include "app/common/machine/machine_facts.hpp"
#include "app/common/record/archive.hpp"
#include "app/common/record/provenance.hpp"
#include "app/common/runtime/statistics.hpp"
#include "app/placement/memory_record.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

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

/// The places of the pages of a series of copies, before its first repeat and after its last, over
/// all experiments.
struct SeriesPages {
  std::string name;        ///< of the series
  std::string executor;    ///< of its copies: "host", "device"
  std::int64_t bytes = 0;  ///< of an array
  ResidencyRecord residency;
};
void describe(Archive& a, SeriesPages& pages);

struct ProbeIdentity {
  std::string name, summary, source, counted;
};
void describe(Archive& a, ProbeIdentity& identity);

struct ProbeRecord {
  ProbeIdentity identity;
  bool verified = true;
  std::optional<std::string> skipped;  ///< why; then what follows is not there
  double seconds = 0;
  std::optional<GpuClocks> clocks;  ///< of the GPU at its end
  std::vector<MeasurementRecord> measurements;
  Record tables = Record::object();   ///< {table: {column: [values]}}
  Record derived = Record::object();  ///< each probe has its own
  /// Of a probe whose pages can move, where the system tells; older versions had the tables alone.
  std::optional<std::vector<SeriesPages>> residency;
  std::vector<std::string> notes;
};
void describe(Archive& a, ProbeRecord& probe);

struct Result {
  Origin origin;
  std::string probe;
  std::vector<ProbeRecord> probes;
  bool verified = true;
  Record options = Record::object();
  MachineFacts machine;
  std::optional<Provenance> provenance;  ///< older versions did not tell
  ExecutionRecord execution;             ///< the host's
};
void describe(Archive& a, Result& result);

}  // namespace memstencil::membench
