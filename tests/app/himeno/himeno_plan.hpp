// A himeno run on the host for tests: the options a case needs, everything else by default.
#pragma once

#include "app/himeno/plan.hpp"

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

}  // namespace memstencil::himeno
