// The result of a program run as the one record that every writer prints.
#pragma once

#include "app/common/record.hpp"
#include "app/transpose/plan.hpp"
#include "app/transpose/run.hpp"

#include <vector>

namespace memstencil::transpose {

/// The repeat whose variants together took the median time: it stands for all.
const RunResult& representative(const std::vector<RunResult>& repeats);

/// What the record takes in a results file at most.
double expected_bytes(const Options& options);

/// Keys as in docs/results-format.md. Several repeats stand under "repeats".
Record make_record(const Plan& plan, const std::vector<RunResult>& repeats, const Record& options,
                   const Record& machine);

}  // namespace memstencil::transpose
