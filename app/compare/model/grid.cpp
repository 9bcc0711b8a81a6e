// The model of grid codes: their phases, predicted from the rates of a machine.
#include "app/compare/model/grid.hpp"

#include "app/compare/model/ranks.hpp"
#include "kernels/grid/grid.hpp"

namespace memstencil::compare::model {

namespace {

/// Fetching the residuals of all sweeps and adding them up: a copy and its wait.
constexpr double reduce_seconds = 30e-6;

}  // namespace

double GridCase::array_bytes() const {
  return static_cast<double>(extents[0]) * static_cast<double>(extents[1]) *
         static_cast<double>(row_pitch(extents[2])) * stencil.element_bytes;
}

GridCase grid_case(const Stencil& stencil, const Triple& extents) {
  GridCase run{.stencil = stencil, .extents = extents, .points = 1, .access = {}};
  for (const std::int64_t extent : extents) run.points *= static_cast<double>(extent - 2);
  return run;
}

double flops_of_sweep(const Stencil& stencil, const Triple& extents) {
  double flops = stencil.flops;
  for (const std::int64_t extent : extents)
    flops *= static_cast<double>(extent - stencil.uncounted);
  return flops;
}

Prediction predict(const GridCase& run, const MachineRates& rates) {
  const Arrays arrays{.space = run.space,
                      .count = run.stencil.arrays(),
                      .bytes = run.bytes(),
                      .largest = run.array_bytes(),
                      .result_bytes = run.array_bytes(),
                      .host_fill = host_fill / run.host_threads};
  Prediction out{.phases = phases_before(arrays, run.access, rates)};
  out.phases.push_back(phase("sweeps", [&] {
    out.steps = predict_sweeps(run, rates);
    return out.steps.sum();
  }));
  if (run.ranks)
    out.phases.push_back(
        phase("halo", [&] { return TimeByCause(Cause::Messages, halo_seconds(run, rates)); }));
  out.phases.push_back({"reduce", {Cause::Launch, reduce_seconds}});
  for (const Phase& each : phases_after(arrays, run.access, rates)) out.phases.push_back(each);
  return out;
}

}  // namespace memstencil::compare::model
