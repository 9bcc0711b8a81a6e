// What is compared of a transpose run: the bandwidth of each variant.
#include "app/compare/entry.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

std::vector<Entry> transpose_entries(const Run& run) {
  Record matrix{{"rows", run.number("rows")}, {"columns", run.number("columns")}, {"type", run.text("type")}};
  matrix["operation"] = run.text("operation");
  std::vector<Entry> entries;
  for (const Record& record : run.objects("variants")) {
    const Run variant{run.file, run.name, record};
    Entry entry{.program = "transpose",
                .table = "transpose: bandwidth",
                .identity = {{"variant", variant.text("name")}},
                .unit = "GB/s"};
    entry.identity.update(matrix);
    entry.identity.update(placement_identity(run));
    entry.label = fmt::format("{}, {} x {} {}", variant.text("name"), run.number("rows"),
                              run.number("columns"), run.text("type"));
    if (entry.identity["operation"] != "plain") entry.label += ", " + run.text("operation");
    entry.label += placement_label(entry.identity);
    entry.value = {variant.number("gbs.min"), variant.number("gbs.median"), variant.number("gbs.max")};
    entry.of_limit = variant.number("of_copy");
    entry.bandwidth = entry.value.median;
    entry.primary = true;
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace memstencil::compare
