// The plan of a run: all that the options leave open is decided for this machine, or refused.
#include "app/transpose/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/record.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/bench/choose.hpp"
#include "app/transpose/tiles.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

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

void require_square(const Options& o) {
  if (o.in_place && !o.sizes && o.rows != o.columns)
    throw Failure(ExitCode::Usage, fmt::format("--in-place needs a square matrix, and {} is none: "
                                               "give --rows and --cols the same value",
                                               size_name({o.rows, o.columns})));
}

void require_room_for_rows(const Options& o) {
  if (o.pitch.kind != Pitch::Kind::Fixed) return;
  const Shape largest = shapes_of(o).back();
  const std::int64_t longest = std::max(largest.rows, largest.columns);
  if (o.pitch.elements < longest)
    throw Failure(ExitCode::Usage,
                  fmt::format("--pitch {} is less than a row: with {} A and B need at least {}",
                              o.pitch.elements, size_name(largest), longest));
}

/// Every variant for the largest shape as one job; what one rank cannot run is
/// refused on all. Collective.
std::vector<OfferedVariant> variants_of_all_ranks(const Plan& plan,
                                                  const Communicator& communicator) {
  const Shape& shape = plan.shapes.back();
  auto offered = with_execution_space_type(plan.executor(), [&]<class Exec>() {
    const auto to = [&]<class T>(Job<T> job) {
      job.rows = shape.rows;
      job.columns = shape.columns;
      job.a_pitch = plan.options.pitch.of(shape.columns, sizeof(T));
      job.b_pitch = plan.options.pitch.of(shape.rows, sizeof(T));
      job.operation = plan.operation;
      return variants_offered<Exec>(job);
    };
    return plan.options.type == ElementType::Float ? to(Job<float>()) : to(Job<double>());
  });
  refuse_on_all(offered, communicator);
  return offered;
}

void choose_variants(Plan& plan, const Communicator& communicator) {
  const Variant wanted = plan.options.variant.value_or(
      plan.executor() == Executor::Device ? Variant::Tuned : Variant::Portable);
  std::vector<std::string_view> able;
  std::string reason;
  for (const OfferedVariant& each : variants_of_all_ranks(plan, communicator)) {
    if (each.refused.empty()) able.push_back(name(each.variant));
    if (each.variant == wanted) reason = each.refused;
    if (!plan.options.every_variant) continue;
    if (each.refused.empty())
      plan.variants.push_back(each.variant);
    else
      plan.skipped.push_back(each);
  }
  if (plan.options.every_variant) return;
  if (!reason.empty())
    throw CollectiveFailure(
        ExitCode::Machine, fmt::format("--variant {}: {}; on the {} here: {}", name(wanted), reason,
                                       name(plan.executor()), fmt::join(able, ", ")));
  plan.variants = {wanted};
}

}  // namespace

std::vector<Distribution> Plan::parts() const {
  std::vector<Distribution> out;
  for (const Shape& shape : shapes) out.push_back(part(shape));
  return out;
}

Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator) {
  Plan plan = collectively(communicator, [&] {
    require_square(options);
    require_room_for_rows(options);
    const Placement placement = placement_of(options, machine.ranks_of_gpu);
    return Plan{.options = options,
                .placement = placement,
                .operation = operation_of(options),
                .shapes = shapes_of(options),
                .variants = {},
                .skipped = {},
                .path = {},
                .cut_unit = exchange_unit(placement.executor),
                .rank = communicator.rank(),
                .ranks = communicator.size()};
  });
  plan.path = message_path("--exchange", options.exchange, plan.placement, communicator);
  choose_variants(plan, communicator);
  return plan;
}

std::vector<Requirement> memory_requirements(const Plan& plan) {
  const Distribution part = plan.part();
  const double a = part.bytes(part.a());
  const double b = std::max(a, part.bytes(part.b()));
  const MemorySpace space = plan.placement.space;
  std::vector<Requirement> out{
      {memory_of(space, plan.executor()), plan.operation == Operation::InPlace ? a : a + b}};
  if (plan.ranks > 1) {
    const auto parts = plan.packed_parts();
    out.push_back({memory_of(plan.space_of_messages(), plan.executor()),
                   plan.options.type == ElementType::Float
                       ? Tiles<float>::bytes(parts, plan.cut_unit)
                       : Tiles<double>::bytes(parts, plan.cut_unit)});
  }
  if (!support(space, Executor::Host).served) out.push_back({Memory::Host, b});
  const auto iterations = static_cast<double>(plan.options.iterations);
  const double times = iterations * static_cast<double>(plan.variants.size() + 1);  // of one shape
  const auto shapes = static_cast<double>(plan.shapes.size());
  const int repeats = plan.options.repeat;
  out.push_back({Memory::Host, times * shapes * repeats * sizeof(double)});
  // In the record stand the times of the largest shape, of each shape and of each repeat where
  // there are several, and the rates of the copy as its limit.
  const double recorded =
      times * (1 + (plan.options.sizes ? shapes : 0) + (repeats > 1 ? repeats : 0)) + iterations;
  out.push_back({Memory::Host, recorded * bytes_of_number});
  return out;
}

void require_memory(const Plan& plan, const Communicator& communicator) {
  check_memory("the matrix " + size_name(plan.shapes.back()),
               plan.options.sizes ? "smaller --sweep-sizes or fewer --iterations"
                                  : "fewer --rows and --cols, or fewer --iterations",
               memory_requirements(plan), plan.placement, communicator);
}

}  // namespace memstencil::transpose
