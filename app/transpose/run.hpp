// One run from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/machine/energy.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/ranks/gpu_exchange.hpp"
#include "app/base/runtime/phases.hpp"
#include "app/bench/limit.hpp"
#include "app/transpose/plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::transpose {

/// The result of a variant.
struct VariantResult {
  Variant variant;
  double bytes;                 ///< that an iteration reads and writes at least, over all ranks
  std::vector<double> seconds;  ///< each iteration, on its slowest rank
  /// Seconds of all iterations on the slowest rank, as Timing has them; alone the first two are 0.
  double pack, exchange, transpose;
  std::string stopped = {};  ///< why no more iterations were timed: reason_to_stop()
  Energy energy = {};        ///< of all ranks, on rank 0

  /// Bytes a second, each iteration.
  std::vector<double> rates() const;
};

struct ShapeResult {
  Shape shape;
  std::vector<VariantResult> variants;  ///< the copy is among them

  const VariantResult& copy() const;
};

/// The limit of an iteration on several ranks, measured in the same run: its messages alone,
/// out of each rank and into it at once; and its parts by themselves, one after the other.
/// Seconds of the slowest rank.
struct Alone {
  double message_bytes;              ///< that leave the rank that sends most
  double pack, exchange, transpose;  ///< the median of each
  double shortest_exchange;
};

struct RunResult {
  Phases phases;  ///< of the slowest rank; without the copy, where it was measured as the yardstick
                  ///< only
  std::vector<ShapeResult> shapes;
  /// Of an iteration on this rank, the mean: "transpose", "pack", "exchange".
  Named<double> own_seconds = {};
  bool enrolled = false;           ///< on this rank: Tiles::enrolled()
  int processors = 1;              ///< GPUs of all ranks, or nodes whose cores turn tiles
  std::optional<Limit> link = {};  ///< where the executor reaches its matrices over a link
  std::optional<Alone> alone =
      {};  ///< of the largest shape and its first variant, on several ranks
};

/// Called now and then with what is timed, and how many of its iterations are done.
using ShowProgress = std::function<void(const std::string& what, std::int64_t done)>;

/// Messages go by `gpu` where it is given: connect(). Collective. All
/// results are verified: otherwise
/// @throws Failure(Verification); and the errors of allocation.
RunResult run_once(const Plan& plan, const Communicator& communicator,
                   const ShowProgress& show = {}, GpuExchange* gpu = nullptr);

/// --repeat such runs. Collective.
std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator,
                                   ProgressLine line, GpuExchange* gpu = nullptr);

}  // namespace memstencil::transpose
