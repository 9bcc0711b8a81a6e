// Pins the rates that a grid code's run is said to reach, from numbers of each kind.
#include "app/grid/record.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace memstencil {
namespace {

GridRun rated() {
  GridRun run;
  run.solve_seconds = 2;
  run.total_seconds = 5;
  run.energy = Energy{.seconds = 2, .left_out = {}, .gpus = Energy::Gpus{}};
  run.energy->gpus->joules = 100;
  add_rates(run, {.bytes = 3e9, .flops = 5e9}, {0.5, 0.2, 0.3, 0.4}, {"copy", {7, 8, 7.5}});
  return run;
}

TEST(GridRates, AreOfAllSweepsOverTheTimeOfTheRunOrOfAllPhasesInTheirUnits) {
  const GridRun run = rated();
  EXPECT_EQ(run.iterations, 4);
  for (const auto& [got, want] : std::vector<std::pair<double, double>>{
           {run.mflops, 4 * 5e3 / 2},
           {run.mflops_end_to_end, 4 * 5e3 / 5},
           {run.bandwidth_gbs, 4 * 3. / 2},
           {run.limit.gbs, 8.},
           {run.limit.mflops, 8 / 3. * 5e3},
           {run.limit.fraction, 6. / 8},
           {run.limit.samples_gbs.at(0), 7.},
           {run.sweep_seconds.spread.median, 0.35},
           {run.sweep_seconds.spread.minimum, 0.2},
           {run.sweep_seconds.spread.maximum, 0.5},
           {run.sweep_seconds.first, 0.5},
           {run.sweep_seconds.last, 0.4},
           {run.energy->gpus->joules_per_iteration.value(), 25.},
           {run.energy->gpus->gflops_per_watt.value(), 4 * 5. / 100}})
    EXPECT_DOUBLE_EQ(got, want);
}

}  // namespace
}  // namespace memstencil
