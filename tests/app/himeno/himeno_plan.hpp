// A himeno run on the host for tests: its options, its plan, and a result that was not run.
#pragma once

#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/himeno/plan.hpp"
#include "app/himeno/result.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// A kind with so many sweeps a pass.
inline jacobi::SweepKind sweep_of(int fused) {
  return {.name = fused > 1 ? "temporal" : "single", .sweeps = fused};
}

/// System-allocated memory serves the host in every build.
inline Options host_options(const Triple& extents, std::int64_t iterations,
                            const std::optional<std::uint64_t>& seed = {}, int fused = 1) {
  Options options;
  options.extents = extents;
  options.iterations = iterations;
  options.seed = seed;
  options.sweep = sweep_of(fused);
  options.executor = Executor::Host;
  options.memspace = MemorySpace::SystemAllocated;
  return options;
}

/// The plan of these on this machine.
inline Plan plan_of(const Options& options) { return make_plan(options, {}, Communicator()); }

/// The line that a run ends with; empty where it is verified.
inline std::string line_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const CollectiveFailure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification) << failure.what();
    return failure.what();
  }
  return {};
}

/// Why the ranks cannot use the transport here.
inline std::string why_not(Transport transport, const Machine& machine) {
  try {
    const Placement placement = placement_of(PlacementOptions{}, machine.ranks_of_gpu);
    agreed_transport("--halo", transport, placement, Communicator());
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

/// A run, and --repeat runs, of the program's kind.
RunResult run_once(const Plan& plan, const Communicator& communicator, const GpuPaths& gpu = {});
std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator);

/// Four sweeps over S of so many seconds each.
inline RunResult run_of(double seconds, const std::vector<double>& sweeps = {}) {
  RunResult r;
  r.solve_seconds = 4 * seconds;
  r.total_seconds = 1.0 + 4 * seconds;
  r.sums = {4e-3, 3e-3, 2e-3, 1e-3};
  r.sweep_kernel = "rows";
  for (const char* phase :
       {"allocate", "initialise", "upload", "sweeps", "halo", "reduce", "download", "free"})
    r.phases.emplace_back(phase, phase == std::string("sweeps")       ? 4 * seconds
                                 : phase == std::string("initialise") ? 1.0
                                                                      : 0.0);
  add_rates(r, cost_of_sweep({64, 64, 128}),
            sweeps.empty() ? std::vector<double>(4, seconds) : sweeps, {"read stream", {9, 10}});
  return r;
}

inline Plan small_plan() { return plan_of(host_options({64, 64, 128}, 4)); }

}  // namespace memstencil::himeno
