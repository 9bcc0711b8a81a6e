// The result of a membench run: the members of its record (docs/reference/result-format.md), and
// its rows for those who measure and those who read them.
#pragma once

#include "app/base/machine/nvml.hpp"
#include "app/base/record/statistics.hpp"
#include "app/bench/memory_record.hpp"
#include "app/membench/core/probe.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// Summary of all looks at a GPU; a fact that the driver never gave has no value.
struct GpuCourse {
  std::int64_t looks = 0;
  std::optional<Spread> sm_clock_mhz, memory_clock_mhz, watts, celsius;
  std::optional<Named<double>> held_down;  ///< reasons for low clocks, each with its share of looks
  MEMSTENCIL_DESCRIBED(looks, sm_clock_mhz, memory_clock_mhz, watts, celsius, held_down)
};
GpuCourse course_of(const std::vector<GpuMoment>& moments);

struct ProbeRecord : Table {
  const Probe* probe = nullptr;
  std::optional<std::string> skipped;  ///< why; then there is nothing else, nor verified
  double seconds = 0;                  ///< of the whole probe, verification included
  std::optional<GpuCourse> gpu;        ///< while it ran
  std::vector<std::string> axes;       ///< names; cells of other names are figures
  /// In a file rows stand in blocks, {column: [values]}, one for each set of columns.
  void describe(Archive& a) const;
};

/// Of the host's execution.
struct Result : MeasuredResult {
  std::string probe;
  std::vector<ProbeRecord> probes;
  void describe(Archive& a) const;
};

/// "GB/s" of "gbs" and "copy_gbs"; empty for a column without unit.
std::string unit_of(const std::string& column);

/// Rows with the same columns and samples, in the order of their first ones.
std::vector<std::vector<const Row*>> rows_by_columns(const std::vector<Row>& rows);
/// Blocks of a file, and the rows in them.
Record blocks_of(const std::vector<Row>& rows);
/// @throws Failure(Other) that names the probe if columns have different lengths
std::vector<Row> rows_of(const Record& blocks, const std::string& probe);

/// The record as --format json prints it: with an object for each row.
Record printed(const Result& result, Record record);

}  // namespace memstencil::membench
