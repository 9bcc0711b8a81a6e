// himeno's results, and that of --try-sweeps. Their records are in
// docs/reference/result-format.md.
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

/// What one of the program's runs measured; its sums are gosa.
struct RunResult : GridRun {
  std::vector<float> p;  ///< this rank's local p with --save-field, rows of grid.pitch
  void describe(Archive& a) const;
};

/// A kind of sweep that --sweep auto or --try-sweeps tried.
struct TriedSweep {
  std::string sweep, tile;
  std::optional<std::string> failed, refused;  ///< why it computed wrongly, or was not tried
  std::optional<Spread> sweep_seconds;
  std::optional<std::int64_t> count;
  std::optional<double> fraction;  ///< of the limit
  MEMSTENCIL_DESCRIBED(sweep, tile, failed, refused, sweep_seconds, count, fraction)
};

struct Result : GridResult {
  std::string layout;
  std::optional<std::string> note;
  std::optional<std::vector<TriedSweep>> trial;
  std::optional<std::vector<double>> gosa_history;
  std::optional<std::vector<RunResult>> repeats;
  void describe(Archive& a) const;
};

/// The result of --try-sweeps in place of a run.
struct TrialResult : ApplicationResult {
  struct Fastest {
    std::string sweep, tile;
    MEMSTENCIL_DESCRIBED(sweep, tile)
  };

  Triple extents{};
  std::array<int, 3> ranks{};
  std::string layout;
  Limit limit;
  std::vector<TriedSweep> trial;
  Fastest fastest;
  bool verified = true;
  void describe(Archive& a) const;
};

struct Trial;

/// Several repeats stand under `repeats`. Options and machine are not known here.
/// `trial`: of --sweep auto, or null.
Result make_result(const Plan& plan, const std::vector<RunResult>& repeats,
                   const Trial* trial = nullptr);
/// Of --try-sweeps: every kind and tile with its times and its fraction of the limit.
TrialResult make_trial_result(const Plan& plan, const Trial& trial);

/// The text report: the original's lines, with the report of the memory added.
std::string text_report(const Result& result);
/// The table of --try-sweeps.
std::string text_report(const TrialResult& result);

}  // namespace memstencil::himeno
