// The result of a program run, made of its plan and its repeats, and its text.
#pragma once

#include "app/himeno/plan.hpp"
#include "app/himeno/result_record.hpp"
#include "app/himeno/run.hpp"
#include "app/himeno/trial.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// MFLOPS of the original's count of operations: 34 (I-3)(J-3)(K-3) a sweep.
double mflops(const Triple& extents, std::int64_t sweeps, double seconds);

/// The repeat whose mflops is the median (the lower one of two in the middle): it stands for all.
const RunResult& representative(const std::vector<RunResult>& repeats);

/// Several repeats stand under `repeats`. Options and machine are not known here.
/// `trial`: of --sweep auto.
Result make_result(const Plan& plan, const std::vector<RunResult>& repeats,
                   const std::optional<Trial>& trial = {});
/// Of --tune: every kind and tile with its times and its fraction of the limit.
TuneResult make_tune_result(const Plan& plan, const Trial& trial);

/// Of a run on several ranks.
Scaling scaling_of(const RunResult& run);

/// Of --tune, a line for each kind of sweep that was tried.
inline Record csv_rows(const TuneResult& result) { return memstencil::csv_rows(result, "tune"); }

/// The text report: the original's lines, with the report of the memory added.
std::string text_report(const Result& result);
/// The table of --tune.
std::string text_report(const TuneResult& result);

}  // namespace memstencil::himeno
