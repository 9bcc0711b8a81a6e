// The plan of a run: all that the options leave open is decided for this machine, or refused.
#include "app/himeno/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/record.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/choose.hpp"
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

/// Collective.
void divide(Plan& plan, const Communicator& communicator) {
  plan.part = collectively(communicator, [&] {
    const std::array<int, 3> ranks = division_of(plan, communicator.size());
    return part_of(plan.options, ranks, communicator, plan.options.sweep.sweeps);
  });
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
    const Placement placement = placement_of(options, machine.ranks_of_gpu);
    Plan made{.options = options,
              .placement = placement,
              .placement_of_p = placement,
              .part = {},
              .ranks_of_node = ranks_of_node,
              .layout = options.layout.value_or(jacobi::Layout::Arrays),
              .halo = {},
              .sweep = {},
              .window_bytes = behind_link(placement) ? machine.gpu_bytes / 4 : 0,
              .division = {},
              .note = {}};
    if (options.pre_touch && placement.executor == Executor::Host)
      refuse("--pre-touch device", "no GPU computes here; leave it out");
    return made;
  });
  plan.halo = message_path("--halo", options.halo, plan.placement, communicator);
  divide(plan, communicator);
  choose_sweep(plan, communicator);
  return plan;
}

std::vector<Requirement> requirements_of_sweeps(const Plan& plan, std::int64_t sweeps) {
  const Options& o = plan.options;
  const double times = sizeof(double) * static_cast<double>(sweeps);
  // In the record stand the times of the repeat in the middle and, where there are several, of all.
  const bool alone = plan.part.ranks == std::array{1, 1, 1};
  const auto kept =
      static_cast<double>(std::min(sweeps, static_cast<std::int64_t>(most_kept_samples)));
  const double recorded = (1 + (o.repeat > 1 ? o.repeat : 0)) * kept +
                          (o.gosa_history ? static_cast<double>(sweeps) : 0);
  return {{memory_of(scratch_space(plan.executor()), plan.executor()), times},
          // gosa and time of each sweep, of every repeat; with neighbours
          // the time of its halo, of one.
          {Memory::Host, 2 * times * o.repeat + (alone ? 0 : times)},
          {Memory::Host, recorded * bytes_of_number}};
}

std::vector<Requirement> memory_requirements(const Plan& plan) {
  const double one = field_bytes(plan.part.grid) / (jacobi::array_count + 1);
  const Memory arrays = memory_of(plan.placement.space, plan.executor());
  std::vector<Requirement> out{{arrays, field_bytes(plan.part.grid)}};
  if (!support(plan.placement.space, Executor::Host).served)
    out.push_back({Memory::Host, static_cast<double>(sizeof(float) *
                                                     staged_floats(plan.part.grid, plan.layout))});
  const MemorySpace of_messages = message_space(plan.executor(), plan.halo != MessagePath::Staged);
  out.push_back({memory_of(of_messages, plan.executor()), halo_bytes(plan.part, sizeof(float))});
  if (plan.executor() == Executor::Device)
    out.push_back({Memory::Gpu, jacobi::device_bytes_of_sums(plan.part.grid)});
  if (!plan.options.seconds)
    for (const Requirement& each : requirements_of_sweeps(plan, plan.options.iterations))
      out.push_back(each);
  if (plan.options.save_field) out.push_back({Memory::Host, one});
  return out;
}

void require_memory(const Plan& plan, const Communicator& communicator) {
  check_memory("the grid " + size_name(plan.options.extents),
               "a smaller --size or fewer --iterations", memory_requirements(plan), plan.placement,
               communicator);
}

}  // namespace memstencil::himeno
