// Entries of a transpose run: the bandwidth of each variant.
#include "app/compare/entry.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

namespace {

/// The members that the variants of a run share.
Record problem(const transpose::Result& run) {
  Record identity{{"rows", run.rows},
                  {"columns", run.columns},
                  {"type", run.type},
                  {"operation", run.operation},
                  {"ranks", fmt::format("{}", run.ranks)}};
  identity.update(placement_identity(run));
  return identity;
}

/// The theoretical limit of a copy: the memory of the executor, or, for arrays behind the
/// link, its two ways at once.
std::vector<std::string> theory_of(const transpose::Result& run) {
  if (run.limit.kind == "link") return {"link_host_to_device", "link_device_to_host"};
  return {run.exec + "_memory"};
}

}  // namespace

std::string problem_label(const transpose::Result& run) {
  std::string label = fmt::format(", {} x {} {}", run.rows, run.columns, run.type);
  if (run.operation != "plain") label += ", " + run.operation;
  if (run.ranks != 1) label += fmt::format(", ranks {}", run.ranks);
  return label + placement_label(placement_identity(run));
}

std::vector<Entry> entries_of(const transpose::Result& run) {
  std::vector<Entry> entries;
  for (const transpose::Result::Variant& variant : run.variants) {
    Entry entry{.program = "transpose",
                .table = "transpose: bandwidth",
                .identity = {{"variant", variant.name}}};
    entry.identity.update(problem(run));
    entry.label = variant.name + problem_label(run);
    entry.requested = requested_memory(run.memspace);
    entry.unit = "GB/s";
    entry.value = variant.gbs;
    entry.of_limit = variant.of_copy;
    entry.bandwidth = entry.value.median;
    // Theory is a machine's; several ranks may have run on several.
    if (run.ranks == 1) entry.theory = theory_of(run);
    entry.primary = true;
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace memstencil::compare
