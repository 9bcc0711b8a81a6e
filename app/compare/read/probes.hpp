// The rows of membench's probes, as figures that can be set side by side.
#pragma once

#include "app/base/record/record.hpp"
#include "app/membench/core/probe.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {

struct ProbeRow {
  std::string probe;
  std::string label = {};   ///< its texts and axes: equal where two rows are of one point
  std::string column = {};  ///< of the figure that stands for the row: "gbs"; empty: none does
  double value = 0;
  bool derived = false;      ///< follows from other rows: a level, a fit
  std::string options = {};  ///< "--numa 0", where the runs of a side differ in it
  membench::Row row = {};
};

/// The options of membench that change what a probe measures at a point.
inline constexpr std::array probe_options{"numa",  "gpu",     "memspace",
                                          "paper", "repeats", "experiments"};

/// All rows of a membench result. @throws Failure(Other) for rows that are none
std::vector<ProbeRow> probe_rows(const Record& result);

/// Members of a row, and their values.
using Wanted = std::vector<std::pair<const char*, std::string>>;
bool fits(const ProbeRow& row, const std::string& probe, const Wanted& wanted);
/// The row of these members with the most bytes, or null.
const ProbeRow* largest(const std::vector<ProbeRow>& rows, const std::string& probe,
                        const Wanted& wanted);
/// Of kernels, which read and write pinned memory at once; nothing if they were not measured.
std::optional<double> both_ways_gbs(const std::vector<ProbeRow>& rows);

/// The cells by name.
Record cells_of(const ProbeRow& row);

/// "GB/s" of "gbs"; the column's own words where it has no unit.
std::string unit_of_column(const std::string& column);

}  // namespace memstencil::compare
