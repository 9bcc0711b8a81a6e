// Transposes for tests: the options a case needs on each executor that this machine has.
#pragma once

#include "app/transpose/plan.hpp"
#include "app/transpose/result.hpp"
#include "memory_spaces/capabilities.hpp"

#include <vector>

namespace memstencil::transpose {

/// System-allocated memory serves the host in every build, device memory every GPU.
inline Options options_for(Executor executor) {
  Options options;
  options.executor = executor;
  options.memspace =
      executor == Executor::Host ? MemorySpace::SystemAllocated : MemorySpace::Device;
  options.iterations = 2;
  return options;
}

inline std::vector<Executor> executors() {
  return gpu_count() > 0 ? std::vector{Executor::Host, Executor::Device}
                         : std::vector{Executor::Host};
}

inline Plan plan_of(const Options& options, const Communicator& communicator = {}) {
  return make_plan(options, {.ranks_of_gpu = communicator.size()}, communicator);
}

inline Repeat run_of(const Options& options, const Communicator& communicator = {}) {
  return run_once(plan_of(options, communicator), communicator);
}

}  // namespace memstencil::transpose
