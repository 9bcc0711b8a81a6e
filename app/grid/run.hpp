// One run of a grid code from allocation to release: the phases of the benchmark, timed.
#pragma once

#include "app/base/cli/progress.hpp"
#include "app/base/machine/energy.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/repeats.hpp"
#include "app/grid/fields.hpp"
#include "app/grid/halo.hpp"
#include "app/grid/record.hpp"
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

/// The memory and the time loop of one rank.
///
/// Code tells what is special to a grid code:
///     Run, Arrays                   a GridRun; what the Solver takes
///     reads                         arrays that a sweep reads, for measure_limits()
///     plan()                        a GridPlan with its options (GridOptions) and memory()
///                                   (CodeMemory)
///     sweeps_of_pass(), cost()      cost: the SweepCost
///     widths()                      arrays of each allocation; the last two are p and p_next
///     arrays(fields)                pointers to them
///     fill(exec, number, slab, first plane, values)
///     kinds(exec, edges first)      of sweeps, as the Solver takes them
///     downloaded(run, p)            p on the host, which the next phase takes away again
///     fill_p(exec, seed, p)         with values of the global index alone, the halo, too
///     evaluate(seed, box, sweeps)   p after so many sweeps of these values, or without a seed of
///                                   those that a run starts from, in a box of global indices, k
///                                   fastest: by an expression that shares no code with the sweeps
///     verify(work, run)             after run's timed sweeps; @throws CollectiveFailure
template <class Exec, class Code>
class Work {
public:
  using Space = Exec;
  using Arrays = typename Code::Arrays;
  using Value = typename Arrays::Value;

  /// Nothing is allocated yet. Messages go by `gpu` where it is given: connect().
  Work(const Exec& exec, const Code& code, const Communicator& communicator,
       std::shared_ptr<GpuExchange> gpu)
      : exec_(exec), code_(code), communicator_(communicator), gpu_(std::move(gpu)) {}

  /// Allocates, initialises and connects. Collective.
  void allocate(Phases& phases) {
    const auto& plan = code_->plan();
    collectively(communicator_, [&] {
      phases.time("allocate", [&] {
        fields_ = std::make_unique<Fields<Value>>(plan.part.grid, plan.placement, code_->widths());
        halo_ = std::make_unique<Halo<Exec, Value>>(plan.part, plan.halo, plan.placement.space,
                                                    communicator_, gpu_);
      });
      initialise(phases);
    });
    halo_->connect(arrays_.p, fields_->memory_of_p());
  }

  /// Goes on with another kind of sweep, on the same arrays, which are initialised again; for a
  /// rank that is alone: its arrays are the same for all kinds.
  void restart(const Code& code, Phases& phases) {
    solver_.reset();
    code_.emplace(code);
    collectively(communicator_, [&] { initialise(phases); });
  }

  /// For so many sweeps, and for those that verify() makes: the time loop's, and three times those
  /// of a pass. Collective.
  void make_solver(std::int64_t sweeps) {
    const int fused = code_->sweeps_of_pass();
    collectively(communicator_, [&] {
      solver_.reset();  // two at once would take twice the memory
      solver_ = std::make_unique<Solver<Exec, Arrays>>(
          exec_, code_->plan().part.grid, code_->kinds(exec_, halo_->edges_first(fused)), arrays_,
          sweeps + verified_sweeps(fused, sweeps) + 3 * fused, halo_.get());
    });
  }

  void free(Phases& phases) {
    solver_.reset();
    phases.time("free", [&] { halo_.reset(), fields_.reset(); });
  }

  const Exec& exec() const { return exec_; }
  const Code& code() const { return *code_; }
  const Communicator& communicator() const { return communicator_; }
  Fields<Value>& fields() { return *fields_; }
  Arrays& arrays() { return arrays_; }
  const Halo<Exec, Value>& halo() const { return *halo_; }
  Solver<Exec, Arrays>& solver() { return *solver_; }
  Limits limits() { return measure_limits<Code::reads>(exec_, *fields_, communicator_); }

private:
  void initialise(Phases& phases) {
    fields_->initialise(
        [&](const auto& exec, std::size_t number, const Grid& slab, std::int64_t first_plane,
            Value* values) { code_->fill(exec, number, slab, first_plane, values); },
        phases);
    if (code_->plan().options.pre_touch) fields_->pre_touch(phases);
    arrays_ = code_->arrays(*fields_);
  }

  Exec exec_;
  std::optional<Code> code_;
  const Communicator& communicator_;
  std::shared_ptr<GpuExchange> gpu_;
  std::unique_ptr<Fields<Value>> fields_;
  Arrays arrays_{};
  std::unique_ptr<Halo<Exec, Value>> halo_;
  std::unique_ptr<Solver<Exec, Arrays>> solver_;
};

/// The phases of a run, in order.
inline Phases phases_of(const GridOptions& options) {
  std::vector<std::string> names{"allocate", "initialise", "upload",   "sweeps",
                                 "halo",     "reduce",     "download", "free"};
  if (options.pre_touch) names.insert(names.begin() + 3, "pre-touch");
  return Phases(names);
}

/// One run on an execution space.
template <class Exec, class Code>
class OneRun {
public:
  using Run = typename Code::Run;

  OneRun(const Exec& exec, const Code& code, const Communicator& communicator,
         const std::shared_ptr<GpuExchange>& gpu)
      : work_(exec, code, communicator, gpu), communicator_(communicator) {}

