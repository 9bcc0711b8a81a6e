// What a run of a grid code measured, and the result of its program.
#include "app/grid/record.hpp"

#include "app/bench/gpu_exchange.hpp"

namespace memstencil {

namespace {

constexpr double mega = 1e-6;
constexpr double giga = 1e-9;

}  // namespace

void describe(Archive& a, Scaling& scaling) {
  a("exchanges", scaling.exchanges);
  a("exchange_seconds", scaling.exchange_seconds);
  a("edges_first", scaling.edges_first);
  a("processors", scaling.processors);
}

void describe(Archive& a, GridRun::Limit& limit) {
  a("kind", limit.kind);
  a("gbs", limit.gbs);
  a("mflops", limit.mflops);
  a("fraction", limit.fraction);
  a("samples_gbs", limit.samples_gbs);
  a("disturbed", limit.disturbed);
}

void describe(Archive& a, GridRun::SweepSeconds& seconds) {
  describe(a, seconds.spread);
  a("count", seconds.count);
  a("first", seconds.first);
  a("last", seconds.last);
}

void describe(Archive& a, GridRun::Samples& samples) { a("seconds", samples.seconds); }

void describe(Archive& a, GridRun& r) {
  a("iterations", r.iterations);
  a("rehearsal", r.rehearsal);
  a("sweep_kernel", r.sweep_kernel);
  a("mflops", r.mflops);
  a("mflops_end_to_end", r.mflops_end_to_end);
  a("solve_seconds", r.solve_seconds);
  a("total_seconds", r.total_seconds);
  a("bandwidth_gbs", r.bandwidth_gbs);
  a("limit", r.limit);
  a.optional("read_limit", r.read_limit);
  a("energy", r.energy);
  a("phases", r.phases);
  a("sweep_seconds", r.sweep_seconds);
  a("sweeps", r.sweeps);
  a.optional("scaling", r.scaling);
  a.optional("staging", r.staging);
  a.optional("residency", r.residency);
}

void describe(Archive& a, const char* program, GridResult& r) {
  describe_head(a, program, r.origin);
  a("size", r.size);
  a("extents", r.extents);
  a("ranks", r.ranks);
  a("exec", r.exec);
  a("execution", r.execution);
  a("memspace", r.memspace);
  a("first_touch", r.first_touch);
  a("sweep", r.sweep);
  a("halo", r.halo);
  a.optional("halo_library", r.halo_library);
  a.optional("division", r.division);
  a("fma", r.fma);
  describe(a, static_cast<GridRun&>(r));
  a("verified", r.verified);
  a("options", r.options);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
  a.optional("mflops_spread", r.mflops_spread);
}

void add_rates(GridRun& run, const SweepCost& of_sweep, const std::vector<double>& sweep_seconds,
               const Limits& limits) {
  const auto sweeps = static_cast<double>(sweep_seconds.size());
  run.iterations = static_cast<std::int64_t>(sweep_seconds.size());
  run.mflops = of_sweep.flops * sweeps / run.solve_seconds * mega;
  run.mflops_end_to_end = of_sweep.flops * sweeps / run.total_seconds * mega;
  const double bandwidth = of_sweep.bytes * sweeps / run.solve_seconds;
  run.bandwidth_gbs = bandwidth * giga;
  const auto limit_of = [&](const Limit& limit) {
    const double rate = limit.bytes_per_second;
    GridRun::Limit out{.kind = limit.kind,
                       .gbs = rate * giga,
                       .mflops = of_sweep.flops / (of_sweep.bytes / rate) * mega,
                       .fraction = bandwidth / rate,
                       .samples_gbs = limit.samples,
                       .disturbed = limit.disturbed};
    for (double& sample : out.samples_gbs) sample *= giga;
    return out;
  };
  run.limit = limit_of(limits.memory);
  if (limits.reads) run.read_limit = limit_of(*limits.reads);
  run.energy.divide(sweeps, of_sweep.flops);
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
  result.own_seconds = result.seconds_of_rank;
  result.extents = plan.options.extents;
  result.ranks = plan.part.ranks;
  result.first_touch = name(plan.placement.first_touch);
  result.halo = plan.part.alone() ? "none" : name(plan.halo);
  result.fma = plan.fma();
  if (result.halo == name(MessagePath::Nccl)) result.halo_library = gpu_exchange_library();
  if (!plan.division.empty()) result.division = plan.division;
}

}  // namespace memstencil
