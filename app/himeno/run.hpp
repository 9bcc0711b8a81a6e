// himeno's runs.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/himeno/plan.hpp"
#include "app/himeno/result.hpp"

#include <memory>
#include <vector>

namespace memstencil::himeno {

/// Messages go by `gpu` where it is given: connect(). The result is verified: otherwise @throws
/// CollectiveFailure(Verification); and the errors of allocation. Collective.
RunResult run_once(const Plan& plan, const Communicator& communicator,
                   const Progress& progress = {},
                   const std::shared_ptr<GpuExchange>& gpu = nullptr);

/// --repeat such runs. Of p (--save-field) that of the last is kept alone: it is the same to the
/// bit in all runs of equally many sweeps. Collective.
std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator,
                                   ProgressLine line,
                                   const std::shared_ptr<GpuExchange>& gpu = nullptr);

}  // namespace memstencil::himeno
