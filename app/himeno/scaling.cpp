// The gain of several ranks: their speed beside that of one, and the time of the halo by cause.
#include "app/himeno/scaling.hpp"

#include "app/bench/placement_record.hpp"
#include "app/compare/model/himeno_model.hpp"
#include "app/himeno/result.hpp"
#include "kernels/jacobi/streamed_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace memstencil::himeno {

namespace {

/// The assumed rates, with the bandwidth that this run measured for one of its processors.
model::MachineRates rates_of(const Limit& limit, Executor executor, int processors) {
  using model::Rate;
  model::MachineRates measured;
  const model::Figure figure{limit.bytes_per_second / processors, "the limit of this run"};
  if (limit.kind == "link")
    measured.rates = {{Rate::LinkToDevice, figure}, {Rate::DeviceReadsHost, figure}};
  else
    measured.rates = {{executor == Executor::Device ? Rate::DeviceCopy : Rate::HostCopy, figure}};
  return model::overlay(model::assumed_rates(), measured);
}

/// The speed of packed coefficients over that of arrays on a GPU, by the sweeps of a pass
/// (docs/lab/gpu-sweeps.md, XL); the model knows arrays.
constexpr std::array packed_over_arrays{1.0, 0.88, 1.09, 1.09, 0.97};

/// Planes of a slab that one rank alone would stream: it has the window of all that share its GPU.
std::int64_t slab_planes(const Plan& plan) {
  const auto sharing = static_cast<std::size_t>(plan.placement.ranks_of_gpu);
  const Grid whole = subdomain(plan.options.extents, {1, 1, 1}, 0, 1, 1).grid;
  return std::max<std::int64_t>(
      1, jacobi::streamed_planes(whole, plan.sweep.sweeps, sharing * plan.window_bytes));
}

/// Seconds of a sweep of the whole grid by one rank, when pages have settled.
double one_rank(const Plan& plan, const Limit& limit, int processors) {
  const model::HimenoCase run = case_of_one_rank(plan);
  const Executor executor = plan.executor();
  const auto sweeps = model::predict_sweeps(run, rates_of(limit, executor, processors));
  const bool packed = plan.layout == jacobi::Layout::Packed && executor == Executor::Device &&
                      plan.window_bytes == 0;
  const auto fused = static_cast<std::size_t>(run.fused);
  return sweeps.back().total() /
         (packed && fused < packed_over_arrays.size() ? packed_over_arrays.at(fused) : 1.0);
}

/// Why several ranks are slow, after advice on them: what takes a tenth of the time or more. That
/// they share CPUs is added where all have told of theirs (Session).
std::string causes(const Plan& plan, const RunResult& r, const Scaling& s) {
  constexpr double worth_saying = 0.1;
  const double waiting = s.waiting_seconds / r.solve_seconds;
  const double transfer = s.transfer_seconds / r.solve_seconds;
  std::string out;
  if (waiting >= worth_saying)
    out += fmt::format("; {:.0f} % of the time is waiting for another rank", 100 * waiting);
  if (transfer >= worth_saying)
    out += fmt::format("; {:.0f} % of the time is messages, by path {}{}", 100 * transfer,
                       name(plan.halo),
                       plan.executor() == Executor::Device && plan.halo == MessagePath::Staged
                           ? " through the host's memory"
                           : "");
  return out;
}

}  // namespace

model::HimenoCase case_of_one_rank(const Plan& plan) {
  const Placement& placement = plan.placement;
  const bool streams = plan.window_bytes > 0 && plan.sweep.sweeps > 1;
  return {.extents = plan.options.extents,
          .points = updated_points(plan.options.extents),
          .iterations = 3L * plan.sweep.sweeps,
          .fused = plan.sweep.sweeps,
          .slab_planes = streams ? slab_planes(plan) : 0,
          .access = {placement.executor, placement.first_touch, placement.prefetch},
          .p = effective_space(plan.placement_of_p),
          .coefficients = effective_space(placement)};
}

Scaling scaling_of(const Plan& plan, const RunResult& r) {
  const double halo = r.phases.seconds("halo");
  const double alone = static_cast<double>(r.exchanges) * r.exchange_seconds;
  Scaling out;
  out.exchanges = r.exchanges;
  out.exchange_seconds = r.exchange_seconds;
  out.transfer_seconds = std::min(halo, alone);
  out.waiting_seconds = halo - out.transfer_seconds;
  out.hidden_seconds = r.edges_first ? alone - out.transfer_seconds : 0.0;
  out.edges_first = r.edges_first;
  if (r.edges_first && plan.sweep.sweeps > 1) out.edges_share = r.edges_share;
  out.processors = r.processors;
  out.one_rank_seconds = one_rank(plan, r.limit, r.processors);
  const double sweep = r.solve_seconds / static_cast<double>(r.sweep_seconds.size());
  out.speedup = out.one_rank_seconds / sweep;
  out.efficiency = out.speedup / r.processors;
  if (out.speedup < 1.0)
    out.advice = fmt::format(
        "{} ranks are slower here than one would be (by the model, {:.2f} of its speed): start "
        "one, or take a larger grid{}",
        plan.part.ranks[0] * plan.part.ranks[1] * plan.part.ranks[2], out.speedup,
        causes(plan, r, out));
  return out;
}

}  // namespace memstencil::himeno
