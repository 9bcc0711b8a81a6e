// One run from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/machine/energy.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/ranks/gpu_exchange.hpp"
#include "app/base/runtime/phases.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/page_places.hpp"
#include "app/himeno/plan.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// The result of one run.
struct RunResult {
  Phases phases;             ///< of the rank whose sweeps took longest
  double solve_seconds = 0;  ///< from the barrier before the sweeps to the end of the reduction
  double total_seconds = 0;  ///< end to end: all phases
  std::vector<double> sweep_seconds =
      {};                         ///< of each sweep, of the same rank; fused ones count evenly
  std::vector<double> gosa = {};  ///< of each sweep, over all ranks
  std::int64_t rehearsal = 0;     ///< sweeps made before the timed ones
  std::string sweep_kernel = {};  ///< its tile, from the kernel
  Energy energy = {};             ///< of all ranks' timed sweeps, on rank 0
  std::int64_t exchanges = 0;     ///< of the halo, in the timed sweeps
  double exchange_seconds = 0;    ///< of one that nothing else goes on beside
  bool edges_first = false;       ///< on this rank: Solver::edges_first()
  double edges_share = 1.0;       ///< of a pass, before messages leave: Solver::edges_share()
  bool enrolled = false;          ///< on this rank: Halo::enrolled()
  int processors = 1;             ///< GPUs of all ranks, or nodes whose cores sweep
  Limit limit = {};
  std::optional<StagingRecord> staging = {};
  PageMoves pages = {};  ///< of all ranks; not asked about where no page can move
  Named<double> own_seconds =
      {};  ///< medians of this rank's own times: "sweep", and "halo" with neighbours
  std::vector<float> p = {};  ///< this rank's local p with --save-field, rows of grid.pitch
};

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
