// Entries of a transpose run: the bandwidth of each variant.
#include "app/compare/entry.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

namespace {

/// --pitch; empty where rows are whole lines, as in results of older versions.
std::string pitch_of(const transpose::Result& run) {
  return run.options.is_object() ? text_of(run.options, "pitch") : "";
}

/// The members that the variants of a run share.
Record problem(const transpose::Result& run, std::int64_t rows, std::int64_t columns) {
  Record identity{{"rows", rows},
                  {"columns", columns},
                  {"type", run.type},
                  {"operation", run.operation},
                  {"ranks", fmt::format("{}", run.ranks)}};
  if (const std::string pitch = pitch_of(run); !pitch.empty()) identity["pitch"] = pitch;
  identity.update(placement_identity(run));
  return identity;
}

/// The theoretical limit of a copy: the memory of the executor, or, for arrays behind the
/// link, its two ways at once.
std::vector<std::string> theory_of(const transpose::Result& run) {
  if (run.limit.kind == "link") return {"link_host_to_device", "link_device_to_host"};
  return {run.exec + "_memory"};
}

/// Without name, figures and limit.
Entry entry_of(const transpose::Result& run, const std::string& variant) {
  Entry entry{.program = "transpose", .identity = {{"variant", variant}}};
  entry.requested = requested_memory(run.memspace);
  entry.unit = "GB/s";
  // Theory is a machine's; several ranks may have run on several.
  if (run.ranks == 1) entry.theory = theory_of(run);
  return entry;
}

/// A row of --sweep-sizes. The largest size stands in the table of whole runs as well, and alone
/// in lists of cases.
Entry entry_of(const transpose::Result& run, const transpose::Result::Size& row) {
  Entry entry = entry_of(run, row.variant);
  entry.table = "transpose: bandwidth over sizes";
  entry.identity.update(problem(run, row.size, row.size));
  entry.label =
      fmt::format("{}, {} x {}{}", row.variant, row.size, row.size, label_of_any_size(run));
  entry.value = row.gbs;
  entry.of_limit = row.of_copy;
  entry.bandwidth = row.gbs.median;
  return entry;
}

}  // namespace

std::string label_of_any_size(const transpose::Result& run) {
  std::string label = " " + run.type;
  if (run.operation != "plain") label += ", " + run.operation;
  if (const std::string pitch = pitch_of(run); !pitch.empty()) label += ", pitch " + pitch;
  if (run.ranks != 1) label += fmt::format(", ranks {}", run.ranks);
  const Record identity = placement_identity(run);
  return label + messages_label(identity) + placement_label(identity);
}

std::string problem_label(const transpose::Result& run) {
  return fmt::format(", {} x {}", run.rows, run.columns) + label_of_any_size(run);
}

std::vector<Entry> entries_of(const transpose::Result& run) {
  std::vector<Entry> entries;
  for (const transpose::Result::Variant& variant : run.variants) {
    Entry entry = entry_of(run, variant.name);
    entry.table = "transpose: bandwidth";
    entry.identity.update(problem(run, run.rows, run.columns));
    entry.label = variant.name + problem_label(run);
    entry.value = variant.gbs;
    entry.of_limit = variant.of_copy;
    entry.bandwidth = entry.value.median;
    entry.primary = true;
    entries.push_back(entry);
  }
  if (run.sizes)
    for (const transpose::Result::Size& row : *run.sizes) entries.push_back(entry_of(run, row));
  return entries;
}

}  // namespace memstencil::compare
