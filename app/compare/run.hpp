// The runs of result files and of folders.
#pragma once

#include "app/compare/model/measured.hpp"
#include "app/himeno/result_record.hpp"
#include "app/transpose/result_record.hpp"

#include <string>
#include <variant>
#include <vector>

namespace memstencil::compare {

struct Run {
  std::string file;
  std::string folder;  ///< that was named, in which it lies; empty: the file was named
  std::variant<himeno::Result, himeno::TuneResult, transpose::Result, probed::Result> result;

  /// The result where it is of this kind, otherwise null.
  template <class Result>
  const Result* as() const {
    return std::get_if<Result>(&result);
  }
  const MachineFacts& machine() const;
  const ExecutionRecord& execution() const;
  const Origin& origin() const;
  /// The variables that change results; null where the result does not tell them.
  const Named<std::string>* environment() const;
};

/// @throws Failure(Other): a program that is not known, a member that is missing or of another
///         type; Failure(Verification): a number that is not finite, a result that was not verified
Run read_run(const std::string& file, const std::string& folder, const Record& record);

/// The runs of the files, and of all *.h5 in and below the folders, in order.
/// @throws Failure(Usage): a file named twice; Failure(Other): no result file; as read_run
std::vector<Run> read_runs(const std::vector<std::string>& named);

}  // namespace memstencil::compare