  Run operator()(const Progress& progress) {
    work_.allocate(phases_);
    const std::int64_t sweeps = options().seconds ? rehearse() : options().iterations;
    run_.iterations = sweeps;
    work_.make_solver(sweeps);

    work_.fields().look(pages_, pages_.before);
    EnergyMeter meter(plan().executor(), communicator_);
    meter.start();
    communicator_.barrier();
    run_.solve_seconds = host_seconds([&] { solve(sweeps, progress); });
    run_.energy = meter.stop();
    work_.fields().look(pages_, pages_.after);
    work_.code().downloaded(run_, work_.fields().download(work_.arrays().p, phases_));

    describe_run();
    work_.code().verify(work_, run_);
    if (run_.scaling) run_.scaling->exchange_seconds = work_.halo().seconds_alone(work_.arrays().p);
    const Limits limits = work_.limits();
    work_.free(phases_);
    take_times(limits);
    return std::move(run_);
  }

private:
  const auto& plan() const { return work_.code().plan(); }
  const GridOptions& options() const { return plan().options; }

  /// The timed part.
  void solve(std::int64_t sweeps, const Progress& progress) {
    Solver<Exec, typename Code::Arrays>& solver = work_.solver();
    solver.run(sweeps, phases_, progress);
    phases_.time("reduce", [&] {
      run_.sums = solver.sums();
      communicator_.sum(run_.sums);
    });
  }

  /// Makes at least three sweeps, in whole passes. Their time says how many fill the seconds asked
  /// for. The field goes on from there.
  std::int64_t rehearse() {
    constexpr std::int64_t fewest = 3;
    const std::int64_t fused = work_.code().sweeps_of_pass();
    run_.rehearsal = (fewest + fused - 1) / fused * fused;
    Phases aside = phases_of(options());
    work_.make_solver(run_.rehearsal);
    work_.solver().run(run_.rehearsal, aside);
    // The shortest: the first may move pages.
    const auto shortest = [](const std::vector<double>& seconds) {
      return seconds.empty() ? 0.0 : *std::min_element(seconds.begin(), seconds.end());
    };
    const double seconds =
        communicator_.maximum(shortest(work_.solver().sweep_seconds()) +
                              shortest(work_.solver().halo_seconds()) / static_cast<double>(fused));
    // At least a pass: single sweeps are never reported as fused ones. At most as --iterations.
    const auto sweeps = std::clamp(
        static_cast<std::int64_t>(std::min(*options().seconds / std::max(seconds, 1e-9), 1e9)),
        fused, std::int64_t{1'000'000'000});
    check_memory(fmt::format("what is kept of {} sweeps", sweeps),
                 {"fewer --seconds", "fewer --seconds"},
                 requirements_of_sweeps(options(), plan(), plan().memory(), sweeps),
                 plan().placement, communicator_);
    return sweeps;
  }

  /// What the solver and the arrays tell of the timed sweeps.
  void describe_run() {
    auto& solver = work_.solver();
    run_.sweep_kernel = solver.sweep().describe();
    run_.staging = work_.fields().staging();
    sweep_seconds_ = solver.take_sweep_seconds();
    collectively(communicator_, [&] {
      if (static_cast<std::int64_t>(sweep_seconds_.size()) != run_.iterations)
        throw Failure(ExitCode::Verification,
                      fmt::format("verification failed: of {} sweeps {} were timed",
                                  run_.iterations, sweep_seconds_.size()));
    });
    run_.seconds_of_rank = {{"sweep", statistics(sweep_seconds_).median}};
    const std::vector<double>& halo = solver.halo_seconds();
    if (!halo.empty()) run_.seconds_of_rank.emplace_back("halo", statistics(halo).median);
    if (plan().part.alone()) return;
    Scaling& scaling = run_.scaling.emplace();
    scaling.exchanges = static_cast<std::int64_t>(halo.size());
    scaling.edges_first = solver.edges_first();
    scaling.processors = processors(plan().placement, communicator_);
  }

  /// Puts the ranks' times together. Between two points where all ranks meet the run takes
  /// as long as its slowest rank.
  void take_times(const Limits& limits) {
    const auto before = {"allocate", "initialise", "upload", "pre-touch"};
    std::array<double, 4> spans{0.0, run_.solve_seconds, phases_.seconds("download"),
                                phases_.seconds("free")};
    for (const auto& [name, seconds] : phases_.by_name())
      if (std::find(before.begin(), before.end(), name) != before.end()) spans[0] += seconds;
    communicator_.maximum(spans);
    run_.solve_seconds = spans[1];
    run_.total_seconds = std::accumulate(spans.begin(), spans.end(), 0.0);
    const int slowest = phases_.take_slowest(phases_.seconds("sweeps"), communicator_);
    communicator_.broadcast(sweep_seconds_, slowest);
    run_.phases = phases_.by_name();
    add_rates(run_, work_.code().cost(), sweep_seconds_, limits);
    run_.residency = residency_of_ranks(pages_, plan().executor(), communicator_);
  }

  Work<Exec, Code> work_;
  const Communicator& communicator_;
  Phases phases_ = phases_of(options());
  PageMoves pages_;
  std::vector<double> sweep_seconds_;
  Run run_;
};

/// --repeat runs, each made by run_once(progress). Collective.
template <class RunOnce>
auto run_repeats(const GridOptions& options, ProgressLine& line, RunOnce&& run_once) {
  return repeated(options.repeat, [&](const std::string& which) {
    return run_once(Progress([&](std::int64_t done, std::int64_t all) {
      line.show([&] { return fmt::format("{}sweep {} of {}", which, done, all); });
    }));
  });
}

}  // namespace memstencil
