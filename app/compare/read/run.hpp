// Members of a result's record, and numbers as a person reads them; the runs of result files and of
// folders; the rows of membench's probes, as figures that can be set side by side.
#pragma once

#include "app/base/cli/numbers.hpp"
#include "app/base/record/record.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/membench/core/probe.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {

// Members by their path; one that is missing, or of another type, is named.
[[noreturn]] inline void refuse_member(std::string_view path, const char* why) {
  throw Failure(ExitCode::Other, fmt::format("'{}' {}", path, why));
}

inline double as_number(const Record& value, std::string_view path) {
  if (!value.is_number()) refuse_member(path, "is no number");
  return value.get<double>();
}

/// The member "limit.fraction"; null if there is none, or where it is null.
inline const Record* find(const Record& record, std::string_view path) {
  const Record* found = &record;
  for (const std::string& key : split(path, '.')) {
    const auto inner = found->find(key);
    if (inner == found->end()) return nullptr;
    found = &*inner;
  }
  return found->is_null() ? nullptr : found;
}

/// @throws Failure(Other) "'limit.fraction' is missing"
inline const Record& member(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  if (found == nullptr) refuse_member(path, "is missing");
  return *found;
}

/// @throws Failure(Other) "'limit.fraction' is no number", as those below
inline double number(const Record& record, std::string_view path) {
  return as_number(member(record, path), path);
}

inline std::optional<double> number_if(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  return found == nullptr ? std::nullopt : std::optional(as_number(*found, path));
}

/// `otherwise` where there is none.
inline double number_or(const Record& record, std::string_view path, double otherwise) {
  return number_if(record, path).value_or(otherwise);
}

/// A scalar as text.
inline std::string text(const Record& record, std::string_view path) {
  const Record& found = member(record, path);
  if (found.is_structured()) refuse_member(path, "is no text");
  return plain_text(found);
}

inline std::string text_or(const Record& record, std::string_view path,
                           const std::string& otherwise = "") {
  return find(record, path) == nullptr ? otherwise : text(record, path);
}

/// Numbers, or a single one; none if there is no such member.
inline std::vector<double> numbers(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  if (found == nullptr) return {};
  if (!found->is_array()) return {as_number(*found, path)};
  std::vector<double> all;
  for (const Record& each : *found) all.push_back(as_number(each, path));
  return all;
}

// Numbers with three digits in sentences, with four in tables.
/// "1123", "15.9", "1.50", "0.0300"
inline std::string three_digits(double value) {
  if (value == 0) return "0";
  return std::abs(value) < 99.95 ? fmt::format("{:#.3g}", value) : fmt::format("{:.0f}", value);
}

/// "0.659 s", "39.3 s", "57.1 ms"
inline std::string short_seconds(double seconds) {
  if (seconds == 0 || seconds >= 0.1) return three_digits(seconds) + " s";
  return seconds >= 1e-4 ? three_digits(1e3 * seconds) + " ms"
                         : three_digits(1e6 * seconds) + " us";
}

/// "0.360 against 0.513 s": with one unit where it is the same.
inline std::string both_seconds(double here, double there, const char* between = " against ") {
  const std::string a = short_seconds(here), b = short_seconds(there);
  const std::size_t unit_a = a.find(' '), unit_b = b.find(' ');
  return (a.substr(unit_a) == b.substr(unit_b) ? a.substr(0, unit_a) : a) + between + b;
}

/// "1.96", "15.9", "0.80": two digits behind the point at most.
inline std::string times_text(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
}

/// "7.2 %", "150 %"
inline std::string percent(double fraction) {
  return fmt::format("{:.{}f} %", 100 * fraction, std::abs(fraction) < 1 ? 1 : 0);
}

/// "1716", "54.83", "0.8491", "1.2e-05"
inline std::string four_digits(double value) {
  const double size = std::abs(value);
  if (size == 0 || size >= 1e9 || size < 1e-3) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, 3 - static_cast<int>(std::floor(std::log10(size))));
}

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
