// What a record says of who computes and where the arrays are, and that record as text.
#include "app/placement/placement_record.hpp"

#include "app/common/kokkos_runtime.hpp"
#include "app/common/report_head.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace memstencil {

Record execution_record(Executor executor) {
  Record out{{"space", KokkosRuntime::execution_space(executor)},
             {"host_threads", KokkosRuntime::host_threads()}};
  for (const char* variable : {"OMP_PROC_BIND", "OMP_PLACES"}) {
    const char* value = std::getenv(variable);
    out[variable] = value != nullptr ? Record(value) : Record();
  }
  return out;
}

Record placement_record(const Placement& p) {
  const Support served = support(p.space, p.executor);
  return {{"requested", name(p.space)}, {"effective", served.effective}, {"allocation", served.allocation}};
}

MemorySpace effective_space(const Placement& p) {
  return support(p.space, p.executor).effective == "host" ? MemorySpace::SystemAllocated : p.space;
}

std::string placement_text(const Record& memspace) {
  const std::string requested = plain_text(memspace["requested"]);
  const std::string effective = plain_text(memspace["effective"]);
  const std::string allocation = plain_text(memspace["allocation"]);
  if (requested == effective) return fmt::format("{} ({})", requested, allocation);
  return fmt::format("{} requested, {} effective ({})", requested, effective, allocation);
}

std::string execution_text(const Record& r) {
  return fmt::format("{} ({}, {} host threads)", plain_text(r["exec"]), plain_text(r["execution"]["space"]),
                     r["execution"]["host_threads"].dump());
}

}  // namespace memstencil
