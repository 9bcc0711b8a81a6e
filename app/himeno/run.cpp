// One run from allocation to release: the phases of the benchmark, timed.
#include "app/himeno/run.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/clock.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/phases.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/repeats.hpp"
#include "app/himeno/fields.hpp"
#include "app/himeno/solver.hpp"
#include "app/himeno/verify.hpp"
#include "app/himeno/verify_run.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace memstencil::himeno {

namespace {

Phases named_phases(const Plan& plan) {
  std::vector<std::string> names{"allocate", "initialise", "upload",   "sweeps",
                                 "halo",     "reduce",     "download", "free"};
  if (plan.options.pre_touch) names.insert(names.begin() + 3, "pre-touch");
  return Phases(names);
}

/// A run on an execution space.
template <class Exec>
class Run {
public:
  Run(const Exec& exec, const Plan& plan, const Communicator& communicator,
      const std::shared_ptr<GpuExchange>& gpu)
      : exec_(exec), plan_(plan), communicator_(communicator), gpu_(gpu) {}

  RunResult operator()(const Progress& progress) {
    RunResult result{.phases = named_phases(plan_)};
    Phases& phases = result.phases;
    allocate(phases);
    halo_->connect(fields_->arrays().p, fields_->memory_of_p());
    result.enrolled = halo_->enrolled();
    const std::int64_t sweeps = plan_.options.seconds ? rehearse(result) : plan_.options.iterations;
    make_solver(sweeps);
    result.sweep_kernel = solver_->sweep().describe();

    find_pages(result, &PageMoves::before);
    EnergyMeter meter(plan_.executor(), communicator_);
    meter.start();
    communicator_.barrier();
    result.solve_seconds = host_seconds([&] {
      solver_->run(sweeps, phases, progress);
      phases.time("reduce", [&] {
        result.gosa = solver_->sums();
        communicator_.sum(result.gosa);
      });
    });
    result.energy = meter.stop();
    find_pages(result, &PageMoves::after);
    const float* const p = fields_->download(phases);
    result.staging = fields_->staging();

    result.sweep_seconds = solver_->take_sweep_seconds();
    result.own_seconds = {{"sweep", statistics(result.sweep_seconds).median}};
    if (!solver_->halo_seconds().empty())
      result.own_seconds.emplace_back("halo", statistics(solver_->halo_seconds()).median);
    result.exchanges = static_cast<std::int64_t>(solver_->halo_seconds().size());
    result.edges_first = solver_->edges_first();
    result.edges_share = solver_->edges_share();
    if (plan_.options.save_field) result.p.assign(p, p + plan_.part.grid.elements());
    verify_run(exec_, plan_, communicator_, *halo_, fields_->arrays(), *solver_,
               {result.gosa, result.rehearsal});
    if (communicator_.size() > 1)
      result.exchange_seconds = halo_->seconds_alone(fields_->arrays().p);
    result.limit = measure_limit(exec_, *fields_, communicator_);
    solver_.reset();
    phases.time("free", [&] { halo_.reset(), fields_.reset(); });
    if (asks_places()) result.pages.sum(communicator_);
    take_times(result);
    return result;
  }

private:
  void allocate(Phases& phases) {
    collectively(communicator_, [&] {
      phases.time("allocate", [&] {
        fields_ = std::make_unique<Fields>(plan_.part.grid, plan_.layout, plan_.placement,
                                           plan_.placement_of_p);
        halo_ = std::make_unique<Halo<Exec>>(plan_.part, plan_.halo, plan_.placement_of_p.space,
                                             communicator_, gpu_);
      });
      fields_->initialise(plan_.filling(), phases);
      if (plan_.options.pre_touch) fields_->pre_touch(phases);
    });
  }

  void make_solver(std::int64_t sweeps) {
    collectively(communicator_, [&] {
      solver_.reset();  // two at once would take twice the memory
      solver_ = himeno::make_solver(exec_, plan_.part.grid, plan_.sweep, fields_->arrays(),
                                    sweeps + verified_sweeps(plan_, sweeps), halo_.get(),
                                    plan_.window_bytes);
    });
  }

