// The result of a program run, made of its repeats.
#include "app/transpose/result.hpp"

#include "app/base/ranks/gpu_exchange.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/repeats.hpp"

#include <algorithm>
#include <numeric>

namespace memstencil::transpose {

namespace {

constexpr double giga = 1e-9;

Spread gbs(const VariantResult& variant) {
  Spread out = spread_of(variant.rates());
  for (double* value : {&out.minimum, &out.median, &out.maximum}) *value *= giga;
  return out;
}

Result::Mean mean_of(const VariantResult& variant) {
  const Statistics s = statistics(variant.seconds);
  return {.seconds = s.mean,
          .ci95 = {s.confidence_low, s.confidence_high},
          .relative_half_width = s.relative_half_width,
          .gbs = variant.bytes / s.mean * giga,
          .stopped = variant.stopped};
}

/// Of the medians.
double of_copy(const VariantResult& variant, const ShapeResult& shape) {
  return statistics(variant.rates()).median / statistics(shape.copy().rates()).median;
}

Result::Variant variant_of(const VariantResult& variant, const ShapeResult& shape,
                           const Plan& plan) {
  Result::Variant out{.name = std::string(name(variant.variant)),
                      .gbs = gbs(variant),
                      .of_copy = of_copy(variant, shape),
                      .bytes = variant.bytes,
                      .iteration_seconds = spread_of(variant.seconds),
                      .mean = mean_of(variant),
                      .seconds = kept_samples(variant.seconds),
                      .energy = variant.energy,
                      .split = {},
                      .of_bound = {}};
  out.energy->divide(static_cast<double>(variant.seconds.size()), 0);
  if (plan.ranks > 1) {
    out.split = Result::Split{
        .pack = variant.pack, .exchange = variant.exchange, .transpose = variant.transpose};
  }
  return out;
}

/// Of the largest shape.
std::vector<Result::Variant> variants_of(const Plan& plan, const RunResult& run) {
  const ShapeResult& shape = run.shapes.back();
  std::vector<Result::Variant> out;
  for (const VariantResult& variant : shape.variants)
    out.push_back(variant_of(variant, shape, plan));
  return out;
}

/// The table of --sweep-sizes: a row a size and variant.
std::vector<Result::Size> sizes_of(const RunResult& run) {
  std::vector<Result::Size> out;
  for (const ShapeResult& shape : run.shapes)
    for (const VariantResult& variant : shape.variants)
      out.push_back({.size = shape.shape.rows,
                     .variant = std::string(name(variant.variant)),
                     .gbs = gbs(variant),
                     .of_copy = of_copy(variant, shape),
                     .mean = mean_of(variant),
                     .seconds = kept_samples(variant.seconds)});
  return out;
}

Result::Limit limit_of(const RunResult& run) {
  Result::Limit limit{
      .kind = run.link ? run.link->kind : "copy",
      .samples_gbs = run.link ? run.link->samples : run.shapes.back().copy().rates()};
  for (double& rate : limit.samples_gbs) rate *= giga;
  limit.gbs = *std::max_element(limit.samples_gbs.begin(), limit.samples_gbs.end());
  return limit;
}

/// The first variant that sends messages; there is one where they were measured alone.
const VariantResult& sending(const RunResult& run) {
  const auto& variants = run.shapes.back().variants;
  return *std::find_if(variants.begin(), variants.end(),
                       [](const VariantResult& each) { return each.variant != Variant::Copy; });
}

/// Between several ranks the longer of the messages alone and of the matrices' bytes at the speed
/// of the copy. Where tiles are turned into the other GPU's B, another kernel sends these messages.
std::optional<Result::Bound> bound_of(const Plan& plan, const RunResult& run) {
  if (!run.alone) return {};
  const ShapeResult& shape = run.shapes.back();
  const std::vector<double> copies = shape.copy().rates();
  const VariantResult& variant = sending(run);
  const Alone& alone = *run.alone;
  const double memory_seconds = variant.bytes / *std::max_element(copies.begin(), copies.end());
  const bool by_messages = alone.shortest_exchange > memory_seconds;
  return Result::Bound{
      .seconds = by_messages ? alone.shortest_exchange : memory_seconds,
      .binds = by_messages ? "messages" : "memory",
      .path = std::string(name(plan.path)),
      .message_bytes = alone.message_bytes,
      .message_seconds = alone.shortest_exchange,
      .message_gbs =
          alone.message_bytes > 0 ? alone.message_bytes / alone.shortest_exchange * giga : 0,
      .memory_bytes = variant.bytes,
      .memory_seconds = memory_seconds,
      .alone = {.pack = alone.pack, .exchange = alone.exchange, .transpose = alone.transpose}};
}

double transpose_seconds(const RunResult& run) {
  double sum = 0;
  for (const ShapeResult& shape : run.shapes)
    for (const VariantResult& variant : shape.variants)
      sum += std::accumulate(variant.seconds.begin(), variant.seconds.end(), 0.0);
  return sum;
}

std::string operation_name(Operation operation) {
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

std::string messages_of(const Plan& plan) {
  if (plan.ranks == 1) return "none";
  return std::string(name(plan.path));
}

}  // namespace

const RunResult& representative(const std::vector<RunResult>& repeats) {
  return median_run(repeats, transpose_seconds);
}

Result make_result(const Plan& plan, const std::vector<RunResult>& repeats) {
  const RunResult& run = representative(repeats);
  const Shape& shape = run.shapes.back().shape;
  const Placement& p = plan.placement;
  const std::size_t element_bytes = bytes_of(plan.options.type);
  Result result;
  result.size = size_name(shape);
  result.rows = shape.rows;
  result.columns = shape.columns;
  result.pitch_a = plan.options.pitch.of(shape.columns, element_bytes);
  result.pitch_b = plan.options.pitch.of(shape.rows, element_bytes);
  result.type = std::string(name(plan.options.type));
  result.operation = operation_name(plan.operation);
  result.iterations = plan.options.iterations;
  result.ranks = plan.ranks;
  result.exec = std::string(name(p.executor));
  result.execution = execution_of(p.executor);
  result.memspace = memspace_of(p);
  result.first_touch = std::string(name(p.first_touch));
  result.messages = messages_of(plan);
  result.variants = variants_of(plan, run);
  result.limit = limit_of(run);
  result.bound = bound_of(plan, run);
  if (plan.ranks > 1 && plan.path == MessagePath::Nccl) {
    result.message_library = gpu_exchange_library();
    result.messages_registered = run.enrolled;
  }
  if (result.bound)
    for (Result::Variant& each : result.variants)
      if (each.name != name(Variant::Copy))
        each.of_bound = result.bound->seconds / each.iteration_seconds->median;
  result.phases = run.phases.by_name();
  result.own_seconds = run.own_seconds;
  for (const OfferedVariant& each : plan.skipped)
    result.skipped.push_back({std::string(name(each.variant)), each.refused});
  if (plan.options.sizes) result.sizes = sizes_of(run);
  if (repeats.size() > 1) {
    result.repeats.emplace();
    for (const RunResult& each : repeats)
      result.repeats->push_back({variants_of(plan, each), each.phases.by_name()});
  }
  return result;
}

}  // namespace memstencil::transpose
