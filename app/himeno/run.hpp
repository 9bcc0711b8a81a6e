// One run from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/phases.hpp"
#include "app/himeno/limit.hpp"
#include "app/himeno/setup.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// What one run gave.
struct RunResult {
  Phases phases;                      ///< of the rank whose sweeps took longest
  double solve_seconds = 0;           ///< from the barrier before the sweeps to the end of the reduction
  double total_seconds = 0;           ///< end to end: all phases
  std::vector<double> sweep_seconds;  ///< of each sweep, on its slowest rank; fused ones count evenly
  std::vector<double> gosa;           ///< of each sweep, over all ranks
  std::int64_t rehearsal = 0;         ///< sweeps made before the timed ones
  SweepKind sweep;                    ///< the kind that ran
  std::string sweep_kernel;           ///< its tile, from the kernel
  Limit limit;
  std::vector<float> p;  ///< this rank's local p with --save-field, rows of grid.pitch
};

/// Called now and then with the sweeps done and to do.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

/// Collective. The result is verified: otherwise @throws Failure(Verification); and the errors of
/// allocation.
RunResult run_once(const Setup& setup, const Communicator& communicator, const Progress& progress);

/// --repeat such runs. Of p (--save-field) that of the last is kept alone: it is the same to the bit in all
/// runs of equally many sweeps. `progress_of` gives the progress of run n, counted from 1. Collective.
std::vector<RunResult> run_repeats(const Setup& setup, const Communicator& communicator,
                                   const std::function<Progress(int run)>& progress_of);

}  // namespace memstencil::himeno
