// A run out of a result file, and strict access to its members.
#pragma once

#include "app/common/record.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

struct Run {
  std::string file;
  std::string name;  ///< in the file: "0001"
  Record record;

  /// "FILE, run 0001", for messages.
  std::string where() const;
  /// The member under names with dots ("limit.gbs"), or nothing where it is absent or null.
  const Record* find(const std::string& path) const;

  /// @throws Failure(Other) that names the file, the run and the member where it is absent or of another kind
  std::string text(const std::string& path) const;
  double number(const std::string& path) const;
  std::vector<double> numbers(const std::string& path) const;  ///< not empty
  const Record& objects(const std::string& path) const;        ///< an array of objects
  const Record& object(const std::string& path) const;

  std::string program() const { return text("program"); }

private:
  const Record& member(const std::string& path, const std::string& wanted) const;
};

/// All runs of the files, in order.
/// @throws Failure(Usage): a file named twice; Failure(Other): no result file, a run of a program that
///         is not known; Failure(Verification): a number that is not finite, a result that was not verified
std::vector<Run> read_runs(const std::vector<std::string>& files);

}  // namespace memstencil::compare
