// The result of a program run as the one record that every writer prints.
#include "app/transpose/result.hpp"

#include "app/benchmark/repeats.hpp"
#include "app/common/statistics.hpp"
#include "app/placement/placement_record.hpp"
#include "app/transpose/link_traffic.hpp"

#include <algorithm>
#include <numeric>

namespace memstencil::transpose {

namespace {

constexpr double giga = 1e-9;

Record gbs(const VariantResult& variant) {
  Record out = spread(variant.rates());
  for (auto& value : out) value = value.get<double>() * giga;
  return out;
}

/// Of the medians.
double of_copy(const VariantResult& variant, const ShapeResult& shape) {
  return statistics(variant.rates()).median / statistics(shape.copy().rates()).median;
}

Record link_record(const LinkTraffic& traffic) {
  return {{"derived", true},
          {"asked_bytes", traffic.asked},
          {"sector_bytes", traffic.sectors},
          {"line_bytes", traffic.lines}};
}

Record variant_record(const VariantResult& variant, const ShapeResult& shape, const Plan& plan,
                      const RunResult& run) {
  Record out{{"name", name(variant.variant)},
             {"gbs", gbs(variant)},
             {"of_copy", of_copy(variant, shape)},
             {"verified", true},
             {"bytes", variant.bytes},
             {"iteration_seconds", spread(variant.seconds)},
             {"seconds", variant.seconds}};
  if (plan.ranks > 1)
    out["split"] = {{"pack", variant.pack}, {"exchange", variant.exchange}, {"transpose", variant.transpose}};
  if (run.link && plan.ranks == 1)
    if (const auto traffic =
            link_traffic(variant.variant, shape.shape, plan.operation, bytes_of(plan.options.type)))
      out["link"] = link_record(*traffic);
  return out;
}

Record variants_record(const Plan& plan, const RunResult& run) {
  Record out = Record::array();
  for (const VariantResult& variant : run.shapes.back().variants)
    out.push_back(variant_record(variant, run.shapes.back(), plan, run));
  return out;
}

Record skipped_record(const Plan& plan) {
  Record out = Record::array();
  for (const OfferedVariant& each : plan.skipped)
    out.push_back({{"name", name(each.variant)}, {"reason", each.refused}});
  return out;
}

/// The table of --sweep-sizes: a row a size and variant.
Record sizes_record(const RunResult& run) {
  Record out = Record::array();
  for (const ShapeResult& shape : run.shapes)
    for (const VariantResult& variant : shape.variants) {
      Record row{{"size", shape.shape.rows}, {"variant", name(variant.variant)}};
      row.update(gbs(variant));
      row["of_copy"] = of_copy(variant, shape);
      row["seconds"] = variant.seconds;
      out.push_back(row);
    }
  return out;
}

Record limit_record(const RunResult& run) {
  const std::vector<double> rates = run.link ? run.link->samples : run.shapes.back().copy().rates();
  Record samples = Record::array();
  for (const double rate : rates) samples.push_back(rate * giga);
  return {{"kind", run.link ? run.link->kind : "copy"},
          {"gbs", *std::max_element(rates.begin(), rates.end()) * giga},
          {"samples_gbs", samples}};
}

double transpose_seconds(const RunResult& run) {
  double sum = 0;
  for (const ShapeResult& shape : run.shapes)
    for (const VariantResult& variant : shape.variants)
      sum += std::accumulate(variant.seconds.begin(), variant.seconds.end(), 0.0);
  return sum;
}

const char* operation_name(Operation operation) {
  switch (operation) {
    case Operation::Plain:
      return "plain";
    case Operation::Accumulate:
      return "accumulate";
    case Operation::InPlace:
      return "in-place";
  }
  return "?";
}

}  // namespace

const RunResult& representative(const std::vector<RunResult>& repeats) {
  return median_run(repeats, transpose_seconds);
}

double expected_bytes(const Options& o) {
  constexpr double record = 128 * 1024, of_a_variant = 4 * 1024;
  const double variants = o.every_variant ? all_variants.size() : 2;  // the copy beside the one named
  const double sizes = o.sizes ? static_cast<double>((o.sizes->to - o.sizes->from) / o.sizes->step + 1) : 0;
  const double repeats = o.repeat > 1 ? o.repeat : 0;
  const double one = of_a_variant + static_cast<double>(o.iterations) * sizeof(double);
  return record + (1 + sizes + repeats) * variants * one;
}

Record make_record(const Plan& plan, const std::vector<RunResult>& repeats, const Record& options,
                   const Record& machine) {
  const RunResult& run = representative(repeats);
  const Shape& shape = run.shapes.back().shape;
  const Placement& p = plan.placement;
  const std::size_t element_bytes = bytes_of(plan.options.type);
  Record record{{"schema", "memstencil-results"},
                {"schema_version", 1},
                {"program", "transpose"},
                {"size", size_name(shape)},
                {"rows", shape.rows},
                {"columns", shape.columns},
                {"pitch_a", row_pitch(shape.columns, element_bytes)},
                {"pitch_b", row_pitch(shape.rows, element_bytes)},
                {"type", name(plan.options.type)},
                {"operation", operation_name(plan.operation)},
                {"iterations", plan.options.iterations},
                {"ranks", plan.ranks},
                {"exec", name(p.executor)},
                {"execution", execution_record(p.executor)},
                {"memspace", placement_record(p)},
                {"first_touch", name(p.first_touch)},
                {"messages", plan.ranks == 1 ? "none"
                             : plan.direct   ? "device"
                                             : "staged"},
                {"variants", variants_record(plan, run)},
                {"skipped", skipped_record(plan)},
                {"limit", limit_record(run)},
                {"phases", run.phases.record()},
                {"verified", true},
                {"options", options},
                {"machine", machine}};
  if (plan.options.sizes) record["sizes"] = sizes_record(run);
  if (repeats.size() > 1) {
    record["repeats"] = Record::array();
    for (const RunResult& each : repeats)
      record["repeats"].push_back(
          {{"variants", variants_record(plan, each)}, {"phases", each.phases.record()}});
  }
  return record;
}

}  // namespace memstencil::transpose
