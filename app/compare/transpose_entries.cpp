// What is compared of a transpose run: the bandwidth of each variant.
#include "app/compare/entry.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

namespace {

/// What the variants of a run share.
Record problem(const Run& run) {
  Record identity{{"rows", run.number("rows")},
                  {"columns", run.number("columns")},
                  {"type", run.text("type")},
                  {"operation", run.text("operation")},
                  {"ranks", fmt::format("{}", run.number("ranks"))}};
  identity.update(placement_identity(run));
  return identity;
}

/// What bounds a copy in theory: the memory of the executor, or, for what lies behind the link, its two ways
/// at once.
std::vector<std::string> theory_of(const Run& run) {
  if (run.text("limit.kind") == "link") return {"link_host_to_device", "link_device_to_host"};
  return {run.text("exec") + "_memory"};
}

}  // namespace

std::string transpose_problem_label(const Run& run) {
  const Record identity = problem(run);
  std::string label =
      fmt::format(", {} x {} {}", run.number("rows"), run.number("columns"), run.text("type"));
  if (identity["operation"] != "plain") label += ", " + run.text("operation");
  if (identity["ranks"] != "1") label += ", ranks " + identity["ranks"].get<std::string>();
  return label + placement_label(identity);
}

std::vector<Entry> transpose_entries(const Run& run) {
  std::vector<Entry> entries;
  for (const Record& record : run.objects("variants")) {
    const Run variant{run.file, run.name, record};
    Entry entry{.program = "transpose",
                .table = "transpose: bandwidth",
                .identity = {{"variant", variant.text("name")}}};
    entry.identity.update(problem(run));
    entry.requested = requested_memory(run);
    entry.label = variant.text("name") + transpose_problem_label(run);
    entry.unit = "GB/s";
    entry.value = {variant.number("gbs.min"), variant.number("gbs.median"), variant.number("gbs.max")};
    entry.of_limit = variant.number("of_copy");
    entry.bandwidth = entry.value.median;
    // Theory is a machine's; several ranks may have run on several.
    if (entry.identity["ranks"] == "1") entry.theory = theory_of(run);
    entry.primary = true;
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace memstencil::compare
