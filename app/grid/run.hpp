// One run of a grid code from allocation to release: its arrays and messages, and the phases of the
// benchmark, timed.
#pragma once

#include "app/base/machine/energy.hpp"
#include "app/base/machine/host_load.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/repeats.hpp"
#include "app/grid/fields.hpp"
#include "app/grid/halo.hpp"
#include "app/grid/record.hpp"
#include "app/grid/rehearsal.hpp"
#include "app/grid/solver.hpp"
#include "app/grid/verify.hpp"
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

/// Problem has the parts that grid codes do not share:
///     Run, Arrays                   a GridRun; the Solver's Arrays
///     reads                         arrays that a sweep reads, for measure_limit()
///     plan()                        a GridPlan with its options (GridOptions) and memory()
///                                   (ProblemMemory)
///     sweeps_of_pass(), cost()      cost: the SweepCost
///     widths()                      arrays of each allocation; the last two are p and p_next
///     arrays(fields)                pointers to them
///     fill(exec, number, slab, first plane, values)
///     kinds(exec, edges first)      of sweeps, as the Solver takes them
///     downloaded(run, p)            p on the host, which the next phase takes away again
///     fill_p(exec, seed, p)         with values of the global index alone, the halo, too
///     evaluate(seed, box, sweeps)   p after `sweeps` sweeps of these values, or without a seed
///                                   of a run's first values, in a box of global indices, k
///                                   fastest: by an expression that shares no code with the sweeps
///     verify(arrays, solver, run)   after run's timed sweeps; @throws CollectiveFailure
///     before_repeat(runs), verify_repeats(runs, communicator)   of --repeat, likewise
template <class Exec, class Problem>
class RankArrays {
public:
  using Space = Exec;
  using Arrays = typename Problem::Arrays;
  using Value = typename Arrays::Value;
  using Solver = memstencil::Solver<Exec, Arrays>;

  /// Allocates, initialises and connects. Messages go by `gpu` if it is given: connect().
  /// Collective.
  RankArrays(const Exec& exec, const Problem& problem, const Communicator& communicator,
             const GpuPaths& gpu, Phases& phases)
      : exec_(exec), problem_(problem), communicator_(communicator) {
    const auto& plan = problem_->plan();
    collectively(communicator_, [&] {
      phases.time("allocate", [&] {
        fields_.emplace(plan.subdomain.grid, plan.placement, problem_->widths());
        halo_.emplace(plan.subdomain, plan.transport, plan.placement.space, communicator_, gpu);
      });
      initialise(phases);
    });
    halo_->connect(arrays_.p, arrays_.p_next, fields_->memory_of_p());
  }
  RankArrays(const RankArrays&) = delete;
  RankArrays& operator=(const RankArrays&) = delete;

  /// Goes on with another kind of sweep, on the same arrays, which are initialised again; for a
  /// rank that is alone: its arrays are the same for all kinds.
  void restart(const Problem& problem, Phases& phases) {
    problem_.emplace(problem);
    collectively(communicator_, [&] { initialise(phases); });
  }

  /// The time loop for `sweeps` sweeps and for those of verify(): the time loop's, and three
  /// passes. One solver at a time: two would take twice the memory. Collective.
  std::unique_ptr<Solver> solver(std::int64_t sweeps) {
    const int fused = problem_->sweeps_of_pass();
    return collectively(communicator_, [&] {
      return std::make_unique<Solver>(exec_, problem_->plan().subdomain.grid,
                                      problem_->kinds(exec_, halo_->edges_first(fused)), arrays_,
                                      sweeps + verified_sweeps(fused, sweeps) + 3 * fused, &*halo_);
    });
  }

  const Exec& exec() const { return exec_; }
  const Problem& problem() const { return *problem_; }
  const Communicator& communicator() const { return communicator_; }
  Fields<Value>& fields() { return *fields_; }
  Arrays& arrays() { return arrays_; }
  const Halo<Exec, Value>& halo() const { return *halo_; }
  Limit limit() { return measure_limit<Problem::reads>(exec_, *fields_, communicator_); }

private:
  void initialise(Phases& phases) {
    fields_->initialise(
        [&](const auto& exec, std::size_t number, const Grid& slab, std::int64_t first_plane,
            Value* values) { problem_->fill(exec, number, slab, first_plane, values); },
        phases);
    if (problem_->plan().options.pre_touch) fields_->pre_touch(phases);
    arrays_ = problem_->arrays(*fields_);
  }

  Exec exec_;
  std::optional<Problem> problem_;
  const Communicator& communicator_;
  std::optional<Fields<Value>> fields_;
  Arrays arrays_{};
  std::optional<Halo<Exec, Value>> halo_;
};

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
                               const Communicator& communicator, const GpuPaths& gpu) {
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
    const SweepTimes times = solver->run(sweeps);
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

/// --repeat runs of a plan, as run_once() makes them, all of the same number of sweeps.
/// Collective.
template <template <class> class Problem, class Plan>
auto run_repeats(const Plan& plan, const Communicator& communicator, const GpuPaths& gpu) {
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    const Problem<Exec> problem(plan);
    const std::int64_t sweeps =
        plan.options.seconds ? rehearse(exec, problem, communicator, gpu) : plan.options.iterations;
    std::vector<typename Problem<Exec>::Run> repeats;
    for (int n = 0; n < plan.options.repeat; ++n) {
      problem.before_repeat(repeats);
      repeats.push_back(run_once(exec, problem, sweeps, communicator, gpu));
    }
    problem.verify_repeats(repeats, communicator);
    return repeats;
  });
}

}  // namespace memstencil
