// The probe of page migration: GPU, host and GPU again copy between the same two arrays.
#include "app/membench/placement/migration.hpp"

#include "app/common/statistics.hpp"
#include "app/membench/core/collector.hpp"
#include "app/membench/core/probes.hpp"
#include "app/membench/placement/placement_series.hpp"
#include "app/membench/placement/residency_table.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace memstencil::membench {

namespace {

/// The thesis' mode.
constexpr std::string_view plain = migration_modes[0].name;

constexpr int usual_migration_repeats = 20;
constexpr int paper_migration_repeats = 100;
constexpr int paper_migration_experiments = 10;

/// One memory, size and mode, and what its experiments gather.
struct Series {
  ArraysWanted wanted;
  const MigrationMode* mode;
  Collector copies;      ///< a measurement a phase
  Collector prefetches;  ///< the same of one-way rates, one an experiment; empty in modes without prefetch
  ResidencyTable residency;
};

std::string title(const Series& series, const MigrationPhase& phase) {
  return fmt::format("{} {}, {}", name(series.wanted.space), series.mode->name, phase.name);
}

Record parameters(const Series& series, std::string_view phase) {
  return {{"memory", name(series.wanted.space)},
          {"mode", series.mode->name},
          {"phase", phase},
          {"bytes", series.wanted.bytes}};
}

/// The prefetch before a phase, as a sample of the rate one way.
void prefetch(PlacedArrays& arrays, const MigrationPhase& phase, Series& series) {
  const double gigabytes = 1e-9 * static_cast<double>(series.wanted.bytes) * phase.to_move;
  const double seconds = arrays.prefetch(phase.executor);
  series.prefetches.add(title(series, phase) + ", the prefetch before it, one way",
                        parameters(series, fmt::format("before {}", phase.name)), "GB/s",
                        {.warmup = {}, .values = {gigabytes / seconds}, .stopped = "one an experiment"});
}

/// GPU x n, host x n, GPU x n on fresh arrays.
void run_experiment(Series& series, int experiment, const Settings& settings, const MakeArrays& make) {
  const auto arrays = make(series.wanted);
  arrays->touch(Executor::Host, Executor::Device);
  for (std::size_t n = 0; n < migration_phases.size(); ++n) {
    const MigrationPhase& phase = migration_phases[n];
    if (series.mode->prefetch) prefetch(*arrays, phase, series);
    int repeats = 0;
    const auto observe = [&] {
      series.residency.observe(
          *arrays,
          {{"experiment", experiment}, {"phase", static_cast<int>(n) + 1}, {"after_repeats", repeats}});
      ++repeats;
    };
    observe();
    const Samples samples = copy_series(*arrays, series.wanted.bytes, phase.executor, settings,
                                        {usual_migration_repeats, paper_migration_repeats}, observe);
    series.copies.add(title(series, phase), parameters(series, phase.name), "GB/s", samples);
    arrays->verify(phase.executor);
  }
}

/// Medians over the experiments of the rates, one way, at which a plain phase's first repeat moved pages.
Record by_fault(const Measurement& copies, const MigrationPhase& phase) {
  std::vector<double> rates;
  for (const Settling& s : settlings(copies))
    if (const auto rate = moving_rate(s, phase.to_move / 2.0)) rates.push_back(*rate);
  return rates.empty() ? Record() : Record(statistics(rates).median);
}

std::string movement_key(const MigrationPhase& phase, std::string_view by) {
  return fmt::format("{} by {}, {}, one way GB/s", phase.executor == Executor::Device ? "HtoD" : "DtoH", by,
                     phase.name);
}

void add(ProbeResult& result, const Series& series, bool every_page_moves) {
  const std::string space(name(series.wanted.space)), mode(series.mode->name);
  Record& derived = result.derived[size_key(series.wanted.bytes)][space];
  for (std::size_t n = 0; n < migration_phases.size(); ++n) {
    const MigrationPhase& phase = migration_phases[n];
    const Measurement& copies = series.copies.measurements()[n];
    result.measurements.push_back(copies);
    derived[mode][std::string(phase.name)] = settling_record(copies);
    if (mode == plain && every_page_moves)
      derived["movement"][movement_key(phase, "fault")] = by_fault(copies, phase);
    if (!series.mode->prefetch) continue;
    const Measurement& prefetches = series.prefetches.measurements()[n];
    result.measurements.push_back(prefetches);
    derived["movement"][movement_key(phase, "prefetch")] = statistics(prefetches.samples.values).median;
  }
  if (!series.residency.columns().empty())
    result.tables[fmt::format("residency {} {} {}", space, mode, size_key(series.wanted.bytes))] =
        series.residency.columns();
}

/// All experiments of one memory, size and mode.
Series run_series(const ArraysWanted& wanted, const MigrationMode& mode, int gpu_node,
                  const Settings& settings, const MakeArrays& make) {
  const int experiments = settings.experiment_count(1, paper_migration_experiments);
  Series series{wanted, &mode, {}, {}, ResidencyTable(gpu_node)};
  for (int experiment = 1; experiment <= experiments; ++experiment) {
    settings.progress(
        fmt::format("{} {}, experiment {} of {}", name(wanted.space), mode.name, experiment, experiments));
    run_experiment(series, experiment, settings, make);
  }
  return series;
}

}  // namespace

ProbeResult measure_migration(const Settings& settings, const MigrationPlan& plan, const MakeArrays& make) {
  ProbeResult result;
  result.notes.push_back(plan.managed_moves_by_fault
                             ? "rates by fault: what a plain phase has to move, over the time that its first "
                               "repeat took longer than a steady one"
                             : "no rates by fault: here the host reads managed pages of the GPU in place");
  std::string unknown;
  for (const MemorySpace space : plan.spaces)
    for (const MigrationMode& mode : migration_modes) {
      if (settings.paper && mode.name != plain) continue;
      if (const std::string reason = plan.refuse(mode, space); !reason.empty()) {
        result.notes.push_back(fmt::format("{} {} left out: {}", name(space), mode.name, reason));
        continue;
      }
      for (const std::size_t bytes : array_sizes(settings)) {
        const Series series = run_series({space, bytes, mode.advice}, mode, plan.gpu_node, settings, make);
        add(result, series, plan.managed_moves_by_fault && space == MemorySpace::Managed);
        unknown = series.residency.unknown();
      }
    }
  if (!unknown.empty()) result.notes.push_back(unknown);
  return result;
}

ProbeResult run_migration(const Settings& settings) {
  const GpuFacts gpu = gpu_facts();
  MigrationPlan plan{.spaces = {},
                     .gpu_node = gpu.numa_id,
                     .managed_moves_by_fault = gpu.direct_managed_access_from_host == 0,
                     .refuse = [](const MigrationMode& mode, MemorySpace space) {
                       return mode.prefetch ? refuse_prefetch(space) : refuse_advice(space, mode.advice);
                     }};
  const bool reached = support(MemorySpace::SystemAllocated, Executor::Device).served;
  if (reached) plan.spaces.push_back(MemorySpace::SystemAllocated);
  if (!reached || !settings.paper) plan.spaces.push_back(MemorySpace::Managed);
  return measure_migration(settings, plan, make_placed_arrays);
}

}  // namespace memstencil::membench
