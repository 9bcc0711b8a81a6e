// The plans that --memspace auto chooses from, and the model's choice.
#include "app/himeno/candidates.hpp"

#include "app/common/kokkos_runtime.hpp"
#include "app/model/himeno_model.hpp"
#include "app/placement/placement_record.hpp"
#include "kernels/jacobi/streamed_sweep.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>
#include <set>

namespace memstencil::himeno {

namespace {

Options split(Options options, MemorySpace p, MemorySpace coefficients) {
  options = in_space(options, coefficients);
  options.place = {.p = p, .coefficients = coefficients};
  return options;
}

model::HimenoCase case_of(const Plan& plan, int fused) {
  const jacobi::Grid& grid = plan.part.grid;
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
  return run;
}

/// Sweeps a pass that may run: those asked for, or with --sweep auto all. Collective.
std::set<int> sweeps_of(const Plan& plan, const Communicator& communicator) {
  if (!plan.options.sweep.automatic) return {plan.sweep.sweeps};
  std::set<int> sweeps;
  for (const auto& [kind, refused] : sweeps_offered(plan, communicator))
    if (refused.empty()) sweeps.insert(kind.sweeps);
  return sweeps;
}

model::Prediction prediction_of(const Plan& plan, const std::set<int>& sweeps,
                                const model::MachineRates& rates) {
  std::vector<model::Prediction> all;
  for (const int fused : sweeps) all.push_back(model::predict(case_of(plan, fused), rates));
  return *std::min_element(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.total() < b.total(); });
}

}  // namespace

std::vector<Candidate> candidates_of(const Options& options, const Machine& machine,
                                     const Communicator& communicator) {
  std::vector<Candidate> out;
  const auto add = [&](MemorySpace p, MemorySpace coefficients, const Options& one) {
    out.push_back(model::try_candidate(
        model::placement_name(p, coefficients), [&] { return make_plan(one, machine, communicator); },
        [&](const Plan& plan) { require_memory(plan, communicator); }));
  };
  if (!options.memspace_auto) {
    add(options.place.p.value_or(options.memspace), options.place.coefficients.value_or(options.memspace),
        options);
    model::require_one("", out);
    return out;
  }
  for (const MemorySpace space : model::spaces_by_preference) add(space, space, in_space(options, space));
  const bool device_lacks_memory = out.front().plan && !out.front().can_run();
  if (device_lacks_memory && built_for_gpu())
    for (const auto& [p, coefficients] : model::spaces_apart_by_preference)
      add(p, coefficients, split(options, p, coefficients));
  model::require_one("--memspace auto: ", out);
  return out;
}

model::Choice choose(const std::vector<Candidate>& candidates,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet) {
  std::vector<std::set<int>> sweeps;  // sweeps_of() is collective, the predictions are rank 0's
  bool steady = false;
  for (const Candidate& each : candidates) {
    sweeps.push_back(each.plan ? sweeps_of(*each.plan, communicator) : std::set<int>{});
    steady = steady || (each.plan && each.plan->options.seconds);
  }
  const auto predicted = [&](const model::MachineRates& rates) {
    return model::ranked(candidates,
                         [&](std::size_t n) { return prediction_of(*candidates[n].plan, sweeps[n], rates); });
  };
  const auto goal = steady ? model::Goal::SteadyStep : model::Goal::TotalTime;
  return model::choose(predicted, goal, probed, "himeno", quiet, communicator);
}

}  // namespace memstencil::himeno
