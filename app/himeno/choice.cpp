// --memspace auto and --probes: where this run's arrays should be, by the model, and how right it was.
#include "app/himeno/choice.hpp"

#include "app/common/agree.hpp"
#include "app/common/kokkos_runtime.hpp"
#include "app/common/machine_facts.hpp"
#include "app/himeno/demands.hpp"
#include "app/model/himeno_model.hpp"
#include "app/model/trial_rates.hpp"
#include "app/model/validation.hpp"
#include "app/placement/memory_check.hpp"
#include "kernels/jacobi/streamed_sweep.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>
#include <set>

namespace memstencil::himeno {

namespace {

/// Sets up one placement. What fails on any rank is refused on all.
Option option_of(const std::string& name, const Options& options, const Communicator& communicator,
                 int ranks_of_gpu) {
  Option option{.name = name, .setup = {}, .refused = {}};
  try {
    option.setup = agree(communicator, [&] { return set_up(options, communicator, ranks_of_gpu); });
    choose_sweep(option.setup, communicator);
    option.set_up = true;
    agree(communicator, [&] {
      check_memory("the grid " + size_name(options.extents), "a smaller --size", demands(option.setup),
                   option.setup.placement, communicator);
    });
  } catch (const CollectiveFailure& failure) {
    // A wrong command line is wrong in every memory space.
    if (failure.code() != ExitCode::Machine) throw;
    option.refused = failure.what();
  }
  return option;
}

Options in_space(Options options, MemorySpace space) {
  options.memspace = space;
  options.memspace_auto = false;
  return options;
}

Option split_option(Options options, MemorySpace p, MemorySpace coefficients,
                    const Communicator& communicator, int ranks_of_gpu) {
  options = in_space(options, coefficients);
  options.place = {.p = p, .coefficients = coefficients};
  return option_of(group_spaces_text(options.place), options, communicator, ranks_of_gpu);
}

bool can_run(const Option& option) { return option.refused.empty(); }

/// Memory as the model knows it: in a build for the host all spaces are the same.
MemorySpace modelled(const Placement& placement) {
  return support(placement.space, placement.executor).effective == "host" ? MemorySpace::SystemAllocated
                                                                          : placement.space;
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
                        .p = modelled(setup.placement_of_p),
                        .coefficients = modelled(placement)};
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

std::vector<model::Candidate> candidates(const std::vector<Option>& options, const model::MachineRates& rates,
                                         const std::vector<std::set<int>>& kinds) {
  std::vector<model::Candidate> out;
  for (std::size_t n = 0; n < options.size(); ++n) {
    out.push_back({.name = options[n].name, .refused = options[n].refused, .prediction = {}});
    if (options[n].set_up) out.back().prediction = prediction_of(options[n].setup, kinds[n], rates);
  }
  return out;
}

}  // namespace

std::vector<Option> options_of(const Options& options, const Communicator& communicator, int ranks_of_gpu) {
  if (!options.memspace_auto) {
    Option only = option_of("", options, communicator, ranks_of_gpu);
    if (!can_run(only)) throw CollectiveFailure(ExitCode::Machine, only.refused);
    only.name = model::placement_name(only.setup.placement_of_p.space, only.setup.placement.space);
    return {only};
  }
  std::vector<Option> out;
  for (const MemorySpace space :
       {MemorySpace::Device, MemorySpace::Managed, MemorySpace::SystemAllocated, MemorySpace::HostPinned})
    out.push_back(option_of(std::string(name(space)), in_space(options, space), communicator, ranks_of_gpu));
  const bool device_lacks_memory = out.front().set_up && !can_run(out.front());
  if (device_lacks_memory && built_for_gpu()) {
    out.push_back(
        split_option(options, MemorySpace::Device, MemorySpace::HostPinned, communicator, ranks_of_gpu));
    out.push_back(
        split_option(options, MemorySpace::HostPinned, MemorySpace::Device, communicator, ranks_of_gpu));
  }
  if (std::none_of(out.begin(), out.end(), can_run))
    throw CollectiveFailure(ExitCode::Machine, "--memspace auto: " + out.front().refused);
  return out;
}

std::optional<model::ProbedRates> probed_rates(const Options& asked, const Communicator& communicator) {
  if (asked.probes.empty()) return {};
  return agree(communicator, [&]() -> std::optional<model::ProbedRates> {
    if (!communicator.root()) return {};
    return model::rates_from_file(asked.probes, machine_facts());
  });
}

Choice choose(const Options& asked, const std::vector<Option>& options,
              const std::optional<model::ProbedRates>& probed, const Communicator& communicator) {
  std::vector<std::set<int>> kinds;
  for (const Option& option : options)
    kinds.push_back(option.set_up ? kinds_of(option.setup, communicator) : std::set<int>{});
  Choice choice;
  agree(communicator, [&] {
    if (!communicator.root()) return;
    choice.rates = model::overlay(model::assumed_rates(), probed ? probed->rates : model::trial_rates());
    if (probed) choice.warning = probed->warning;
    const auto all = candidates(options, choice.rates, kinds);
    choice.chosen = *model::best(all, asked.seconds ? model::Goal::SteadySweep : model::Goal::TotalTime);
    choice.advice = model::advice_record(all, choice.chosen, choice.rates);
  });
  std::string chosen = std::to_string(choice.chosen);
  communicator.broadcast(chosen);
  choice.chosen = std::stoul(chosen);
  return choice;
}

Record prediction_member(const Choice& choice, const Record& record) {
  Record out = choice.advice;
  if (!choice.warning.empty()) out["warning"] = choice.warning;
  out["against"] = model::validate(model::predict(model::himeno_case(record), choice.rates), record);
  return out;
}

}  // namespace memstencil::himeno
