// The results of himeno: of a run, and of --try-sweeps.
#include "app/himeno/result.hpp"

#include "app/himeno/trial.hpp"
#include "kernels/jacobi/stream_schedule.hpp"

#include <fmt/format.h>

namespace memstencil::himeno {

namespace {

std::vector<TriedSweep> tried_of(const Triple& extents, const Trial& trial) {
  const double limit_seconds = cost_of_sweep(extents).bytes / trial.limit.bytes_per_second;
  std::vector<TriedSweep> out;
  for (const TrialRow& row : trial.rows) {
    TriedSweep& tried = out.emplace_back();
    tried.sweep = name(row.sweep);
    tried.tile = row.sweep.tile;
    if (row.failed) {
      tried.failed = row.why_not;
    } else if (row.seconds.empty()) {
      tried.refused = row.why_not;
    } else {
      tried.sweep_seconds = spread_of(row.seconds);
      tried.count = static_cast<std::int64_t>(row.seconds.size());
      tried.fraction = limit_seconds / tried.sweep_seconds->median;
    }
  }
  return out;
}

}  // namespace

void describe(Archive& a, RunResult& run) {
  a("gosa", run.sums.back());
  describe(a, static_cast<GridRun&>(run));
}

void describe(Archive& a, TriedSweep& tried) {
  a("sweep", tried.sweep);
  a("tile", tried.tile);
  a.optional("failed", tried.failed);
  a.optional("refused", tried.refused);
  a.optional("sweep_seconds", tried.sweep_seconds);
  a.optional("count", tried.count);
  a.optional("fraction", tried.fraction);
}

void describe(Archive& a, Result& r) {
  describe(a, "himeno", r);
  a("layout", r.layout);
  a("gosa", r.sums.back());
  a.optional("note", r.note);
  a.optional("trial", r.trial);
  a.optional("gosa_history", r.gosa_history);
  a.optional("repeats", r.repeats);
}

void describe(Archive& a, TrialResult::Limit& limit) {
  a("kind", limit.kind);
  a("gbs", limit.gbs);
}

void describe(Archive& a, TrialResult::Fastest& fastest) {
  a("sweep", fastest.sweep);
  a("tile", fastest.tile);
}

void describe(Archive& a, TrialResult& r) {
  describe_head(a, "himeno", r.origin);
  a("size", r.size);
  a("extents", r.extents);
  a("ranks", r.ranks);
  a("exec", r.exec);
  a("execution", r.execution);
  a("memspace", r.memspace);
  a("layout", r.layout);
  a("limit", r.limit);
  a("trial", r.trial);
  a("fastest", r.fastest);
  a("verified", r.verified);
  a("options", r.options);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
}

SweepCost cost_of_sweep(const Triple& g) {
  return {.bytes = jacobi::bytes_per_point * updated_points(g),
          .flops = jacobi::flops_per_point * static_cast<double>(g[0] - 3) *
                   static_cast<double>(g[1] - 3) * static_cast<double>(g[2] - 3)};
}

TrialResult make_trial_result(const Plan& plan, const Trial& trial) {
  TrialResult result;
  set_case(plan, result);
  result.extents = plan.options.extents;
  result.ranks = plan.part.ranks;
  result.layout = name(plan.own.layout);
  result.limit = {.kind = trial.limit.kind, .gbs = trial.limit.bytes_per_second * 1e-9};
  result.trial = tried_of(plan.options.extents, trial);
  const TrialRow& best = fastest(trial);
  result.fastest = {.sweep = name(best.sweep), .tile = best.sweep.tile};
  result.verified = !any_failed(trial);
  return result;
}

Result make_result(const Plan& plan, const std::vector<RunResult>& repeats, const Trial* trial) {
  auto result = result_of<Result>(plan, repeats);
  result.sweep = name(plan.sweep.kind);
  result.layout = name(plan.own.layout);
  if (trial != nullptr && any_failed(*trial))
    result.note =
        "a kind of sweep that was tried computes wrongly on this machine: --try-sweeps "
        "names it";
  else if (plan.sweep.seams > 0 && !plan.part.alone())
    result.note = fmt::format(
        "streamed sweeps of several ranks make {:.0f} % more points than their own, one sweep a "
        "kernel: one rank that has all points fuses them",
        100 * jacobi::points_made_twice(plan.part.grid, plan.sweep.kind.sweeps));
  if (trial != nullptr) result.trial = tried_of(plan.options.extents, *trial);
  if (plan.own.gosa_history) result.gosa_history = result.sums;
  return result;
}

}  // namespace memstencil::himeno
