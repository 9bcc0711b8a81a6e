// Transposes for tests: the options a case needs on each executor that this machine has.
#pragma once

#include "app/transpose/run.hpp"
#include "app/transpose/setup.hpp"
#include "memory_spaces/capabilities.hpp"

#include <vector>

namespace memstencil::transpose {

/// System-allocated memory serves the host in every build, device memory every GPU.
inline Options options_for(Executor executor) {
  Options options;
  options.executor = executor;
  options.memspace = executor == Executor::Host ? MemorySpace::SystemAllocated : MemorySpace::Device;
  options.iterations = 2;
  return options;
}

inline std::vector<Executor> executors() {
  return gpu_count() > 0 ? std::vector{Executor::Host, Executor::Device} : std::vector{Executor::Host};
}

inline Setup setup_of(const Options& options, const Communicator& communicator = {}) {
  Setup setup = set_up(options, communicator, communicator.size());
  choose_variants(setup, communicator);
  return setup;
}

inline RunResult run_of(const Options& options, const Communicator& communicator = {}) {
  return run_once(setup_of(options, communicator), communicator, [](const std::string&, std::int64_t) {});
}

}  // namespace memstencil::transpose
