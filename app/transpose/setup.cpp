// From options and this machine to a run: placement, shapes, variants; or why not.
#include "app/transpose/setup.hpp"

#include "app/common/agree.hpp"
#include "app/common/failure.hpp"
#include "app/common/record.hpp"
#include "app/placement/place.hpp"
#include "app/transpose/kernels.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace memstencil::transpose {

namespace {

std::vector<Shape> shapes_of(const Options& o) {
  if (!o.sizes) return {{o.rows, o.columns}};
  std::vector<Shape> shapes;
  for (std::int64_t size = o.sizes->from; size <= o.sizes->to; size += o.sizes->step)
    shapes.push_back({size, size});
  return shapes;
}

Operation operation_of(const Options& o) {
  if (o.in_place) return Operation::InPlace;
  return o.accumulate ? Operation::Accumulate : Operation::Plain;
}

/// An all-to-all counts in int: the elements of a tile, and those before it. The first rank has the most, a
/// row of A and of B more than others where the rows do not divide; tiles start at whole lines.
void check_counts(const Setup& setup, const Communicator& communicator) {
  const Shape& shape = setup.shapes.back();
  const Distribution first{shape, 0, communicator.size(), bytes_of(setup.options.type)};
  const std::int64_t largest =
      std::max(first.rows_of_a(0).count * shape.columns, first.rows_of_b(0).count * shape.rows) +
      communicator.size() * row_pitch(1, first.element_bytes);
  if (communicator.size() > 1 && largest > std::numeric_limits<int>::max())
    throw Failure(
        ExitCode::Machine,
        fmt::format("the matrix {} leaves one of {} ranks more elements than an all-to-all can count "
                    "({}); use more ranks, or one",
                    size_name(shape), communicator.size(), std::numeric_limits<int>::max()));
}

/// Every variant for the largest shape as one job, and why it cannot do it: names and reasons.
template <class T>
std::vector<Skipped> refusals(const Setup& setup) {
  const Shape& shape = setup.shapes.back();
  const Job<T> job{.rows = shape.rows,
                   .columns = shape.columns,
                   .a_pitch = row_pitch(shape.columns, sizeof(T)),
                   .b_pitch = row_pitch(shape.rows, sizeof(T)),
                   .operation = setup.operation};
  std::vector<Skipped> out;
  for (const Variant<T>& variant : kernels<T>(setup.placement.executor).variants(job))
    out.push_back({variant.name, variant.refused});
  return out;
}

std::string variant_of(const Setup& setup) {
  if (!setup.options.variant.empty()) return setup.options.variant;
  return setup.placement.executor == Executor::Device ? "tuned" : "portable";
}

}  // namespace

Setup set_up(const Options& options, const Communicator& communicator, int ranks_of_gpu) {
  if (options.in_place && !options.sizes && options.rows != options.columns)
    throw Failure(
        ExitCode::Usage,
        fmt::format("--in-place needs a square matrix, and {} is none: give --rows and --cols the same value",
                    size_name({options.rows, options.columns})));
  Setup setup{.options = options,
              .placement = place(options, ranks_of_gpu),
              .operation = operation_of(options),
              .shapes = shapes_of(options),
              .variants = {},
              .skipped = {},
              .direct = false};
  setup.direct = direct_messages(setup.placement.executor);
  check_counts(setup, communicator);
  return setup;
}

void choose_variants(Setup& setup, const Communicator& communicator) {
  auto found = setup.options.type == ElementType::Float ? refusals<float>(setup) : refusals<double>(setup);
  std::vector<double> refused;
  for (const Skipped& variant : found) refused.push_back(variant.reason.empty() ? 0.0 : 1.0);
  communicator.maximum(refused);
  std::vector<std::string> able;
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (refused[n] > 0.0 && found[n].reason.empty()) found[n].reason = "another rank cannot run it";
    if (found[n].reason.empty()) able.push_back(found[n].name);
  }
  const std::string wanted = variant_of(setup);
  if (wanted == all_name) {
    setup.variants = able;
    std::copy_if(found.begin(), found.end(), std::back_inserter(setup.skipped),
                 [](const Skipped& variant) { return !variant.reason.empty(); });
    return;
  }
  std::string reason;
  for (const Skipped& variant : found)
    if (variant.name == wanted) reason = variant.reason;
  if (!reason.empty())
    throw CollectiveFailure(ExitCode::Machine,
                            fmt::format("--variant {}: {}; on the {} here: {}", wanted, reason,
                                        name(setup.placement.executor), fmt::join(able, ", ")));
  setup.variants = {wanted};
}

Distribution distribution(const Setup& setup, const Shape& shape, const Communicator& communicator) {
  return {shape, communicator.rank(), communicator.size(), bytes_of(setup.options.type)};
}

std::vector<Demand> demands(const Setup& setup, const Communicator& communicator) {
  const Distribution part = distribution(setup, setup.shapes.back(), communicator);
  const auto bytes = [&](const matrix::Block& block) {
    return static_cast<double>(block.rows) * static_cast<double>(block.pitch) *
           static_cast<double>(part.element_bytes);
  };
  const double a = bytes(part.a());
  const double b = std::max(a, bytes(part.b()));
  std::vector<Demand> out{{setup.placement.space, setup.operation == Operation::InPlace ? a : a + b}};
  if (communicator.size() > 1) out.push_back({message_space(setup.placement.executor, setup.direct), a + b});
  if (!support(setup.placement.space, Executor::Host).served) out.push_back({MemorySpace::HostPinned, b});
  const auto iterations = static_cast<double>(setup.options.iterations);
  const double times = iterations * static_cast<double>(setup.variants.size() + 1);  // of one shape
  const auto shapes = static_cast<double>(setup.shapes.size());
  const int repeats = setup.options.repeat;
  out.push_back({MemorySpace::HostPinned, times * shapes * repeats * sizeof(double)});
  // In the record stand the times of the largest shape, of each shape and of each repeat where there are
  // several, and the rates of the copy as its limit.
  const double recorded =
      times * (1 + (setup.options.sizes ? shapes : 0) + (repeats > 1 ? repeats : 0)) + iterations;
  out.push_back({MemorySpace::HostPinned, recorded * bytes_of_number});
  return out;
}

}  // namespace memstencil::transpose
