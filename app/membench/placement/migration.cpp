// Probe migration: GPU, host and GPU again copy between the same two arrays.
#include "app/membench/placement/migration.hpp"

#include "memory_spaces/capabilities.hpp"

namespace memstencil::membench::migration_probe {

namespace {

/// The thesis' mode.
constexpr std::string_view plain = migration_modes[0].name;

constexpr int usual_repeats = 20;
constexpr int paper_repeats = 100;
constexpr int paper_experiments = 10;

/// One memory, size and mode, and where its experiments go.
struct Series {
  ArraysWanted wanted;
  const MigrationMode& mode;
  bool every_page_moves;  ///< to the executor that touches it
  ProbeResult& result;
  ResidencyTable residency;
  MovesOfSeries& moves;
};

std::string title(const Series& series, const MigrationPhase& phase) {
  return fmt::format("{} {}, {}", name(series.wanted.space), series.mode.name, phase.name);
}

Record parameters(const Series& series, std::string_view phase) {
  return {{"memory", name(series.wanted.space)},
          {"mode", series.mode.name},
          {"phase", phase},
          {"bytes", series.wanted.bytes}};
}

/// Medians over the experiments of the rates, one way, at which a plain
/// phase's first repeat moved pages.
Record by_fault(const Measurement& copies, const MigrationPhase& phase) {
  std::vector<double> rates;
  for (const Settling& s : settlings(copies.samples.values, copies.experiments))
    if (const auto rate = moving_rate(s, phase.to_move / 2.0)) rates.push_back(*rate);
  return rates.empty() ? Record() : Record(statistics(rates).median);
}

/// A phase of an experiment into the result, and what follows from it and the experiments before.
void add(Series& series, const MigrationPhase& phase, const Samples& copies,
         double prefetch_seconds) {
  const MigrationMode& mode = series.mode;
  Record& derived =
      series.result.derived[size_key(series.wanted.bytes)][std::string(name(series.wanted.space))];
  const auto movement = [&](const char* by) -> Record& {
    return derived["movement"][fmt::format("{} by {}, {}, one way GB/s",
                                           phase.executor == Executor::Device ? "HtoD" : "DtoH", by,
                                           phase.name)];
  };
  const Measurement& all =
      series.result.add(title(series, phase), parameters(series, phase.name), "GB/s", copies);
  derived[std::string(mode.name)][std::string(phase.name)] = settling_record(all);
  if (mode.name == plain && series.every_page_moves) movement("fault") = by_fault(all, phase);
  if (!mode.prefetch) return;
  const double gigabytes = 1e-9 * static_cast<double>(series.wanted.bytes) * phase.to_move;
  movement("prefetch") =
      median(series.result
                 .add(title(series, phase) + ", the prefetch before it, one way",
                      parameters(series, fmt::format("before {}", phase.name)), "GB/s",
                      {{}, {gigabytes / prefetch_seconds}, "one an experiment"})
                 .samples);
}

/// GPU x n, host x n, GPU x n on fresh arrays.
void run_experiment(Series& series, int experiment, const Settings& settings,
                    const MakeArrays& make) {
  const auto arrays = make(series.wanted);
  arrays->touch(Executor::Host, Executor::Device);
  for (std::size_t n = 0; n < migration_phases.size(); ++n) {
    const MigrationPhase& phase = migration_phases[n];
    const double prefetch_seconds = series.mode.prefetch ? arrays->prefetch(phase.executor) : 0;
    int repeats = 0;
    PageMoves moves;
    const auto observe = [&] {
      moves.after = series.residency.observe(*arrays, {{"experiment", experiment},
                                                       {"phase", static_cast<int>(n) + 1},
                                                       {"after_repeats", repeats}});
      ++repeats;
    };
    observe();
    moves.before = moves.after;
    const Samples samples = copy_series(*arrays, series.wanted.bytes, phase.executor, settings,
                                        {usual_repeats, paper_repeats}, observe);
    add(series, phase, samples, prefetch_seconds);
    moves.unknown = series.residency.reason();
    series.moves.add(title(series, phase), series.wanted.bytes, phase.executor, moves);
    arrays->verify(phase.executor);
  }
}

/// All experiments of one memory, size and mode. Gives what is not known of residency.
std::string run_series(Series series, const Settings& settings, const MakeArrays& make) {
  const int experiments = settings.experiment_count(1, paper_experiments);
  const std::string what = fmt::format("{} {}", name(series.wanted.space), series.mode.name);
  for (int experiment = 1; experiment <= experiments; ++experiment) {
    settings.progress(fmt::format("{}, experiment {} of {}", what, experiment, experiments));
    run_experiment(series, experiment, settings, make);
  }
  if (!series.residency.columns().empty())
    series.result.tables[fmt::format("residency {} {}", what, size_key(series.wanted.bytes))] =
        series.residency.columns();
  return series.residency.unknown();
}

ProbeResult run(const Settings& settings) {
  const GpuFacts gpu = gpu_facts();
  MigrationPlan plan{.spaces = spaces_to_measure(settings),
                     .gpu_node = gpu.numa_id,
                     .managed_moves_by_fault = gpu.direct_managed_access_from_host == 0,
                     .refuse = [](const MigrationMode& mode, MemorySpace space) {
                       return mode.prefetch ? refuse_prefetch(space)
                                            : refuse_advice(space, mode.advice);
                     }};
  const bool both = !settings.paper && !settings.memspace;
  if (both && plan.spaces.front() == MemorySpace::SystemAllocated)
    plan.spaces.push_back(MemorySpace::Managed);
  return measure_migration(settings, plan, make_placed_arrays);
}

}  // namespace

extern const Probe probe{
    .name = "migration",
    .summary = "GPU, CPU and GPU again on the same arrays: where the pages go, and how fast",
    .source = "[tsukuba-thesis-2024], 4.2.2",
    .counted = "bytes read + written; pages by node where the system tells",
    .options = {&size_option, &sizes_option, &memspace_option},
    .refused = refuse_without_gpu,
    .run = run};

ProbeResult measure_migration(const Settings& settings, const MigrationPlan& plan,
                              const MakeArrays& make) {
  ProbeResult result;
  result.notes.push_back(
      plan.managed_moves_by_fault
          ? "rates by fault: what a plain phase has to move, over the time that its first "
            "repeat took longer than a steady one"
          : "no rates by fault: here the host reads managed pages of the GPU in place");
  std::string unknown;
  MovesOfSeries moves;
  for (const MemorySpace space : plan.spaces)
    for (const MigrationMode& mode : migration_modes) {
      if (settings.paper && mode.name != plain) continue;
      if (const std::string reason = plan.refuse(mode, space); !reason.empty()) {
        result.notes.push_back(fmt::format("{} {} left out: {}", name(space), mode.name, reason));
        continue;
      }
      const bool every_page_moves = plan.managed_moves_by_fault && space == MemorySpace::Managed;
      for (const std::size_t bytes : array_sizes(settings))
        unknown = run_series({{space, bytes, mode.advice},
                              mode,
                              every_page_moves,
                              result,
                              ResidencyTable(plan.gpu_node),
                              moves},
                             settings, make);
    }
  derive_size_losses(result.derived, array_sizes(settings));
  moves.deliver(plan.gpu_node, result);
  if (!unknown.empty()) result.notes.push_back(unknown);
  return result;
}

}  // namespace memstencil::membench::migration_probe
