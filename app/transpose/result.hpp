// The result of a program run, made of its repeats, and its text.
#pragma once

#include "app/transpose/plan.hpp"
#include "app/transpose/result_record.hpp"
#include "app/transpose/run.hpp"

#include <string>
#include <vector>

namespace memstencil::transpose {

/// The repeat whose variants together took the median time: it stands for all.
const RunResult& representative(const std::vector<RunResult>& repeats);

/// Several repeats stand under `repeats`. Options and machine are not known here.
Result make_result(const Plan& plan, const std::vector<RunResult>& repeats);

/// A line for each variant.
inline Record csv_rows(const Result& result) { return memstencil::csv_rows(result, "variants"); }

/// The text report.
std::string text_report(const Result& result);

}  // namespace memstencil::transpose
