// The part of a result that tells who computed, and the memory that its arrays were in.
#include "app/placement/memory_record.hpp"

#include <fmt/format.h>

namespace memstencil {

void describe(Archive& a, ExecutionRecord& execution) {
  a.defaulted("space", execution.space);
  a("host_threads", execution.host_threads);
  a("OMP_PROC_BIND", execution.proc_bind);
  a("OMP_PLACES", execution.places);
}

void describe(Archive& a, MemspaceRecord::Place& place) {
  a("p", place.p);
  a("coefficients", place.coefficients);
}

void describe(Archive& a, MemspaceRecord& memspace) {
  a("requested", memspace.requested);
  a("effective", memspace.effective);
  a.defaulted("allocation", memspace.allocation);
  a.optional("place", memspace.place);
}

void describe(Archive& a, MemoryOptions& options) {
  a.defaulted("prefetch", options.prefetch);
  a.defaulted("advise", options.advise);
  a.defaulted("pages", options.pages);
}

std::string text(const MemspaceRecord& m) {
  if (m.requested == m.effective) return fmt::format("{} ({})", m.requested, m.allocation);
  return fmt::format("{} requested, {} effective ({})", m.requested, m.effective, m.allocation);
}

std::string text(const std::string& executor, const ExecutionRecord& execution) {
  return fmt::format("{} ({}, {} host threads)", executor, execution.space,
                     execution.host_threads.value_or(0));
}

}  // namespace memstencil
