// One run from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/transpose/plan.hpp"
#include "app/transpose/result.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace memstencil::transpose {

/// Called with what is timed, and how many of its iterations are done.
using ShowProgress = std::function<void(Variant variant, std::int64_t done)>;

/// Messages go by `gpu` where it is given: connect(). Collective. All results are verified:
/// otherwise
/// @throws Failure(Verification); and the errors of allocation.
Repeat run_once(
    const Plan& plan, const Communicator& communicator, GpuExchange* gpu = nullptr,
    const ShowProgress& show = [](Variant, std::int64_t) {});

/// --repeat such runs. Collective.
std::vector<Repeat> run_repeats(const Plan& plan, const Communicator& communicator,
                                ProgressLine line, GpuExchange* gpu);

}  // namespace memstencil::transpose
