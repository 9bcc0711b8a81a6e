// One run of a grid code from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/machine/energy.hpp"
#include "app/base/machine/pauses.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/bench/repeats.hpp"
#include "app/grid/rank_arrays.hpp"
#include "app/grid/record.hpp"
#include "app/grid/rehearsal.hpp"
#include "kernels/elapsed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// The phases of a run, in order.
inline Phases phases_of(const GridOptions& options) {
  std::vector<std::string> names{"allocate", "initialise", "upload",   "sweeps",
                                 "halo",     "reduce",     "download", "free"};
  if (options.pre_touch) names.insert(names.begin() + 3, "pre-touch");
  return Phases(names);
}

/// The number of sweeps that fill --seconds, by a run of its own: its arrays are released before
/// the first repeat allocates. Collective.
template <class Exec, class Problem>
std::int64_t rehearse(const Exec& exec, const Problem& problem, const Communicator& communicator,
                      const GpuPaths& gpu) {
  const auto& plan = problem.plan();
  const auto fused = static_cast<std::size_t>(problem.sweeps_of_pass());
  Phases unreported = phases_of(plan.options);
  RankArrays<Exec, Problem> arrays(exec, problem, communicator, gpu, unreported);
  Rehearsal rehearsal(*plan.options.seconds, static_cast<std::int64_t>(fused),
                      most_iterations / plan.options.repeat);
  while (const std::int64_t next = rehearsal.next()) {
    const auto solver = arrays.solver(next);
    const SweepTimes all = solver->run(next);
    const std::vector<double>& sweeps = solver->sweep_seconds();
    const std::vector<double>& halo = solver->halo_seconds();
    std::array seconds{
        std::accumulate(sweeps.begin(), sweeps.begin() + fused, halo.empty() ? 0.0 : halo.front()),
        all.sweeps + all.halo};
    communicator.maximum(seconds);
    rehearsal.add(next, seconds[0], seconds[1]);
  }
  return rehearsal.sweeps();
}

/// Describes the timed sweeps in `run`. Returns the seconds of each.
template <class Exec, class Problem>
std::vector<double> describe_sweeps(RankArrays<Exec, Problem>& arrays,
                                    typename RankArrays<Exec, Problem>::Solver& solver,
                                    GridRun& run) {
  const auto& plan = arrays.problem().plan();
  run.sweep_kernel = solver.sweep().describe();
  run.staging = arrays.fields().staging();
  std::vector<double> seconds = solver.take_sweep_seconds();
  collectively(arrays.communicator(), [&] {
    if (static_cast<std::int64_t>(seconds.size()) != run.iterations)
      throw Failure(ExitCode::Verification,
                    fmt::format("verification failed: of {} sweeps {} were timed", run.iterations,
                                seconds.size()));
  });
  run.seconds_of_rank = {{"sweep", statistics(seconds).median}};
  const std::vector<double>& halo = solver.halo_seconds();
  if (!halo.empty()) run.seconds_of_rank.emplace_back("halo", statistics(halo).median);
  if (!plan.subdomain.alone())
    run.scaling = Scaling{.exchanges = static_cast<std::int64_t>(halo.size()),
                          .exchange_seconds = 0,
                          .edges_first = solver.edges_first(),
                          .processors = processors(plan.placement, arrays.communicator())};
  return seconds;
}

/// Puts the ranks' times together. Between two points where all ranks meet the run takes as long as
/// its slowest rank. Collective.
inline void take_times(GridRun& run, Phases& phases, std::vector<double>& sweep_seconds,
                       const Communicator& communicator) {
  const auto before = {"allocate", "initialise", "upload", "pre-touch"};
  std::array<double, 4> spans{0.0, run.solve_seconds, phases.seconds("download"),
                              phases.seconds("free")};
  for (const auto& [name, seconds] : phases.by_name())
    if (std::find(before.begin(), before.end(), name) != before.end()) spans[0] += seconds;
  communicator.maximum(spans);
  run.solve_seconds = spans[1];
  run.total_seconds = std::accumulate(spans.begin(), spans.end(), 0.0);
  const int slowest = phases.take_slowest(phases.seconds("sweeps"), communicator);
  communicator.broadcast(sweep_seconds, slowest);
  run.phases = phases.by_name();
}

