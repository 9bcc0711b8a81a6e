// A transpose result as the model sees it: the case that is predicted, and what was measured.
#include "app/transpose/model_case.hpp"

#include "app/common/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::transpose {

namespace {

template <class T>
const T& known(const std::optional<T>& member, const std::string& name) {
  if (!member) throw Failure(ExitCode::Other, fmt::format("'{}' is missing", name));
  return *member;
}

}  // namespace

bool stopped_early(const Result& result) {
  return std::any_of(result.variants.begin(), result.variants.end(), [&](const auto& variant) {
    return !variant.seconds.empty() &&
           static_cast<std::int64_t>(variant.seconds.size()) < result.iterations;
  });
}

model::TransposeCase model_case(const Result& result) {
  if (result.sizes || result.ranks != 1)
    throw Failure(ExitCode::Other, "only a transpose of one shape on one rank can be predicted");
  const double element = result.type == "double" ? sizeof(double) : sizeof(float);
  const auto bytes = [&](std::int64_t rows, std::int64_t pitch) {
    return static_cast<double>(rows) * static_cast<double>(pitch) * element;
  };
  model::TransposeCase run{
      .a_bytes = bytes(result.rows, known(result.pitch_a, "pitch_a")),
      .b_bytes = result.operation == "in-place"
                     ? 0.0
                     : bytes(result.columns, known(result.pitch_b, "pitch_b")),
      .element_bytes = element,
      .iterations = result.iterations,
      .variants = {},
      .access = model::access_of(result.exec, result.first_touch, result.memory_options.prefetch),
      .space = model::space_named(result.memspace.effective)};
  run.host_threads = result.execution.host_threads.value_or(run.host_threads);
  for (const Result::Variant& variant : result.variants) {
    if (variant.name == "copy" && !run.variants.empty()) continue;
    const double asked = known(variant.bytes, "bytes of a variant");
    run.variants.push_back(
        {variant.name, variant.link ? variant.link->sector_bytes : asked, asked});
  }
  return run;
}

model::Measured measured(const Result& result) {
  if (result.variants.empty() || result.variants[0].seconds.empty() || result.iterations < 1)
    throw Failure(ExitCode::Other, "it has no iterations or no variants");
  const Result::Variant& variant = result.variants[0];
  model::Measured out{
      .phases = result.phases,
      .left_out = {},
      .first_step = variant.seconds[0],
      .median_step = known(variant.iteration_seconds, "iteration_seconds of a variant").median,
      .median_of = result.iterations};
  if (result.ranks != 1) out.left_out = {"pack", "exchange"};
  return out;
}

}  // namespace memstencil::transpose
