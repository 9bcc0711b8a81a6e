// The placement of a run, as its result carries it; and the memory spaces that this machine serves.
#include "app/bench/placement_record.hpp"

#include "app/base/runtime/kokkos_runtime.hpp"
#include "memory_spaces/capabilities.hpp"

#include <cstdlib>
#include <optional>

namespace memstencil {

namespace {

std::optional<std::string> environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

ExecutionRecord execution_of(Executor executor) {
  return {.space = KokkosRuntime::execution_space(executor),
          .host_threads = KokkosRuntime::host_threads(),
          .proc_bind = environment("OMP_PROC_BIND"),
          .places = environment("OMP_PLACES")};
}

MemspaceRecord memspace_of(const Placement& p) {
  const Support served = support(p.space, p.executor);
  return {.requested = std::string(name(p.space)),
          .effective = served.effective,
          .allocation = served.allocation,
          .place = {}};
}

MemorySpace effective_space(const Placement& p) {
  return support(p.space, p.executor).effective == "host" ? MemorySpace::SystemAllocated : p.space;
}

}  // namespace memstencil