  /// The original's rehearsal of three sweeps, in whole passes, whose time says how many fill the
  /// seconds asked for. The field goes on from there, as the original's does.
  std::int64_t rehearse(RunResult& result) {
    constexpr std::int64_t original = 3;
    const std::int64_t fused = plan_.sweep.sweeps;
    result.rehearsal = (original + fused - 1) / fused * fused;
    Phases aside = named_phases(plan_);
    make_solver(result.rehearsal);
    solver_->run(result.rehearsal, aside);
    const double seconds =
        communicator_.maximum(aside.total() / static_cast<double>(result.rehearsal));
    // At least a pass: single sweeps are never reported as fused ones.
    const auto sweeps = std::max<std::int64_t>(
        fused, static_cast<std::int64_t>(*plan_.options.seconds / std::max(seconds, 1e-9)));
    check_memory(fmt::format("what is kept of {} sweeps", sweeps), "fewer --seconds",
                 requirements_of_sweeps(plan_, sweeps), plan_.placement, communicator_);
    return sweeps;
  }

  /// Pages of a GPU build can be on either side of the link.
  bool asks_places() const {
    return built_for_gpu() && (touch_makes_pages(plan_.placement.space) ||
                               touch_makes_pages(plan_.placement_of_p.space));
  }

  /// Outside all that is timed.
  void find_pages(RunResult& result, PagePlaces PageMoves::*when) {
    if (!asks_places() || !result.pages.unknown.empty()) return;
    result.pages.unknown = fields_->add_places(result.pages.*when, gpu_facts().numa_id);
  }

  /// Puts the ranks' times together. Between two points where all ranks meet the run takes
  /// as long as its slowest rank.
  void take_times(RunResult& result) {
    Phases& phases = result.phases;
    std::array<double, 4> spans{
        phases.seconds("allocate") + phases.seconds("initialise") + phases.seconds("upload") +
            (plan_.options.pre_touch ? phases.seconds("pre-touch") : 0),
        result.solve_seconds, phases.seconds("download"), phases.seconds("free")};
    communicator_.maximum(spans);
    result.solve_seconds = spans[1];
    result.total_seconds = std::accumulate(spans.begin(), spans.end(), 0.0);
    const int slowest = phases.take_slowest(phases.seconds("sweeps"), communicator_);
    communicator_.broadcast(result.sweep_seconds, slowest);
    result.processors = processors(plan_.placement, communicator_);
  }

  Exec exec_;
  const Plan& plan_;
  const Communicator& communicator_;
  std::shared_ptr<GpuExchange> gpu_;
  std::unique_ptr<Fields> fields_;
  std::unique_ptr<Halo<Exec>> halo_;
  std::unique_ptr<Solver<Exec>> solver_;
};

}  // namespace

RunResult run_once(const Plan& plan, const Communicator& communicator, const Progress& progress,
                   const std::shared_ptr<GpuExchange>& gpu) {
  return with_execution_space(plan.executor(), [&](const auto& exec) {
    return Run(exec, plan, communicator, gpu)(progress);
  });
}

std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator,
                                   ProgressLine line, const std::shared_ptr<GpuExchange>& gpu) {
  std::vector<float> p;
  auto repeats = repeated(plan.options.repeat, line, [&](const RunProgress& progress) {
    p = {};
    const auto show = [&](std::int64_t done, std::int64_t all) {
      progress([&] { return fmt::format("sweep {} of {}", done, all); });
    };
    RunResult run = run_once(plan, communicator, show, gpu);
    p.swap(run.p);
    return run;
  });
  collectively(communicator, [&] {
    for (const RunResult& each : repeats) verify_same_gosa(repeats.front().gosa, each.gosa);
  });
  repeats.back().p.swap(p);
  return repeats;
}

}  // namespace memstencil::himeno
