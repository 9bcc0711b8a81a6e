// The plan of a run: all that the options leave open is decided for this machine, or refused.
#include "app/himeno/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/record.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/candidates.hpp"
#include "app/bench/placement_record.hpp"
#include "app/grid/division.hpp"
#include "app/grid/halo.hpp"
#include "kernels/jacobi/streamed_sweep.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace memstencil::himeno {

namespace {

Subdomain part_of(const Options& o, const std::array<int, 3>& ranks,
                  const Communicator& communicator, int halo) {
  return subdomain(o.extents, ranks, communicator.rank(), communicator.size(), halo);
}

/// The grid's division into ranks: as --ranks says, or as costs its messages least on the
/// path that has been agreed.
std::array<int, 3> division_of(Plan& plan, int size) {
  const Options& o = plan.options;
  if (o.ranks || size == 1) return o.ranks.value_or(std::array{1, 1, 1});
  const bool staged = plan.executor() == Executor::Device && plan.halo == MessagePath::Staged;
  const bool copied = plan.executor() == Executor::Device && o.sweep.sweeps > 1 &&
                      carried_by_copies(o.extents, size, plan.halo, plan.placement_of_p.space);
  const auto ranked =
      divisions(o.extents, size, {o.sweep.sweeps, plan.ranks_of_node, staged, copied});
  if (ranked.empty()) return Communicator::dimensions(size);
  plan.division = choice_text(ranked);
  return ranked.front().ranks;
}

/// Rank 0's division counts: nodes that differ may estimate differently. Collective.
void divide(Plan& plan, const Communicator& communicator) {
  std::array<int, 3> ranks =
      collectively(communicator, [&] { return division_of(plan, communicator.size()); });
  std::array<double, 3> of_root{};
  std::copy(ranks.begin(), ranks.end(), of_root.begin());
  communicator.broadcast(of_root);
  std::transform(of_root.begin(), of_root.end(), ranks.begin(),
                 [](double count) { return static_cast<int>(count); });
  plan.part = collectively(communicator, [&] {
    return part_of(plan.options, ranks, communicator, plan.options.sweep.sweeps);
  });
}

/// --memspace's placement with the space that --place names for a group.
Placement place_group(const Options& options, const char* group,
                      const std::optional<MemorySpace>& space, const Machine& machine) {
  if (!space) return place(options, machine.ranks_of_gpu);
  try {
    return place(in_space(options, *space), machine.ranks_of_gpu);
  } catch (const Failure& failure) {
    throw Failure(failure.code(),
                  fmt::format("--place {}={}: {}", group, name(*space), failure.what()));
  }
}

bool behind_link(const Placement& p) { return reached_over_link(p.space, p.executor); }

void choose_sweep(Plan& plan, const Communicator& communicator) {
  const SweepChoice& asked = plan.options.sweep;
  std::set<int> built;
  std::string reason;
  for (const auto& [kind, refused] : sweeps_offered(plan, communicator)) {
    if (kind.sweeps > 1) built.insert(kind.sweeps);
    if (kind.sweeps != asked.sweeps || (!asked.tile.empty() && kind.tile != asked.tile)) continue;
    if (refused.empty()) {
      plan.sweep = kind;
      return;
    }
    reason = refused;
  }
  if (reason.empty())
    throw CollectiveFailure(ExitCode::Machine,
                            fmt::format("--sweep {}: on the {} T can be {}", name(asked),
                                        name(plan.executor()), fmt::join(built, ", ")));
  if (!asked.tile.empty()) throw CollectiveFailure(ExitCode::Machine, reason);
  plan.part = part_of(plan.options, plan.part.ranks, communicator, 1);
  plan.note =
      fmt::format("{} cannot be made here ({}): single sweeps instead", name(asked), reason);
}

model::HimenoCase case_of(const Plan& plan, int fused) {
  const Grid& grid = plan.part.grid;
  const Placement& placement = plan.placement;
  model::HimenoCase run{.extents = {grid.extents[0], grid.extents[1], grid.extents[2]},
                        .points = static_cast<double>(grid.owned.points()),
                        .iterations = plan.options.iterations,
                        .fused = fused,
                        .access = {placement.executor, placement.first_touch, placement.prefetch},
                        .host_threads = KokkosRuntime::host_threads(),
                        .p = effective_space(plan.placement_of_p),
                        .coefficients = effective_space(placement)};
  if (plan.window_bytes > 0 && fused > 1)
    run.slab_planes = jacobi::streamed_planes(grid, fused, plan.window_bytes);
  if (plan.part.ranks != std::array{1, 1, 1} && plan.executor() == Executor::Device)
    run.ranks = {.whole = plan.options.extents,
                 .ranks = plan.part.ranks,
                 .ranks_of_node = plan.ranks_of_node,
                 .path = std::string(name(plan.halo))};
  return run;
}

}  // namespace

