// The placements that --memspace auto chooses from, and what the model says of them.
#include "app/himeno/choice.hpp"

#include "app/common/kokkos_runtime.hpp"
#include "app/himeno/demands.hpp"
#include "app/himeno/halo_choice.hpp"
#include "app/model/himeno_model.hpp"
#include "app/placement/memory_check.hpp"
#include "app/placement/placement_record.hpp"
#include "kernels/jacobi/streamed_sweep.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>
#include <set>

namespace memstencil::himeno {

namespace {

Option option_of(const std::string& name, const Options& options, const Communicator& communicator,
                 int ranks_of_gpu) {
  return model::try_option<Setup>(
      name, communicator, [&] { return set_up(options, communicator, ranks_of_gpu); },
      [&](Setup& setup) {
        choose_sweep(setup, communicator);
        choose_halo(setup, communicator);
      },
      [&](const Setup& setup) {
        check_memory("the grid " + size_name(options.extents), "a smaller --size or fewer --iterations",
                     demands(setup), setup.placement, communicator);
      });
}

Options split(Options options, MemorySpace p, MemorySpace coefficients) {
  options = in_space(options, coefficients);
  options.place = {.p = p, .coefficients = coefficients};
  return options;
}

model::HimenoCase case_of(const Setup& setup, int fused) {
  const jacobi::Grid& grid = setup.part.grid;
  const Placement& placement = setup.placement;
  model::HimenoCase run{.extents = {grid.extents[0], grid.extents[1], grid.extents[2]},
                        .points = static_cast<double>(grid.owned.points()),
                        .iterations = setup.options.iterations,
                        .fused = fused,
                        .access = {placement.executor, placement.first_touch, placement.prefetch},
                        .host_threads = KokkosRuntime::host_threads(),
                        .p = effective_space(setup.placement_of_p),
                        .coefficients = effective_space(placement)};
  if (setup.window_bytes > 0 && fused > 1)
    run.slab_planes = jacobi::streamed_planes(grid, fused, setup.window_bytes);
  return run;
}

/// The kinds of sweep that may run: the one asked for, or with --sweep auto all.
std::set<int> kinds_of(const Setup& setup, const Communicator& communicator) {
  if (!setup.options.sweep.automatic) return {setup.part.halo};
  std::set<int> kinds;
  for (const auto& variant : variants_of(setup, communicator))
    if (variant.refused.empty()) kinds.insert(variant.sweeps);
  return kinds;
}

model::Prediction prediction_of(const Setup& setup, const std::set<int>& kinds,
                                const model::MachineRates& rates) {
  std::vector<model::Prediction> all;
  for (const int fused : kinds) all.push_back(model::predict(case_of(setup, fused), rates));
  return *std::min_element(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.total() < b.total(); });
}

}  // namespace

std::vector<Option> options_of(const Options& options, const Communicator& communicator, int ranks_of_gpu) {
  std::vector<Option> out;
  const auto add = [&](const std::string& name, const Options& one) {
    out.push_back(option_of(name, one, communicator, ranks_of_gpu));
  };
  if (!options.memspace_auto) {
    add(model::placement_name(options.place.p.value_or(options.memspace),
                              options.place.coefficients.value_or(options.memspace)),
        options);
    model::require_one("", out);
    return out;
  }
  for (const MemorySpace space : model::spaces_by_preference)
    add(std::string(name(space)), in_space(options, space));
  const bool device_lacks_memory = out.front().setup && !out.front().can_run();
  if (device_lacks_memory && built_for_gpu())
    for (const auto& [p, coefficients] : model::splits_by_preference)
      add(model::placement_name(p, coefficients), split(options, p, coefficients));
  model::require_one("--memspace auto: ", out);
  return out;
}

model::Choice choose(const Options& asked, const std::vector<Option>& options,
                     const std::optional<model::ProbedRates>& probed, const Communicator& communicator,
                     bool quiet) {
  std::vector<std::set<int>> kinds;  // variants_of() is collective, the candidates are rank 0's
  for (const Option& option : options)
    kinds.push_back(option.setup ? kinds_of(*option.setup, communicator) : std::set<int>{});
  const auto candidates = [&](const model::MachineRates& rates) {
    return model::candidates_of(
        options, [&](std::size_t n) { return prediction_of(*options[n].setup, kinds[n], rates); });
  };
  const auto goal = asked.seconds ? model::Goal::SteadyStep : model::Goal::TotalTime;
  return model::choose(candidates, goal, probed, "himeno", quiet, communicator);
}

}  // namespace memstencil::himeno
