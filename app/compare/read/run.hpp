// The runs of result files and of folders.
#pragma once

#include "app/base/record/record.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/read/probes.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

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