std::vector<jacobi::OfferedSweep> sweeps_offered(const Plan& plan,
                                                 const Communicator& communicator) {
  auto offered = with_execution_space_type(plan.executor(), [&]<class Exec>() {
    return jacobi::sweeps_offered<Exec>(plan.part.grid, plan.window_bytes);
  });
  refuse_on_all(offered, communicator);
  // Single sweeps would be reported as fused ones. A trial of --tune makes as many as it needs.
  if (!plan.options.seconds && !plan.options.tune)
    for (auto& [kind, refused] : offered)
      if (refused.empty() && kind.sweeps > plan.options.iterations)
        refused =
            fmt::format("--iterations {} are fewer than one pass makes", plan.options.iterations);
  return offered;
}

Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator) {
  const int ranks_of_node = static_cast<int>(communicator.minimum(communicator.node_size()));
  Plan plan = collectively(communicator, [&] {
    const Placement coefficients =
        place_group(options, "coefficients", options.place.coefficients, machine);
    const Placement p = place_group(options, "p", options.place.p, machine);
    Plan made{
        .options = options,
        .placement = coefficients,
        .placement_of_p = p,
        .part = {},
        .ranks_of_node = ranks_of_node,
        .layout = options.layout.value_or(jacobi::Layout::Arrays),
        .halo = {},
        .sweep = {},
        .window_bytes = behind_link(coefficients) || behind_link(p) ? machine.gpu_bytes / 4 : 0,
        .division = {},
        .note = {}};
    if (options.pre_touch && coefficients.executor == Executor::Host)
      refuse("--pre-touch device", "no GPU computes here; leave it out");
    return made;
  });
  plan.halo = message_path("--halo", options.halo, plan.placement, communicator);
  divide(plan, communicator);
  choose_sweep(plan, communicator);
  return plan;
}

std::vector<MemoryRequirement> requirements_of_sweeps(const Plan& plan, std::int64_t sweeps) {
  const Options& o = plan.options;
  const double times = sizeof(double) * static_cast<double>(sweeps);
  // In the record stand the times of the repeat in the middle and, where there are several, of all.
  const bool alone = plan.part.ranks == std::array{1, 1, 1};
  const auto kept =
      static_cast<double>(std::min(sweeps, static_cast<std::int64_t>(most_kept_samples)));
  const double recorded = (1 + (o.repeat > 1 ? o.repeat : 0)) * kept +
                          (o.gosa_history ? static_cast<double>(sweeps) : 0);
  return {{scratch_space(plan.executor()), times},
          // gosa and time of each sweep, of every repeat; with neighbours
          // the time of its halo, of one.
          {MemorySpace::HostPinned, 2 * times * o.repeat + (alone ? 0 : times)},
          {MemorySpace::HostPinned, recorded * bytes_of_number}};
}

std::vector<MemoryRequirement> memory_requirements(const Plan& plan) {
  // The vectors of the host and pinned memory come out of the same.
  constexpr MemorySpace host = MemorySpace::HostPinned;
  const double one = field_bytes(plan.part.grid) / (jacobi::array_count + 1);
  const MemorySpace p = plan.placement_of_p.space;
  const MemorySpace coefficients = plan.placement.space;
  std::vector<MemoryRequirement> out{{p, model::arrays_of_p * one},
                                     {coefficients, model::arrays_of_coefficients * one}};
  const double staged =
      static_cast<double>(sizeof(float) * staged_floats(plan.part.grid, plan.layout));
  for (const MemorySpace space : std::set{p, coefficients})
    if (!support(space, Executor::Host).served)
      out.push_back({host, space == coefficients ? staged : one});
  out.push_back({message_space(plan.executor(), plan.halo != MessagePath::Staged),
                 halo_bytes(plan.part, sizeof(float))});
  if (plan.executor() == Executor::Device)
    out.push_back({MemorySpace::Device, jacobi::device_bytes_of_sums(plan.part.grid)});
  if (!plan.options.seconds)
    for (const MemoryRequirement& each : requirements_of_sweeps(plan, plan.options.iterations))
      out.push_back(each);
  if (plan.options.save_field) out.push_back({host, one});
  return out;
}

void require_memory(const Plan& plan, const Communicator& communicator) {
  check_memory("the grid " + size_name(plan.options.extents),
               "a smaller --size or fewer --iterations", memory_requirements(plan), plan.placement,
               communicator);
}

std::vector<model::HimenoCase> cases_of(const Plan& plan, const Communicator& communicator) {
  if (!plan.options.sweep.automatic) return {case_of(plan, plan.sweep.sweeps)};
  std::set<int> sweeps;
  for (const auto& [kind, refused] : sweeps_offered(plan, communicator))
    if (refused.empty()) sweeps.insert(kind.sweeps);
  std::vector<model::HimenoCase> cases;
  for (const int fused : sweeps) cases.push_back(case_of(plan, fused));
  return cases;
}

}  // namespace memstencil::himeno
