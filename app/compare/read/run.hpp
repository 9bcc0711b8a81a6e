// The runs of result files and of folders; the rows of membench's probes, as figures that can be
// set side by side.
#pragma once

#include "app/compare/read/tree.hpp"
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

/// One measured run: of a result with `--repeat`, one of its repeats.
struct Run {
  std::string file;
  std::string folder;  ///< that was named, in which it lies; empty: the file was named
  std::string program;
  Record record;
  std::vector<ProbeRow> probe_rows = {};  ///< of membench
  std::string side = {};                  ///< that it was named for: NAME=FOLDER
  int repeat = 1;                         ///< its number in the file
  std::string content = {};  ///< equal in copies of a file; empty: it was not read from one
};

/// @throws Failure(Other): a program that is not known, rows of probes that are none;
/// Failure(Verification): a number that is not
///         finite, a result that was not verified
Run read_run(const std::string& file, const std::string& folder, Record record);

/// All repeats of a result, each with what all have in common; the result itself where it has none.
std::vector<Record> repeats_of(Record result);

/// The runs of the files, and of all *.h5 in and below the folders, in order; of any NAME=PATH for
/// the side NAME.
/// @throws Failure(Usage): a file or a folder named twice; Failure(Other): no result file; as
/// read_run
std::vector<Run> read_runs(const std::vector<std::string>& named);

/// The action's result; a Failure is thrown again with the name of the run's file.
template <class Action>
auto naming(const Run& run, Action&& action) {
  try {
    return action();
  } catch (const Failure& failure) {
    throw Failure(failure.code(), "cannot use " + run.file + ": " + failure.what());
  }
}

}  // namespace memstencil::compare
