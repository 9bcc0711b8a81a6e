// One run from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/transpose/plan.hpp"
#include "app/transpose/result_record.hpp"

#include <functional>
#include <string>
#include <vector>

namespace memstencil::transpose {

/// Called now and then with what is timed, and how many of its iterations are done.
using ShowProgress = std::function<void(const std::string& what, std::int64_t done)>;

/// Messages go by `gpu` where it is given: connect(). Collective. All results are verified:
/// otherwise
/// @throws Failure(Verification); and the errors of allocation.
Repeat run_once(const Plan& plan, const Communicator& communicator, const ShowProgress& show = {},
                GpuExchange* gpu = nullptr);

/// --repeat such runs. Collective.
std::vector<Repeat> run_repeats(const Plan& plan, const Communicator& communicator,
                                ProgressLine line, GpuExchange* gpu = nullptr);

}  // namespace memstencil::transpose
