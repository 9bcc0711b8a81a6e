// Pins the model of himeno: hand-computed times, and the H100 of docs/lab/ within stated errors.
#include "app/compare/model/himeno_model.hpp"
#include "tests/app/compare/model/model_checks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memstencil::model {
namespace {

HimenoCase grid(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t iterations,
                int fused = 1) {
  HimenoCase run;
  run.extents = {i, j, k};
  run.points = static_cast<double>((i - 2) * (j - 2) * (k - 2));
  run.iterations = iterations;
  run.fused = fused;
  return run;
}

HimenoCase in(MemorySpace space, HimenoCase run) {
  run.p = run.coefficients = space;
  return run;
}

HimenoCase touched_by_host(HimenoCase run) {
  run.access.first_touch = Executor::Host;
  return run;
}

HimenoCase size_m(std::int64_t iterations, int fused = 1) {
  return grid(128, 128, 256, iterations, fused);
}
HimenoCase size_l(std::int64_t iterations, int fused = 1) {
  return grid(256, 256, 512, iterations, fused);
}
HimenoCase size_xl(std::int64_t iterations, int fused = 1) {
  return grid(512, 512, 1024, iterations, fused);
}

double sweep(const HimenoCase& run, const MachineRates& rates = assumed_rates()) {
  return predict_sweeps(run, rates).back().total();
}

HimenoCase million_points() {
  HimenoCase run = grid(34, 34, 1026, 1);
  run.points = 1e6;
  return run;
}

TEST(AccessPath, OfSystemMemoryNeedsAddressTranslation) {
  for (const MemorySpace space : all_memory_spaces) {
    EXPECT_TRUE(gpu_reaches(space, {.kind = "ATS"})) << name(space);
    EXPECT_TRUE(gpu_reaches(space, {.kind = "HMM"})) << name(space);
    EXPECT_EQ(gpu_reaches(space, {.kind = "none"}), space != MemorySpace::SystemAllocated)
        << name(space);
  }
}

TEST(AccessPath, OfSystemMemoryIsTheLinkWhereTheGpusMemoryIsNoNode) {
  const Translation cdmm{.kind = "ATS", .gpu_node = false};
  for (const Executor first : all_executors)
    for (const bool prefetch : {false, true}) {
      const Access access{Executor::Device, first, prefetch};
      EXPECT_EQ(access_path(MemorySpace::SystemAllocated, access, cdmm), AccessPath::Link);
    }
  const Access far{Executor::Device, Executor::Host, false};
  EXPECT_EQ(access_path(MemorySpace::Managed, far, cdmm), AccessPath::Faults);
  EXPECT_EQ(access_path(MemorySpace::SystemAllocated, far, {.kind = "ATS"}), AccessPath::Link)
      << "access counters are off";
  EXPECT_EQ(access_path(MemorySpace::SystemAllocated, far, {.kind = "ATS", .counters = true}),
            AccessPath::Counters);
}

TEST(HimenoModel, ASweepInDeviceMemoryMoves56BytesAPointAt95PercentOfACopy) {
  EXPECT_NEAR(sweep(million_points(), round_rates()), 56e6 / 95e9 + 15e-6, 1e-9);
}

TEST(HimenoModel, ASweepOverALinkReadsCoefficientsOnceAndPForEachTile) {
  EXPECT_NEAR(sweep(in(MemorySpace::HostPinned, million_points()), round_rates()),
              59.2e6 / 94e9 + 15e-6, 1e-9);
}

TEST(HimenoModel, WithPInDeviceMemoryOnlyCoefficientsCrossTheLink) {
  HimenoCase run = million_points();
  run.coefficients = MemorySpace::HostPinned;
  EXPECT_NEAR(sweep(run, round_rates()), 48e6 / 94e9 + 15e-6, 1e-9);
}

TEST(HimenoModel, PagesOfTheHostMoveInTheFirstSweepAlone) {
  const HimenoCase run = touched_by_host(in(MemorySpace::Managed, grid(34, 34, 1024, 3)));
  const auto sweeps = predict_sweeps(run, round_rates());
  const double bytes = 14.0 * 34 * 34 * 1024 * 4;
  EXPECT_NEAR(sweeps[0][Cause::Migration], bytes / 57e9, 1e-9);
  EXPECT_EQ(sweeps[1][Cause::Migration], 0.0);
  EXPECT_EQ(predict_sweeps(in(MemorySpace::Managed, grid(34, 34, 1024, 3)),
                           round_rates())[0][Cause::Migration],
            0.0);
}

TEST(HimenoModel, PagesThatMovedInTheRehearsalDoNotMoveInTheTimedSweeps) {
  HimenoCase run = touched_by_host(in(MemorySpace::Managed, grid(34, 34, 1024, 3)));
  run.rehearsal = 3;
  const auto sweeps = predict_sweeps(run, round_rates());
  EXPECT_EQ(sweeps.size(), 3);
  EXPECT_EQ(sweeps[0][Cause::Migration], 0.0);
}

TEST(HimenoModel, PrefetchedPagesMoveInTheUpload) {
  HimenoCase run = touched_by_host(in(MemorySpace::Managed, grid(34, 34, 1024, 3)));
  run.access.prefetch = true;
  const Prediction prediction = predict(run, round_rates());
  EXPECT_NEAR(phase(prediction, "upload"), 14.0 * 34 * 34 * 1024 * 4 / 100e9, 1e-9);
  EXPECT_EQ(prediction.sweeps[0][Cause::Migration], 0.0);
}

TEST(HimenoModel, PagesPrefetchedBeforeTheirFirstTouchAreMadeInTheUpload) {
  HimenoCase run = in(MemorySpace::Managed, grid(34, 34, 1024, 3));
  const double bytes = 14.0 * 34 * 34 * 1024 * 4;
  MachineRates rates = round_rates();
  rates.costs[{MemoryOperation::PrefetchToDevice, MemorySpace::Managed}].value = 0.1 / giga;
  EXPECT_EQ(phase(predict(run, rates), "upload"), 0.0);
  const double touched = phase(predict(run, rates), "initialise");
  run.access.prefetch = true;
  const Prediction prediction = predict(run, rates);
  EXPECT_NEAR(phase(prediction, "upload"), 0.1 * bytes / giga, 1e-9);
  EXPECT_NEAR(touched - phase(prediction, "initialise"), bytes / giga, 1e-9);
}

TEST(HimenoModel, FusedSweepsTakeTheKernelsStepsHoweverFastTheMemory) {
  // M by T = 3: 11 x 5 tiles of 16 x 64 points, 12 x 56 apart, in two chunks of 63 planes, so 110
  // blocks on 132 multiprocessors: 63 + 8 steps.
  MachineRates rates = round_rates();
  rates.rates[Rate::DeviceCopy].value = 1e15;
  rates.multiprocessors = 132;
  EXPECT_NEAR(sweep(size_m(3, 3), rates), (71 * 1.13e-6 + 5e-6) / 3, 1e-9);
  // Half as many take two waves of whole tiles at least.
  rates.multiprocessors = 28;
  EXPECT_NEAR(sweep(size_m(3, 3), rates), (2 * (126 + 8) * 1.13e-6 + 5e-6) / 3, 1e-9);
}

TEST(HimenoModel, ManagedArraysBeyondTheGpusMemoryMoveInEverySweepAndAreMarked) {
  MachineRates rates = round_rates();
  rates.device_bytes = 1e6;
  const HimenoCase run = in(MemorySpace::Managed, grid(34, 34, 1024, 3));
  const Prediction prediction = predict(run, rates);
  EXPECT_GT(prediction.sweeps.back()[Cause::Migration], 0.0);
  ASSERT_EQ(prediction.notes.size(), 1U);
  EXPECT_NE(prediction.notes[0].find("oversubscribed"), std::string::npos);
  EXPECT_TRUE(predict(in(MemorySpace::HostPinned, run), rates).notes.empty());
}

TEST(HimenoModel, SweepsLeftOverByFusedPassesAreSingle) {
  const auto sweeps = predict_sweeps(grid(34, 34, 1024, 5, 3), round_rates());
  ASSERT_EQ(sweeps.size(), 5);
  EXPECT_EQ(sweeps[0].total(), sweeps[2].total());
  EXPECT_GT(sweeps[3].total(), sweeps[2].total());
}

TEST(HimenoModel, DeviceMemoryIsFilledThroughAStagingBufferWhereTheHostTouchesFirst) {
  const HimenoCase run = grid(34, 34, 1024, 1);
  const double array = 34.0 * 34 * 1024 * 4;
  const Prediction prediction = predict(touched_by_host(run), round_rates());
  EXPECT_NEAR(phase(prediction, "upload"), 14 * array / 100e9, 1e-9);
  EXPECT_NEAR(phase(prediction, "download"), array / 100e9, 1e-9);
  EXPECT_NEAR(phase(prediction, "allocate"), 15 * array / 1e9 + 15 * 25e-6, 1e-9);
  EXPECT_EQ(phase(predict(run, round_rates()), "upload"), 0.0);
}

TEST(HimenoModel, WhatTheDeviceTouchedFirstIsReadBackThroughPageableMemory) {
  const HimenoCase run = grid(34, 34, 1024, 1);
  const double array = 34.0 * 34 * 1024 * 4;
  MachineRates rates = round_rates();
  rates.rates[Rate::LinkToPageable].value = 10 * giga;
  rates.costs[{MemoryOperation::Allocate, MemorySpace::HostPinned}].value = 1.0;
  const Prediction prediction = predict(run, rates);
  // The copy alone: its pages are made before the clock starts.
  EXPECT_NEAR(phase(prediction, "download"), array / (10 * giga), 1e-9);
  EXPECT_NEAR(phase(prediction, "allocate"), 15 * array / giga + 15 * 25e-6, 1e-9);
}

TEST(HimenoModel, TheHostReadsTheResultInEveryMemory) {
  MachineRates rates = round_rates();
  rates.rates[Rate::FaultsToHost].value = 10 * giga;
  rates.rates[Rate::LinkToHost].value = 20 * giga;
  rates.rates[Rate::HostCopy].value = 40 * giga;
  const HimenoCase run = grid(34, 34, 1024, 1);
  const double array = 34.0 * 34 * 1024 * 4;
  const auto seconds = [&](const HimenoCase& of) { return phase(predict(of, rates), "download"); };
  EXPECT_NEAR(seconds(in(MemorySpace::Managed, run)), array / (10 * giga), 1e-9);
  EXPECT_NEAR(seconds(in(MemorySpace::HostPinned, run)), array / (40 * giga), 1e-9);
  HimenoCase prefetched = in(MemorySpace::Managed, run);
  prefetched.access.prefetch = true;
  EXPECT_NEAR(seconds(prefetched), array / (20 * giga), 1e-9);
  rates.translation->kind = "ATS";
  EXPECT_NEAR(seconds(in(MemorySpace::SystemAllocated, run)), array / (20 * giga), 1e-9);
}

TEST(HimenoModel, TheReleaseOfManagedPagesCostsByWhoMadeThem) {
  MachineRates rates = round_rates();
  rates.costs[{MemoryOperation::FreeFilledByDevice, MemorySpace::Managed}].value = 0.5 / giga;
  const HimenoCase run = in(MemorySpace::Managed, grid(34, 34, 1024, 1));
  const double bytes = 14.0 * 34 * 34 * 1024 * 4;
  EXPECT_NEAR(phase(predict(run, rates), "free"), 0.5 * bytes / giga + 14 * 25e-6, 1e-9);
  EXPECT_NEAR(phase(predict(touched_by_host(run), rates), "free"), bytes / giga + 14 * 25e-6, 1e-9);
}

TEST(HimenoModel, PhasesAddUpToTheTotalAndCausesToo) {
  const Prediction prediction =
      predict(touched_by_host(in(MemorySpace::Managed, size_m(10))), assumed_rates());
  double phases = 0.0;
  for (const PhasePrediction& each : prediction.phases) phases += each.time.total();
  EXPECT_NEAR(prediction.total(), phases, 1e-12);
  double causes = 0.0;
  for (const auto& [name, seconds] : prediction.seconds_by_cause()) causes += seconds;
  EXPECT_NEAR(causes, phases, 1e-12);
}

TEST(HimenoModel, OnAHostAllArraysAreNear) {
  HimenoCase run = in(MemorySpace::SystemAllocated, million_points());
  run.access = {Executor::Host, Executor::Host, false};
  const auto sweeps = predict_sweeps(run, round_rates());
  EXPECT_GT(sweeps[0][Cause::HostMemory], 0.0);
  EXPECT_EQ(sweeps[0][Cause::Link] + sweeps[0][Cause::DeviceMemory] + sweeps[0][Cause::Migration],
            0.0);
}

// docs/lab/gpu-sweeps.md and docs/lab/placement-behind-pcie.md: one H100 over PCIe, 2026-11-22.

TEST(HimenoModelOnTheH100, SweepsInDeviceMemory) {
  expect_within(0.05, sweep(size_xl(3)), 5.248e-3);
  expect_within(0.05, sweep(size_l(3)), 652e-6);
  expect_within(0.10, sweep(size_m(3)), 98.9e-6);
}

// docs/lab/gpu-sweeps.md, himeno in one call, 2026-11-24. The factors are those of the H200.

TEST(HimenoModelOnTheH100, FusedSweepsInDeviceMemory) {
  expect_within(0.05, sweep(size_xl(4, 2)), 2.837e-3);
  expect_within(0.05, sweep(size_xl(3, 3)), 1.942e-3);
  expect_within(0.05, sweep(size_xl(4, 4)), 1.724e-3);
  expect_within(0.06, sweep(size_l(3, 3)), 239.3e-6);
  expect_within(0.07, sweep(size_l(4, 4)), 213.4e-6);
}

// docs/lab/l2-halves.md, himeno in one call, 2026-11-22.

TEST(HimenoModelOnTheH200, FusedSweepsInDeviceMemory) {
  MachineRates rates = assumed_rates();
  rates.rates[Rate::DeviceCopy].value = 4272 * giga;
  expect_within(0.05, sweep(size_xl(4, 2), rates), 1.960e-3);
  expect_within(0.03, sweep(size_xl(3, 3), rates), 1.442e-3);
  expect_within(0.03, sweep(size_xl(4, 4), rates), 1.666e-3);
  expect_within(0.05, sweep(size_l(2, 2), rates), 243e-6);
  expect_within(0.05, sweep(size_l(3, 3), rates), 175.5e-6);
  expect_within(0.05, sweep(size_l(4, 4), rates), 209.9e-6);
  expect_within(0.06, sweep(size_m(2, 2), rates), 39.1e-6);
  expect_within(0.06, sweep(size_m(3, 3), rates), 28.4e-6);
  expect_within(0.06, sweep(size_m(4, 4), rates), 37.2e-6);
}

TEST(HimenoModelOnTheH100, SweepsOverTheLink) {
  const auto pinned = [](const HimenoCase& run) { return sweep(in(MemorySpace::HostPinned, run)); };
  // 320 to 347 ms at XL in five runs.
  expect_within(0.06, pinned(size_xl(3)), 332e-3);
  expect_within(0.06, pinned(size_l(3)), 39.5e-3);
  expect_within(0.06, pinned(size_m(3)), 4.82e-3);
}

TEST(HimenoModelOnTheH100, StreamedSweepsOverTheLink) {
  const auto streamed = [](int fused, std::int64_t planes) {
    HimenoCase run = in(MemorySpace::HostPinned, size_xl(fused, fused));
    run.slab_planes = planes;
    return sweep(run);
  };
  expect_within(0.06, streamed(2, 344), 141.9e-3);
  expect_within(0.06, streamed(3, 342), 94.4e-3);
  expect_within(0.10, streamed(8, 332), 39.3e-3);  // 37.4 and 41.3
}

TEST(HimenoModelOnTheH100, MigrationOfWhatTheHostTouchedFirst) {
  const auto first = [](const HimenoCase& run) {
    return predict_sweeps(touched_by_host(in(MemorySpace::Managed, run)), assumed_rates())
        .front()
        .total();
  };
  expect_within(0.10, first(size_l(20)), 342e-3);
  expect_within(0.15, first(size_m(20)), 46.7e-3);
  const HimenoCase prefetched = [] {
    HimenoCase run = touched_by_host(in(MemorySpace::Managed, size_l(20)));
    run.access.prefetch = true;
    return run;
  }();
  expect_within(0.10, phase(predict(prefetched, assumed_rates()), "upload"), 44.8e-3);
}

TEST(HimenoModelOnTheH100, AllocationAndFirstTouch) {
  const auto of = [](const HimenoCase& run, const char* name) {
    return phase(predict(run, assumed_rates()), name);
  };
  // Pinning memory took 6.4 to 9.3 s at XL in nine runs.
  expect_within(0.20, of(in(MemorySpace::HostPinned, size_xl(1)), "allocate"), 7.7);
  expect_within(0.15, of(in(MemorySpace::Managed, size_xl(1)), "allocate"), 0.33e-3);
  expect_within(0.15, of(size_xl(1), "initialise"), 6.98e-3);
}

TEST(HimenoModelOnTheH100, ManagedMemoryPrefetchedBeforeItIsTouched) {
  HimenoCase run = in(MemorySpace::Managed, size_xl(100));
  run.access.prefetch = true;
  expect_within(0.15, predict(run, assumed_rates()).total(), 0.659);
}

/// A run at XL of single sweeps with the phases that it was measured to take.
struct MeasuredRun {
  MemorySpace space;
  Executor first_touch;
  std::int64_t sweeps;
  double seconds;  ///< of all phases
};

TEST(HimenoModelOnTheH100, TotalTimeOfWholeRunsAtXL) {
  const std::vector<MeasuredRun> runs{{MemorySpace::Device, Executor::Host, 60, 1.981},
                                      {MemorySpace::Device, Executor::Device, 100, 0.668},
                                      {MemorySpace::Managed, Executor::Host, 60, 3.660},
                                      {MemorySpace::Managed, Executor::Device, 60, 1.520},
                                      {MemorySpace::HostPinned, Executor::Host, 8, 13.32},
                                      {MemorySpace::HostPinned, Executor::Device, 12, 14.90}};
  for (const MeasuredRun& measured : runs) {
    HimenoCase run = in(measured.space, size_xl(measured.sweeps));
    run.access.first_touch = measured.first_touch;
    expect_within(0.15, predict(run, assumed_rates()).total(), measured.seconds);
  }
}

}  // namespace
}  // namespace memstencil::model
