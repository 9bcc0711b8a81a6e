// himeno's result.
#include "app/himeno/result.hpp"

#include "app/himeno/trial.hpp"
#include "kernels/jacobi/stream_schedule.hpp"

#include <fmt/format.h>

namespace memstencil::himeno {

namespace {

std::vector<TriedSweep> tried_of(const Triple& extents, const Trial& trial) {
  const double limit_seconds = cost_of_sweep(extents).bytes / (trial.limit.gbs * 1e9);
  std::vector<TriedSweep> out;
  for (const TrialRow& row : trial.rows) {
    TriedSweep& tried = out.emplace_back();
    tried.sweep = name(row.sweep);
    tried.tile = row.sweep.tile;
    if (row.seconds.empty()) {
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

void RunResult::describe(Archive& a) const {
  a("gosa", sums.back());
  GridRun::describe(a);
}

void Result::describe(Archive& a) const {
  describe_as("himeno", a);
  a("layout", layout);
  a("gosa", sums.back());
  MEMSTENCIL_MEMBERS(a, note, trial, repeats);
}

SweepCost cost_of_sweep(const Triple& g) {
  return {.bytes = jacobi::bytes_per_point * updated_points(g),
          .flops = jacobi::flops_per_point * static_cast<double>(g[0] - 3) *
                   static_cast<double>(g[1] - 3) * static_cast<double>(g[2] - 3)};
}

Result make_result(const Plan& plan, const std::vector<RunResult>& repeats, const Trial* trial) {
  auto result = result_of<Result>(plan, repeats);
  result.sweep = name(plan.sweep.kind);
  result.layout = name(plan.own.layout);
  if (plan.sweep.seams > 0 && !plan.subdomain.alone())
    result.note = fmt::format(
        "streamed sweeps of several ranks make {:.0f} % more points than their own, one sweep a "
        "kernel: one rank that has all points fuses them",
        100 * jacobi::points_made_twice(plan.subdomain.grid, plan.sweep.kind.sweeps));
  if (trial != nullptr) result.trial = tried_of(plan.options.extents, *trial);
  return result;
}

}  // namespace memstencil::himeno
