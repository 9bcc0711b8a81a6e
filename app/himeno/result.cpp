// The result of a program run, made of its plan and its repeats.
#include "app/himeno/result.hpp"

#include "app/base/ranks/gpu_exchange.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/repeats.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <array>

namespace memstencil::himeno {

namespace {

constexpr double mega = 1e-6;
constexpr double giga = 1e-9;

double sweeps_of(const RunResult& r) { return static_cast<double>(r.sweep_seconds.size()); }

/// Repeats with --seconds make different numbers of sweeps.
double seconds_a_sweep(const RunResult& r) { return r.solve_seconds / sweeps_of(r); }

double bandwidth(const Triple& extents, const RunResult& r) {
  return jacobi::bytes_per_point * updated_points(extents) * sweeps_of(r) / r.solve_seconds;
}

double run_mflops(const Plan& plan, const RunResult& r, double seconds) {
  return mflops(plan.options.extents, static_cast<std::int64_t>(r.sweep_seconds.size()), seconds);
}

Result::Limit limit_of(const Triple& extents, const RunResult& r) {
  const double rate = r.limit.bytes_per_second;
  const double sweep_seconds = jacobi::bytes_per_point * updated_points(extents) / rate;
  Result::Limit limit{.kind = r.limit.kind,
                      .gbs = rate * giga,
                      .mflops = mflops(extents, 1, sweep_seconds),
                      .fraction = bandwidth(extents, r) / rate,
                      .samples_gbs = r.limit.samples};
  for (double& sample : limit.samples_gbs) sample *= giga;
  return limit;
}

Energy energy_of_sweeps(const Plan& plan, const RunResult& r) {
  Energy energy = r.energy;
  energy.divide(sweeps_of(r), original_flops(plan.options.extents));
  return energy;
}

Result::Repeat repeat_of(const Plan& plan, const RunResult& r) {
  return {.gosa = r.gosa.back(),
          .mflops = run_mflops(plan, r, r.solve_seconds),
          .mflops_end_to_end = run_mflops(plan, r, r.total_seconds),
          .solve_seconds = r.solve_seconds,
          .total_seconds = r.total_seconds,
          .limit_gbs = r.limit.bytes_per_second * giga,
          .energy = energy_of_sweeps(plan, r),
          .phases = r.phases.by_name(),
          .sweeps = {kept_samples(r.sweep_seconds)}};
}

OptionsOfCase options_of_case(const Options& o) {
  return {.memory = {.prefetch = o.prefetch,
                     .advise = std::string(name(o.advice)),
                     .pages = std::string(name(o.pages))},
          .pre_touch = o.pre_touch ? std::optional<std::string>("device") : std::nullopt,
          .coefficients = coefficients_name(o.seed),
          .seconds = o.seconds};
}

std::vector<TriedSweep> tried_of(const Triple& extents, const Trial& trial) {
  const double limit_seconds =
      jacobi::bytes_per_point * updated_points(extents) / trial.limit.bytes_per_second;
  std::vector<TriedSweep> out;
  for (const TrialRow& row : trial.rows) {
    TriedSweep& tried = out.emplace_back();
    tried.sweep = name(row.sweep);
    tried.tile = row.sweep.tile;
    tried.layout = std::string(name(row.layout));
    if (row.failed) {
      tried.failed = row.refused;
    } else if (row.seconds.empty()) {
      tried.refused = row.refused;
    } else {
      tried.sweep_seconds = spread_of(row.seconds);
      tried.count = static_cast<std::int64_t>(row.seconds.size());
      tried.fraction = limit_seconds / tried.sweep_seconds->median;
    }
  }
  return out;
}

/// The members that a run and a trial of --tune share.
template <class AnyResult>
AnyResult result_of(const Plan& plan) {
  AnyResult result;
  result.size = size_name(plan.options.extents);
  result.extents = plan.options.extents;
  result.ranks = plan.part.ranks;
  result.exec = std::string(name(plan.executor()));
  result.execution = execution_of(plan.executor());
  result.memspace = memspace_of(plan.placement);
  result.options_of_case = options_of_case(plan.options);
  return result;
}

void add_repeats(const Plan& plan, const std::vector<RunResult>& repeats, Result& result) {
  result.repeats.emplace();
  std::vector<double> rates;
  for (const RunResult& each : repeats) {
    result.repeats->push_back(repeat_of(plan, each));
    rates.push_back(result.repeats->back().mflops);
  }
  result.mflops_spread = spread_of(rates);
}

}  // namespace

double mflops(const Triple& extents, std::int64_t sweeps, double seconds) {
  return original_flops(extents) * static_cast<double>(sweeps) / seconds * mega;
}

const RunResult& representative(const std::vector<RunResult>& repeats) {
  return median_run(repeats, seconds_a_sweep);
}

TuneResult make_tune_result(const Plan& plan, const Trial& trial) {
  auto result = result_of<TuneResult>(plan);
  result.limit = {.kind = trial.limit.kind, .gbs = trial.limit.bytes_per_second * giga};
  result.tune = tried_of(plan.options.extents, trial);
  const TrialRow& best = fastest(trial);
  result.fastest = {
      .sweep = name(best.sweep), .tile = best.sweep.tile, .layout = std::string(name(best.layout))};
  result.verified = !any_failed(trial);
  return result;
}

Result make_result(const Plan& plan, const std::vector<RunResult>& repeats,
                   const std::optional<Trial>& trial) {
  const RunResult& r = representative(repeats);
  const Triple& extents = plan.options.extents;
  const bool alone = plan.part.ranks == std::array{1, 1, 1};
  auto result = result_of<Result>(plan);
  result.iterations = static_cast<std::int64_t>(r.sweep_seconds.size());
  result.rehearsal = r.rehearsal;
  result.layout = std::string(name(plan.layout));
  result.first_touch = std::string(name(plan.placement.first_touch));
  result.sweep = name(plan.sweep);
  result.sweep_kernel = r.sweep_kernel;
  result.halo = alone ? "none" : std::string(name(plan.halo));
  result.fma = plan.fma();
  result.gosa = r.gosa.back();
  result.mflops = run_mflops(plan, r, r.solve_seconds);
  result.mflops_end_to_end = run_mflops(plan, r, r.total_seconds);
  result.solve_seconds = r.solve_seconds;
  result.total_seconds = r.total_seconds;
  result.bandwidth_gbs = bandwidth(extents, r) * giga;
  result.limit = limit_of(extents, r);
  result.energy = energy_of_sweeps(plan, r);
  result.phases = r.phases.by_name();
  result.sweep_seconds = {.spread = spread_of(r.sweep_seconds),
                          .count = result.iterations,
                          .first = r.sweep_seconds.front(),
                          .last = r.sweep_seconds.back()};
  result.sweeps = {kept_samples(r.sweep_seconds)};
  result.drift = drift_of(r.sweep_seconds);
  result.own_seconds = r.own_seconds;
  if (!alone && plan.halo == MessagePath::Nccl) {
    result.halo_library = gpu_exchange_library();
    result.halo_registered = r.enrolled;
  }
  if (!plan.division.empty()) result.division = plan.division;
  if (!alone) result.scaling = scaling_of(r);
  if (!plan.note.empty()) result.note = plan.note;
  result.staging = r.staging;
  if (r.pages.asked())
    result.residency = residency_record(r.pages, gpu_facts().numa_id, plan.executor());
  if (trial) result.trial = tried_of(extents, *trial);
  if (plan.options.gosa_history) result.gosa_history = r.gosa;
  if (repeats.size() > 1) add_repeats(plan, repeats, result);
  return result;
}

}  // namespace memstencil::himeno
