// himeno's result: docs/reference/result-format.md has its record.
#pragma once

#include "app/grid/record.hpp"
#include "app/himeno/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// The original's count of operations a sweep, 34 (I-3)(J-3)(K-3), and 56 bytes a point updated.
SweepCost cost_of_sweep(const Triple& extents);

/// Measurements of one of the program's runs; its sums are gosa.
struct RunResult : GridRun {
  std::vector<float> p;  ///< this rank's local p with --save-field, rows of grid.pitch
  void describe(Archive& a) const;
};

/// A kind of sweep that --sweep auto tried.
struct TriedSweep {
  std::string sweep, tile;
  std::optional<std::string> refused;  ///< why it was not tried
  std::optional<Spread> sweep_seconds;
  std::optional<std::int64_t> count;
  std::optional<double> fraction;  ///< of the limit
  MEMSTENCIL_DESCRIBED(sweep, tile, refused, sweep_seconds, count, fraction)
};

struct Result : GridResult {
  std::string layout;
  std::optional<std::string> note;
  std::optional<std::vector<TriedSweep>> trial;
  std::optional<std::vector<RunResult>> repeats;
  void describe(Archive& a) const;
};

struct Trial;

/// Several repeats stand under `repeats`. Options and machine are not known here.
/// `trial`: of --sweep auto, or null.
Result make_result(const Plan& plan, const std::vector<RunResult>& repeats,
                   const Trial* trial = nullptr);
/// The text report: the original's lines, with the report of the memory added.
/// @param verbose all lines, not only the notable ones
std::string text_report(const Result& result, bool verbose);

}  // namespace memstencil::himeno
