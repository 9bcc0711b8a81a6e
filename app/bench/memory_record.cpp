// The part of a result that all applications have: who computed, and the memory of the arrays.
#include "app/bench/memory_record.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace memstencil {

void describe(Archive& a, ExecutionRecord& execution) {
  a.defaulted("space", execution.space);
  a("host_threads", execution.host_threads);
  a("OMP_PROC_BIND", execution.proc_bind);
  a("OMP_PLACES", execution.places);
}

void describe(Archive& a, MemspaceRecord& memspace) {
  a("requested", memspace.requested);
  a("effective", memspace.effective);
  a.defaulted("allocation", memspace.allocation);
  a.optional("chosen", memspace.chosen);
}

void describe(Archive& a, ResidencyRecord::Shares& shares) {
  a("on_host", shares.on_host);
  a("on_gpu", shares.on_gpu);
  a("not_mapped", shares.not_mapped);
}

void describe(Archive& a, ResidencyRecord& residency) {
  a.optional("unknown", residency.unknown);
  a.defaulted("pages", residency.pages);
  a.optional("before", residency.before);
  a.optional("after", residency.after);
  a("moved", residency.moved);
}

void describe(Archive& a, StagingRecord& staging) {
  a("memspace", staging.memspace);
  a("bytes", staging.bytes);
  a("copied_bytes", staging.copied_bytes);
}

void describe(Archive& a, MemoryOptions& options) {
  a.defaulted("prefetch", options.prefetch);
  a.defaulted("advise", options.advise);
  a.defaulted("pages", options.pages);
}

std::string text(const MemspaceRecord& m) {
  const std::string chosen = m.chosen ? "; auto: " + *m.chosen : "";
  if (m.requested == m.effective)
    return fmt::format("{} ({}){}", m.requested, m.allocation, chosen);
  return fmt::format("{} requested, {} effective ({}){}", m.requested, m.effective, m.allocation,
                     chosen);
}

std::string text(const std::string& executor, const ExecutionRecord& execution) {
  return fmt::format("{} ({}, {} host threads)", executor, execution.space,
                     execution.host_threads.value_or(0));
}

std::set<MemorySpace> effective_spaces(const MemspaceRecord& memspace) {
  const auto space = memory_space_from_name(memspace.effective);
  return space ? std::set{*space} : std::set<MemorySpace>();
}

namespace {

std::string text(const ResidencyRecord::Shares& shares) {
  std::vector<std::string> parts;
  const auto add = [&](double share, const char* where) {
    if (share > 0) parts.push_back(fmt::format("{:.3g} % {}", 100 * share, where));
  };
  add(shares.on_host, "on the host");
  add(shares.on_gpu.value_or(0), "on the GPU");
  add(shares.not_mapped, "not mapped by the host (on the GPU)");
  return fmt::format("{}", fmt::join(parts, " and "));
}

}  // namespace

std::string text(const ResidencyRecord& r, const std::string& executor, const std::string& step) {
  if (r.unknown || !r.before || !r.after) return "places unknown: " + r.unknown.value_or("");
  std::string out =
      fmt::format("before the {}s {}, after them {}", step, text(*r.before), text(*r.after));
  if (r.moved == false)
    out += fmt::format("; none moved to the {}: it reached them over the link in every {}",
                       executor == "device" ? "GPU" : "host", step);
  return out;
}

std::string text(const std::optional<StagingRecord>& staging) {
  if (!staging) return "none";
  return fmt::format("{} in {}, {} copied through it", bytes_text(staging->bytes),
                     staging->memspace, bytes_text(staging->copied_bytes));
}

}  // namespace memstencil
