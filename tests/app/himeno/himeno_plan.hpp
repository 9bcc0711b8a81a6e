// A himeno run on the host for tests: its options, its plan, and a result that was not run.
#pragma once

#include "app/himeno/plan.hpp"
#include "app/himeno/run.hpp"

namespace memstencil::himeno {

/// System-allocated memory serves the host in every build.
inline Options host_options(const Triple& extents, std::int64_t iterations,
                            const std::optional<std::uint64_t>& seed = {}, int fused = 1) {
  Options options;
  options.extents = extents;
  options.iterations = iterations;
  options.seed = seed;
  options.sweep.sweeps = fused;
  options.executor = Executor::Host;
  options.memspace = MemorySpace::SystemAllocated;
  return options;
}

/// The plan of these on this machine.
inline Plan plan_of(const Options& options) { return make_plan(options, {}, Communicator()); }

/// Four sweeps over S of so many seconds each.
inline RunResult run_of(double seconds) {
  RunResult r{.phases = Phases({"allocate", "initialise", "upload", "sweeps", "halo", "reduce",
                                "download", "free"}),
              .solve_seconds = 4 * seconds,
              .total_seconds = 1.0 + 4 * seconds,
              .sweep_seconds = {seconds, seconds, seconds, seconds},
              .gosa = {4e-3, 3e-3, 2e-3, 1e-3},
              .rehearsal = 0,
              .sweep_kernel = "rows",
              .limit = {"read stream", {9e9, 1e10}, 1e10},
              .p = {}};
  r.phases.add("sweeps", 4 * seconds);
  r.phases.add("initialise", 1.0);
  return r;
}

inline Plan small_plan(bool history = false) {
  Options options = host_options({64, 64, 128}, 4);
  options.gosa_history = history;
  return plan_of(options);
}

inline const Record standard{{"coefficients", "standard"}};

}  // namespace memstencil::himeno