/// One run of `sweeps` sweeps on an execution space, from allocation to release, verified. Messages
/// go by `gpu` if it is given: connect(). Collective.
/// @throws CollectiveFailure(Verification); and the errors of allocation
template <class Exec, class Problem>
typename Problem::Run run_once(const Exec& exec, const Problem& problem, std::int64_t sweeps,
                               const Communicator& communicator, const GpuPaths& gpu,
                               const Progress& progress) {
  const auto& plan = problem.plan();
  Phases phases = phases_of(plan.options);
  PageMoves pages;
  PauseWatch watch;
  typename Problem::Run run;
  std::optional<RankArrays<Exec, Problem>> arrays(std::in_place, exec, problem, communicator, gpu,
                                                  phases);
  run.iterations = sweeps;
  auto solver = arrays->solver(sweeps);

  Limit limit;
  const bool compressible = arrays->fields().compressible();
  if (compressible) limit = arrays->limit();  // of values that sweeps and checks change

  arrays->fields().look(pages, pages.before);
  EnergyMeter meter(plan.executor(), communicator);
  meter.start();
  communicator.barrier();
  run.solve_seconds = host_seconds([&] {
    const SweepTimes times = solver->run(sweeps, progress);
    phases.add("sweeps", times.sweeps);
    phases.add("halo", times.halo);
    phases.time("reduce", [&] {
      run.sums = solver->sums();
      communicator.sum(run.sums);
    });
  });
  run.energy = meter.stop();
  arrays->fields().look(pages, pages.after);
  // After the host's checks a link gave half its rate, 26 of 52 GB/s on H100 and H200: probably it
  // falls asleep during them.
  const bool linked = arrays->fields().behind_link();
  if (linked) limit = arrays->limit();
  problem.downloaded(run, arrays->fields().download(arrays->arrays().p, phases));

  std::vector<double> sweep_seconds = describe_sweeps(*arrays, *solver, run);
  problem.verify(*arrays, *solver, run);
  if (run.scaling) run.scaling->exchange_seconds = arrays->halo().seconds_alone(arrays->arrays().p);
  if (!linked && !compressible) limit = arrays->limit();
  solver.reset();
  phases.time("free", [&] { arrays.reset(); });
  take_times(run, phases, sweep_seconds, communicator);
  add_rates(run, problem.cost(), sweep_seconds, limit);
  run.residency = residency_of_ranks(pages, plan.executor(), communicator);
  run.pause = longest_pause(watch, sweep_seconds, communicator);
  return run;
}

/// --repeat runs of a plan, as run_once() makes them, all of the same number of sweeps; the line
/// shows their sweeps. Collective.
template <template <class> class Problem, class Plan>
auto run_repeats(const Plan& plan, const Communicator& communicator, ProgressLine&& line,
                 const GpuPaths& gpu) {
  const int count = plan.options.repeat;
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    const Problem<Exec> problem(plan);
    const std::int64_t sweeps =
        plan.options.seconds ? rehearse(exec, problem, communicator, gpu) : plan.options.iterations;
    std::vector<typename Problem<Exec>::Run> repeats;
    for (int n = 1; n <= count; ++n) {
      problem.before_repeat(repeats);
      const auto show = [&line, which = which_run(n, count)](std::int64_t done, std::int64_t all) {
        line.show([&] { return fmt::format("{}sweep {} of {}", which, done, all); });
      };
      repeats.push_back(run_once(exec, problem, sweeps, communicator, gpu, show));
    }
    problem.verify_repeats(repeats, communicator);
    return repeats;
  });
}

}  // namespace memstencil
