// The result of a program run as the one record that every writer prints.
#pragma once

#include "app/common/record.hpp"
#include "app/himeno/plan.hpp"
#include "app/himeno/run.hpp"
#include "app/himeno/trial.hpp"

#include <optional>
#include <vector>

namespace memstencil::himeno {

/// MFLOPS of the original's count of operations: 34 (I-3)(J-3)(K-3) a sweep.
double mflops(const Triple& extents, std::int64_t sweeps, double seconds);

/// The repeat whose mflops is the median (the lower one of two in the middle): it stands for all.
const RunResult& representative(const std::vector<RunResult>& repeats);

/// Keys as in docs/results-format.md. Several repeats stand under "repeats".
/// `trial`: what --sweep auto tried.
Record make_record(const Plan& plan, const std::vector<RunResult>& repeats, const std::optional<Trial>& trial,
                   const Record& options, const Record& machine);

/// What record and field take in a results file at most. With --seconds the number of sweeps is not known
/// before, and their times are left out.
double expected_bytes(const Options& options);

/// The table of --tune: every kind and tile with its times and its fraction of the limit.
Record make_tune_record(const Plan& plan, const Trial& trial, const Record& options, const Record& machine);

}  // namespace memstencil::himeno
