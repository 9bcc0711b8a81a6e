// himeno's result: docs/reference/result-format.md has its record; and the trial of --sweep auto.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
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
  std::optional<std::string> refused;  ///< why it was not tried; then the rest is empty
  /// Seconds of a pass, over the sweeps it fuses, on the slowest rank, with the wait for its halo.
  std::optional<Spread> sweep_seconds;
  std::optional<std::int64_t> count;
  std::optional<double> fraction;  ///< of the limit
  MEMSTENCIL_DESCRIBED(sweep, tile, refused, sweep_seconds, count, fraction)
};

/// One kind of a short trial, by which --sweep auto chooses.
struct TrialRow : TriedSweep {
  jacobi::SweepKind kind = {};
  std::optional<Plan> plan = {};  ///< of a run with this kind
};

/// Makes a plan for each kind of sweep, and runs it on arrays that are freed at the end: the run
/// that follows still touches its memory first. Each result is verified, but for streamed sweeps:
/// the run that follows verifies the kind that it takes. Collective.
/// @throws CollectiveFailure (Verification) that names a kind that computes wrongly; (Machine) if
///         none can run
std::vector<TrialRow> try_sweeps(const Plan& base, const Machine& machine,
                                 const Communicator& communicator, const GpuPaths& gpu = {});

/// The row with the least median. @throws CollectiveFailure(Machine) if none ran
const TrialRow& fastest(const std::vector<TrialRow>& rows);

struct Result : GridResult {
  std::string layout;
  std::optional<std::string> note;
  std::optional<std::vector<TriedSweep>> trial;
  std::optional<std::vector<RunResult>> repeats;
  void describe(Archive& a) const;
};

/// Several repeats stand under `repeats`. Options, machine and trial are not known here.
Result make_result(const Plan& plan, const std::vector<RunResult>& repeats);
/// The text report: the original's lines, with the report of the memory added.
/// @param verbose all lines, not only the notable ones
std::string text_report(const Result& result, bool verbose);

}  // namespace memstencil::himeno
