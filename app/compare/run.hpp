// A run out of a result file.
#pragma once

#include "app/himeno/result_record.hpp"
#include "app/model/measured.hpp"
#include "app/transpose/result_record.hpp"

#include <string>
#include <variant>
#include <vector>

namespace memstencil::compare {

struct Run {
  std::string file;
  std::string name;  ///< in the file: "0001"
  std::variant<himeno::Result, himeno::TuneResult, transpose::Result, probed::Result> result;

  /// "FILE, run 0001", for messages.
  std::string where() const;
  /// The result where it is of this kind, otherwise null.
  template <class Result>
  const Result* as() const {
    return std::get_if<Result>(&result);
  }
  const MachineFacts& machine() const;
  const ExecutionRecord& execution() const;
  /// The variables that change results; null where the result does not tell them.
  const Named<std::string>* environment() const;
};

/// @throws Failure(Other): a program that is not known, a member that is missing or of another
///         type; Failure(Verification): a number that is not finite, a result that was not verified
Run read_run(const std::string& file, const std::string& name, const Record& record);

/// All runs of the files, in order.
/// @throws Failure(Usage): a file named twice; Failure(Other): no result file; as read_run
std::vector<Run> read_runs(const std::vector<std::string>& files);

}  // namespace memstencil::compare
