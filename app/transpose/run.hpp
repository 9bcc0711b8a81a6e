// One run from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/common/cli/progress.hpp"
#include "app/common/machine/energy.hpp"
#include "app/common/ranks/communicator.hpp"
#include "app/common/runtime/phases.hpp"
#include "app/placement/limit.hpp"
#include "app/transpose/plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::transpose {

/// What a variant gave.
struct VariantResult {
  Variant variant;
  double bytes;                 ///< that an iteration reads and writes at least, over all ranks
  std::vector<double> seconds;  ///< each iteration, on its slowest rank
  double pack, exchange,
      transpose;       ///< seconds of all iterations on the slowest rank; alone the first two are 0
  Energy energy = {};  ///< of all ranks, on rank 0

  /// Bytes a second, each iteration.
  std::vector<double> rates() const;
};

struct ShapeResult {
  Shape shape;
  std::vector<VariantResult> variants;  ///< the copy is among them

  const VariantResult& copy() const;
};

struct RunResult {
  Phases phases;  ///< of the slowest rank; without the copy, where it was measured as the yardstick only
  std::vector<ShapeResult> shapes;
  Named<double> own_seconds;  ///< of an iteration on this rank, the mean: "transpose", "pack", "exchange"
  std::optional<Limit> link;  ///< where the executor reaches its matrices over a link
};

/// Called now and then with what is timed, and how many of its iterations are done.
using ShowProgress = std::function<void(const std::string& what, std::int64_t done)>;

/// Collective. All results are verified: otherwise @throws Failure(Verification); and the errors of
/// allocation.
RunResult run_once(const Plan& plan, const Communicator& communicator, const ShowProgress& show = {});

/// --repeat such runs. Collective.
std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator, ProgressLine line);

}  // namespace memstencil::transpose
