// The part of a result that tells who computed, and the memory that its arrays were in.
#include "app/placement/memory_record.hpp"

#include "app/common/record/text_report.hpp"

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

void describe(Archive& a, Calls& calls) {
  a("count", calls.count);
  a("bytes", calls.bytes);
}

void describe(Archive& a, EffortRecord::Allocations& allocations) {
  a("memspace", allocations.memspace);
  describe(a, allocations.calls);
  a("staging_bytes", allocations.staging_bytes);
}

void describe(Archive& a, EffortRecord& effort) {
  a("allocations", effort.allocations);
  a("copies", effort.copies);
  a("prefetches", effort.prefetches);
  a("advices", effort.advices);
}

Calls EffortRecord::allocated() const {
  Calls all;
  for (const Allocations& each : allocations) all += each.calls;
  return all;
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

std::set<MemorySpace> effective_spaces(const MemspaceRecord& memspace) {
  std::set<MemorySpace> spaces;
  const auto add = [&](const std::string& name) {
    if (const auto space = memory_space_from_name(name)) spaces.insert(*space);
  };
  add(memspace.effective);
  if (memspace.place) add(memspace.place->p), add(memspace.place->coefficients);
  return spaces;
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

std::string allocations_text(const EffortRecord& effort) {
  std::vector<std::string> parts;
  for (const EffortRecord::Allocations& each : effort.allocations)
    parts.push_back(fmt::format("{} in {}", each.calls.count, each.memspace));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string staging_text(const EffortRecord& effort) {
  std::vector<std::string> parts;
  for (const EffortRecord::Allocations& each : effort.allocations)
    if (each.staging_bytes > 0)
      parts.push_back(fmt::format("{} in {}", bytes_text(each.staging_bytes), each.memspace));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string text(const EffortRecord& effort) {
  std::string out =
      fmt::format("{}; staging: {}; explicit copies: {}, {}", allocations_text(effort),
                  staging_text(effort), effort.copies.count, bytes_text(effort.copies.bytes));
  if (effort.prefetches.count > 0) out += fmt::format("; prefetches: {}", effort.prefetches.count);
  if (effort.advices > 0) out += fmt::format("; advice: {}", effort.advices);
  return out;
}

}  // namespace memstencil
