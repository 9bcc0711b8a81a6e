// The lines of --format csv: one for each variant.
#include "app/benchmark/csv_rows.hpp"

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
    row["gbs_min"] = variant.gbs.minimum;
    row["gbs_median"] = variant.gbs.median;
    row["gbs_max"] = variant.gbs.maximum;
    row["of_copy"] = variant.of_copy;
    row["of_bound"] = or_null(variant.of_bound);
    const auto& seconds = variant.iteration_seconds;
    row["iteration_seconds_min"] = seconds ? Record(seconds->minimum) : Record();
    row["iteration_seconds_median"] = seconds ? Record(seconds->median) : Record();
    row["iteration_seconds_max"] = seconds ? Record(seconds->maximum) : Record();
    row["limit"] = result.limit.kind;
    row["limit_gbs"] = result.limit.gbs;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace memstencil::transpose
