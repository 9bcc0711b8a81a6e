// The plan of a run: all that the options leave open is decided for this machine, or refused.
#include "app/transpose/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/placement.hpp"
#include "app/transpose/tiles.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace memstencil::transpose {

namespace {

void require_room_for_rows(const Options& o) {
  const std::int64_t longest = std::max(o.rows, o.columns);
  if (o.pitch.kind == Pitch::Kind::Fixed && o.pitch.elements < longest)
    throw Failure(ExitCode::Usage,
                  fmt::format("--pitch {} is less than a row: with {} A and B need at least {}",
                              o.pitch.elements, size_name({o.rows, o.columns}), longest));
}

/// Every variant for the whole matrix as one job; a variant that one rank cannot run is run by
/// none. Collective.
std::vector<OfferedVariant> variants_of_all_ranks(const Plan& plan,
                                                  const Communicator& communicator) {
  const Options& o = plan.options;
  auto offered = with_execution_space_type(plan.executor(), [&]<class Exec>() {
    const auto of = [&]<class T>(Job<T> job) {
      job.rows = o.rows;
      job.columns = o.columns;
      job.a_pitch = o.pitch.of(o.columns, sizeof(T));
      job.b_pitch = o.pitch.of(o.rows, sizeof(T));
      job.tile = o.tile;
      return variants_offered<Exec>(job);
    };
    return o.type == ElementType::Float ? of(Job<float>()) : of(Job<double>());
  });
  share_why_not(offered, communicator);
  return offered;
}

void choose_variants(Plan& plan, const Communicator& communicator) {
  const std::optional<Variant> wanted = plan.options.variant;
  std::vector<std::string_view> able;
  std::string reason;
  for (const OfferedVariant& each : variants_of_all_ranks(plan, communicator)) {
    if (each.why_not.empty()) able.push_back(name(each.variant));
    if (each.variant == wanted) reason = each.why_not;
    if (wanted) continue;
    if (each.why_not.empty())
      plan.variants.push_back(each.variant);
    else
      plan.skipped.push_back(each);
  }
  if (!wanted) return;
  if (reason == no_choice_of_tiles)
    throw CollectiveFailure(ExitCode::Machine, fmt::format("--tile {}: {} {}", plan.options.tile,
                                                           name(*wanted), reason));
  if (!reason.empty())
    throw CollectiveFailure(ExitCode::Machine,
                            fmt::format("--variant {}: {}; on the {} here: {}", name(*wanted),
                                        reason, name(plan.executor()), fmt::join(able, ", ")));
  plan.variants = {*wanted};
}

}  // namespace

Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator) {
  Plan plan = collectively(communicator, [&] {
    require_room_for_rows(options);
    const Placement placement = placement_of(options, machine.ranks_of_gpu);
    return Plan{.options = options,
                .placement = placement,
                .variants = {},
                .skipped = {},
                .transport = {},
                .rank = communicator.rank(),
                .ranks = communicator.size()};
  });
  plan.transport = agreed_transport("--exchange", options.exchange, plan.placement, communicator);
  plan.placement.mapped_by_ranks = maps_arrays(plan.transport);
  plan.placement.ranks = communicator.size();
  choose_variants(plan, communicator);
  return plan;
}

std::vector<Requirement> memory_requirements(const Plan& plan) {
  const Distribution part = plan.part();
  const double a = part.room(part.a());
  const double b = std::max(a, part.room(part.b()));
  const MemorySpace space = plan.placement.space;
  std::vector<Requirement> out{{memory_of(space, plan.executor()), a + b}};
  if (plan.sends_tiles())
    out.push_back(
        {memory_of(plan.memory_of_messages().space, plan.executor()), Tiles::bytes(part)});
  if (!support(space, Executor::Host).served) out.push_back({Memory::Host, b});
  if (reached_over_link(space, plan.executor()))  // for the measurement of the link
    out.push_back({Memory::Gpu, std::min(a, static_cast<double>(link_bytes))});
  return out;
}

void require_memory(const Plan& plan, const Communicator& communicator) {
  check_memory("the matrix " + size_name(plan.part().shape), {"fewer --rows and --cols"},
               memory_requirements(plan), plan.placement, communicator);
}

}  // namespace memstencil::transpose
