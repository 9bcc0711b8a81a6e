// A transpose result as the model sees it: the case that is predicted, and what was measured.
#include "app/compare/transpose_case.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::transpose {

namespace {

template <class T>
const T& known(const std::optional<T>& member, const std::string& name) {
  if (!member) throw Failure(ExitCode::Other, fmt::format("'{}' is missing", name));
  return *member;
}

/// Bytes over a link for each byte that is asked for. The naive kernel goes down the columns of B:
/// a warp writes one element of each, or two with a tile of 16, and each takes a sector of 32
/// bytes.
double sectors_over_asked(const std::string& variant, double element_bytes) {
  if (!variant.starts_with("naive")) return 1.0;
  return (1.0 + 32.0 / element_bytes / (variant == "naive" ? 1 : 2)) / 2.0;
}

}  // namespace

bool stopped_early(const Result& result) {
  return std::any_of(result.variants.begin(), result.variants.end(), [&](const auto& variant) {
    return !variant.seconds.empty() &&
           static_cast<std::int64_t>(variant.seconds.size()) < result.iterations;
  });
}

model::TransposeMessages messages_of(const Distribution& part, int ranks_of_node,
                                     const std::string& path, bool stores) {
  const int others = part.ranks - 1;
  const int elsewhere = std::max(0, part.ranks - ranks_of_node);
  const double sent = part.bytes_sent(part.rank);
  return {.path = path,
          .bytes = sent,
          .bytes_elsewhere = sent * elsewhere / others,
          .steps = stores ? 1 : exchange_steps(part, exchange_unit(Executor::Device)),
          .stores = stores};
}

model::TransposeCase model_case(const Result& result) {
  if (result.sizes)
    throw Failure(ExitCode::Other, "only a transpose of one shape can be predicted");
  if (result.ranks < 1)
    throw Failure(ExitCode::Other, fmt::format("its ranks are {}", result.ranks));
  const Distribution part{{result.rows, result.columns},
                          0,
                          result.ranks,
                          result.type == "double" ? sizeof(double) : sizeof(float)};
  const double element = result.type == "double" ? sizeof(double) : sizeof(float);
  const auto bytes = [&](std::int64_t rows, std::int64_t pitch) {
    return static_cast<double>(rows) * static_cast<double>(pitch) * element;
  };
  model::TransposeCase run{
      .a_bytes = bytes(part.rows_of_a(0).count, known(result.pitch_a, "pitch_a")),
      .b_bytes = result.operation == "in-place"
                     ? 0.0
                     : bytes(part.rows_of_b(0).count, known(result.pitch_b, "pitch_b")),
      .element_bytes = element,
      .iterations = result.iterations,
      .variants = {},
      .access = model::access_of(result.exec, result.first_touch, result.memory_options.prefetch),
      .space = model::space_named(result.memspace.effective)};
  run.host_threads = result.execution.host_threads.value_or(run.host_threads);
  if (result.ranks > 1 && result.exec == "device") {
    const int nodes =
        result.provenance ? std::max(1, static_cast<int>(result.provenance->hosts.size())) : 1;
    const auto packs = [](const Result::Variant& v) { return v.split && v.split->exchange > 0.0; };
    const bool stores = result.messages == "peer" &&
                        std::none_of(result.variants.begin(), result.variants.end(), packs);
    run.messages = messages_of(part, (result.ranks - 1) / nodes + 1, result.messages, stores);
  }
  for (const Result::Variant& variant : result.variants) {
    if (variant.name == "copy" && !run.variants.empty()) continue;
    const double asked = known(variant.bytes, "bytes of a variant") / result.ranks;
    run.variants.push_back(
        {variant.name, asked * sectors_over_asked(variant.name, element), asked});
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
  if (result.ranks != 1 && result.exec == "host") out.left_out = {"pack", "exchange"};
  return out;
}

}  // namespace memstencil::transpose
