// Published figures of GH200, set beside what the model says of the description of Miyabi-G alone.
// Nobody of this project has measured on such a machine: the bounds are the errors that we state.
#include "app/common/machine/machine_description.hpp"
#include "app/model/himeno_model.hpp"
#include "app/model/rates_from_description.hpp"
#include "tests/app/model/model_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::model {
namespace {

constexpr Executor host = Executor::Host;
constexpr Executor device = Executor::Device;

MachineRates miyabi_g() {
  return overlay(assumed_rates(), rates_from_description(read_machine_description(
                                      MEMSTENCIL_INPUTS "/machines/miyabi-g.toml")));
}

HimenoCase thesis_run(MemorySpace space) {
  HimenoCase run;
  run.extents = {512, 512, 1024};
  run.points = 510.0 * 510 * 1022;
  run.iterations = 3000;
  run.access.first_touch = Executor::Host;
  run.p = run.coefficients = space;
  return run;
}

double seconds_of_sweeps(MemorySpace space) {
  return predict_sweeps(thesis_run(space), miyabi_g()).sum().total();
}

double gflops(double seconds) { return 34.0 * 509 * 509 * 1021 * 3000 / seconds / giga; }

double copy_by_host(Executor source, Executor destination, const MachineRates& rates) {
  const bool from_far = source == Executor::Device;
  const bool to_far = destination == Executor::Device;
  const double read = rates[Rate::LinkToHost];
  const double write = rates[Rate::LinkToDevice];
  if (from_far && to_far) return 1.0 / (1.0 / read + 1.0 / write);
  if (from_far || to_far) return from_far ? read : write;
  return rates[Rate::HostCopy] / 2;
}

double copy_by_device(Executor source, Executor destination, const MachineRates& rates) {
  const bool from_far = source == Executor::Host;
  const bool to_far = destination == Executor::Host;
  const double read = rates[Rate::DeviceReadsHost];
  const double write = rates[Rate::DeviceWritesHost];
  if (from_far && to_far) return std::min(rates[Rate::LinkBothWays], rates[Rate::HostCopy]) / 2;
  if (from_far || to_far) return from_far ? read : write;
  return rates[Rate::DeviceCopy] / 2;
}

/// Bytes a second, one way, from `source`'s memory to `destination`'s, by kernels or threads of
/// `by` ([tsukuba-thesis-2024], section 4.2.1), once no page moves any more. A memory serves reads
/// and writes one after the other, a link both ways at once, if not at the sum of their speeds; but
/// a host's cores, which wait for each access, take turns.
double copy_rate(Executor source, Executor destination, Executor by, const MachineRates& rates) {
  return by == Executor::Host ? copy_by_host(source, destination, rates)
                              : copy_by_device(source, destination, rates);
}

// [fusco-2024], copies by source, destination and processor, one way.

TEST(Published, HoppersCopiesOfFuscoEtAlWithin7Percent) {
  const MachineRates rates = miyabi_g();
  expect_within(0.07, copy_rate(host, host, device, rates), 236.9 * giga);
  expect_within(0.07, copy_rate(host, device, device, rates), 419.5 * giga);
  expect_within(0.07, copy_rate(device, host, device, rates), 374.3 * giga);
  expect_within(0.07, copy_rate(device, device, device, rates), 1727.3 * giga);
}

TEST(Published, GracesCopiesInItsOwnMemoryWithin5Percent) {
  expect_within(0.05, copy_rate(host, host, host, miyabi_g()), 216.5 * giga);
}

TEST(Published, GracesCopiesOverTheLinkAreSlowerThanItsDataSheetByAThirdOrMore) {
  // Published 282.8, 235.7 and 144.0: the cores, and not the link, bind them.
  const MachineRates rates = miyabi_g();
  EXPECT_NEAR(copy_rate(host, device, host, rates) / (282.8 * giga), 1.40, 0.02);
  EXPECT_NEAR(copy_rate(device, host, host, rates) / (235.7 * giga), 1.68, 0.02);
  EXPECT_NEAR(copy_rate(device, device, host, rates) / (144.0 * giga), 1.375, 0.02);
}

TEST(Published, GracesCopiesFollowFromItsReadsAndWritesWithin10Percent) {
  // [fusco-2024], read / write of Grace: DDR 403.6 / 463.8, HBM 238.4 / 287.2.
  MachineRates rates = miyabi_g();
  rates.rates[Rate::HostCopy].value = 2.0 / (1.0 / 403.6 + 1.0 / 463.8) * giga;
  rates.rates[Rate::LinkToHost].value = 238.4 * giga;
  rates.rates[Rate::LinkToDevice].value = 287.2 * giga;
  expect_within(0.02, copy_rate(host, host, host, rates), 216.5 * giga);
  expect_within(0.02, copy_rate(host, device, host, rates), 282.8 * giga);
  expect_within(0.02, copy_rate(device, host, host, rates), 235.7 * giga);
  expect_within(0.10, copy_rate(device, device, host, rates), 144.0 * giga);
}

// [tsukuba-thesis-2024], sections 5.2.1, 5.2.4 and 5.3.2.

TEST(Published, MemoryAndLinkOfTheThesis) {
  const MachineRates rates = miyabi_g();
  expect_within(0.11, rates[Rate::DeviceCopy], 3200 * giga);
  expect_within(0.05, rates[Rate::LinkToDevice], 410 * giga);
  // Device to host it measured 300 of 450: a data sheet does not tell this.
  EXPECT_NEAR(rates[Rate::LinkToHost] / (300 * giga), 1.32, 0.01);
}

TEST(Published, SystemMemoryHasMovedAfterTheFirst50To60Sweeps) {
  // The thesis supposes this (5.3.2), and the rate of the access counters is inferred from it: a
  // check of consistency.
  const auto sweeps = predict_sweeps(thesis_run(MemorySpace::SystemAllocated), miyabi_g());
  int far = 0;
  while (sweeps[far][Cause::Link] > 0.0) ++far;
  EXPECT_GE(far, 50);
  EXPECT_LE(far, 60);
  EXPECT_GT(sweeps[0].total(), 5 * sweeps[2999].total());
}

TEST(Published, SystemMemoryCostsAbout100GflopsAgainstDeviceMemoryOver3000Sweeps) {
  const double lost = gflops(seconds_of_sweeps(MemorySpace::Device)) -
                      gflops(seconds_of_sweeps(MemorySpace::SystemAllocated));
  expect_within(0.20, lost, 100);
}

TEST(Published, ManagedMemoryCostsMoreThanTheThesisSaysWhichIsNotReproduced) {
  // Published: 20 GFLOPS, less than system-allocated memory loses. No rate of faults over
  // NVLink-C2C has a source that can be looked up: the rate is an H100's behind PCIe.
  const double lost = gflops(seconds_of_sweeps(MemorySpace::Device)) -
                      gflops(seconds_of_sweeps(MemorySpace::Managed));
  EXPECT_GT(lost, 180);
  EXPECT_LT(lost, 230);
}

}  // namespace
}  // namespace memstencil::model
