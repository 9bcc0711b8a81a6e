// The plan of a run: all that the options leave open is decided for this machine, or refused.
#include "app/himeno/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/bench/placement.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace memstencil::himeno {

namespace {

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
  plan.part =
      subdomain(plan.options.extents, plan.part.ranks, communicator.rank(), communicator.size(), 1);
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
  Plan plan;
  static_cast<GridPlan&>(plan) =
      make_grid_plan(options, options.sweep.sweeps, machine, communicator);
  plan.options = options;
  plan.layout = options.layout.value_or(jacobi::Layout::Arrays);
  if (reached_over_link(plan.placement.space, plan.executor()))
    plan.window_bytes = machine.gpu_bytes / 4;
  choose_sweep(plan, communicator);
  return plan;
}

std::vector<std::size_t> Plan::widths() const {
  if (layout == jacobi::Layout::Packed) return {jacobi::coefficient_count, 1, 1};
  return std::vector<std::size_t>(jacobi::array_count + 1, 1);
}

double field_bytes(const Grid& grid) {
  return (jacobi::array_count + 1) * sizeof(float) * grid.elements_wanted();
}

CodeMemory Plan::memory() const {
  return {.arrays = field_bytes(part.grid),
          .staged = staged_values(part.grid, widths()) * sizeof(float),
          .value = sizeof(float),
          .sums = true,
          .recorded_sums = options.gosa_history};
}

std::vector<Requirement> memory_requirements(const Plan& plan) {
  const Grid& grid = plan.part.grid;
  auto out = memstencil::memory_requirements(plan.options, plan, plan.memory());
  if (plan.executor() == Executor::Device)
    out.push_back({Memory::Gpu, jacobi::device_bytes_of_sums(grid)});
  else
    out.push_back({Memory::Host, jacobi::host_bytes_of_rows(grid, plan.sweep.sweeps)});
  if (plan.options.save_field)
    out.push_back({Memory::Host, field_bytes(grid) / (jacobi::array_count + 1)});
  return out;
}

void require_memory(const Plan& plan, const Communicator& communicator) {
  memstencil::require_memory(plan.options, plan, memory_requirements(plan), communicator);
}

}  // namespace memstencil::himeno
