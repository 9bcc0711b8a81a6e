// A short trial of every kind of sweep: --sweep auto chooses by it, and prints it.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/limit.hpp"
#include "app/himeno/plan.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// One kind's times: seconds of a sweep (of a pass, over the sweeps it fuses) on the slowest rank,
/// with the wait for its halo.
struct TrialRow {
  jacobi::SweepKind sweep = {};
  std::string why_not = {};       ///< why it was not tried; then there are no seconds
  std::optional<Plan> plan = {};  ///< of a run with this kind
  std::vector<double> seconds = {};
};

struct Trial {
  std::vector<TrialRow> rows;
  Limit limit;
};

/// Makes a plan for each kind of sweep, and runs it on arrays that are freed at the end: the run
/// that follows still touches its memory first. Each result is verified, but for streamed sweeps:
/// the run that follows verifies the kind that it takes. Collective. `show` gets the kind that is
/// tried next.
/// @throws CollectiveFailure (Verification) that names a kind that computes wrongly; (Machine) if
///         none can run
Trial try_sweeps(const Plan& base, const Machine& machine, const Communicator& communicator,
                 const std::function<void(const std::string&)>& show, const GpuPaths& gpu = {});

/// The row with the least median. @throws CollectiveFailure(Machine) if none ran
const TrialRow& fastest(const Trial& trial);

}  // namespace memstencil::himeno
