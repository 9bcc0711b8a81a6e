// Measurements of a run of a grid code, and the result of its program.
#include "app/grid/record.hpp"

#include "app/bench/gpu_exchange.hpp"

#include <fmt/format.h>

namespace memstencil {

namespace {

constexpr double mega = 1e-6;
constexpr double giga = 1e-9;

}  // namespace

void GridRun::SweepSeconds::describe(Archive& a) const {
  spread.describe(a);
  MEMSTENCIL_MEMBERS(a, count, first, last);
}

void GridResult::describe_as(const char* program, Archive& a) const {
  describe_head(a, program, origin);
  MEMSTENCIL_MEMBERS(a, size, extents, ranks, exec, execution, memspace, first_touch, sweep, halo,
                     halo_library, division, capped, fma, stands);
  GridRun::describe(a);
  MEMSTENCIL_MEMBERS(a, verified, options, machine, provenance, mflops_spread);
}

void add_rates(GridRun& run, const SweepCost& of_sweep, const std::vector<double>& sweep_seconds,
               const Limit& limit) {
  const auto sweeps = static_cast<double>(sweep_seconds.size());
  run.iterations = static_cast<std::int64_t>(sweep_seconds.size());
  run.mflops = of_sweep.flops * sweeps / run.solve_seconds * mega;
  run.mflops_end_to_end = of_sweep.flops * sweeps / run.total_seconds * mega;
  const double bandwidth = of_sweep.bytes * sweeps / run.solve_seconds;
  run.bandwidth_gbs = bandwidth * giga;
  const double rate = limit.gbs / giga;
  run.limit = {limit, of_sweep.flops / (of_sweep.bytes / rate) * mega, bandwidth / rate};
  if (run.energy) run.energy->divide(sweeps, of_sweep.flops);
  run.sweep_seconds = {.spread = spread_of(sweep_seconds),
                       .count = run.iterations,
                       .first = sweep_seconds.front(),
                       .last = sweep_seconds.back()};
  run.sweeps = {kept_samples(sweep_seconds)};
}

void set_case(const GridPlan& plan, ApplicationResult& result) {
  result.size = size_name(plan.options.extents);
  result.exec = name(plan.executor());
  result.execution = execution_of(plan.executor());
  result.memspace = memspace_of(plan.placement);
}

void set_plan(const GridPlan& plan, GridResult& result) {
  set_case(plan, result);
  if (plan.options.seconds && kept_in_pool(plan.placement.kind()))
    result.memspace.warm = "the rehearsal of --seconds has left its memory in the pool";
  if (plan.options.seconds && result.iterations == most_iterations / plan.options.repeat)
    result.capped = fmt::format(
        "{} sweeps of all repeats are the most that a run makes: they are "
        "fewer than --seconds asks for",
        most_iterations);
  result.own_seconds = result.seconds_of_rank;
  result.extents = plan.options.extents;
  result.ranks = plan.subdomain.ranks;
  result.first_touch = name(plan.placement.first_touch);
  result.halo = name(plan.transport);
  result.fma = plan.fma();
  if (plan.transport == Transport::Nccl) result.halo_library = gpu_exchange_library();
  if (!plan.decomposition.empty()) result.division = plan.decomposition;
}

}  // namespace memstencil
