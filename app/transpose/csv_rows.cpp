// The lines of --format csv: one for each variant.
#include "app/bench/csv_rows.hpp"

#include "app/transpose/result.hpp"

namespace memstencil::transpose {

Record csv_rows(const Result& result) {
  Record rows = Record::array();
  for (const Result::Variant& variant : result.variants) {
    Record row = csv_of_run("transpose", result, result.memory_options);
    row["size"] = result.size;
    row["rows"] = result.rows;
    row["columns"] = result.columns;
    row["type"] = result.type;
    row["operation"] = result.operation;
    row["ranks"] = result.ranks;
    row["first_touch"] = result.first_touch;
    row["messages"] = result.messages;
    row["iterations"] = result.iterations;
    row["variant"] = variant.name;
    row["verified"] = variant.verified;
    add_spread(row, "gbs", variant.gbs);
    row["of_copy"] = variant.of_copy;
    row["of_bound"] = or_null(variant.of_bound);
    add_spread(row, "iteration_seconds", variant.iteration_seconds);
    row["limit"] = result.limit.kind;
    row["limit_gbs"] = result.limit.gbs;
    row["samples"] = variant.seconds.size();
    row["mean_gbs"] = variant.mean ? Record(variant.mean->gbs) : Record();
    row["relative_half_width"] =
        variant.mean ? Record(variant.mean->relative_half_width) : Record();
    row["stopped"] = variant.mean ? Record(variant.mean->stopped) : Record();
    rows.push_back(row);
  }
  return rows;
}

}  // namespace memstencil::transpose
