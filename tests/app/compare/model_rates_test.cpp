// What the model starts from: rates that were measured or described, the paths of a memory, and
// steps that are alike.
#include "app/compare/predict/applications.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare::model {
namespace {

TEST(ModelRates, RatesAreReadFromTheRowsOfMembench) {
  const MachineRates rates = probed_rates(run("a.h5", membench(one, 55)));
  EXPECT_DOUBLE_EQ(rates["link_to_device"], 55 * giga);
  EXPECT_THROW(rates["link_to_host"], Missing);
  EXPECT_EQ(rates.multiprocessors, 132);
}

TEST(ModelRates, ADescriptionsFiguresAreInGigabytesASecondAndALinkBothWaysIsPartOfItsSum) {
  MachineDescription machine;
  machine.figures["device_memory"] = {.gbs = 1000, .measured = false, .source = "s"};
  machine.figures["host_memory"] = {.gbs = 200, .measured = true, .source = "s"};
  machine.parameters["prefetch_gbs"] = {.value = 40.0, .source = "s"};
  machine.figures["link_host_to_device"] = {.gbs = 100, .measured = false, .source = "s"};
  machine.figures["link_device_to_host"] = {.gbs = 50, .measured = false, .source = "s"};
  machine.figures["between_gpus"] = {.gbs = 400, .measured = true, .source = "s"};
  machine.parameters["fault_migration_gbs"] = {.value = 9.0, .source = "s"};
  machine.parameters["fault_migration_back_gbs"] = {.value = 32.0, .source = "s"};
  const MachineRates rates = described_rates(machine);
  EXPECT_DOUBLE_EQ(rates["link_both_ways"], 0.75 * 0.88 * 150e9);
  EXPECT_DOUBLE_EQ(rates.paths.at({"", false}).rate, 400e9);
  EXPECT_DOUBLE_EQ(rates["faults_to_device"], 9e9);
  EXPECT_DOUBLE_EQ(rates["faults_to_host"], 32e9);
  EXPECT_DOUBLE_EQ(rates["device_copy"], 880e9);
  EXPECT_DOUBLE_EQ(rates["host_copy"], 200e9);
  EXPECT_DOUBLE_EQ(rates["prefetch_to_device"], 40e9);
}

TEST(ModelRates, ARangeIsADataSheetsAMeasuredFiguresOrAnAssumptions) {
  MachineDescription machine;
  machine.figures["device_memory"] = {.gbs = 1000, .measured = false, .source = "s"};
  machine.figures["network"] = {.gbs = 100, .measured = false, .source = "s"};
  machine.measured["host_memory"] = {
      .gbs = 320, .measured = true, .source = "s", .spread = std::array{310., 350.}};
  machine.measured["link_host_to_device"] = {.gbs = 50, .measured = true, .source = "s"};
  machine.parameters["prefetch_gbs"] = {.value = 40.0, .source = "supposed: s"};
  MachineRates assumed{.assumed = "a"};
  assumed.rates["link_to_host"] = {30 * giga, assumed_source};
  assumed.rates["device_copy"] = {7 * giga, assumed_source};
  assumed.costs[{"free", MemorySpace::Device}] = {1e-6, 1e-9};
  assumed.paths[{"", true}] = {.latency = 1e-6, .rate = 1 * giga};
  const Ends ends = ends_of(machine, assumed);
  const auto expect = [&](double usual, double fast, double slow, const auto& figure) {
    EXPECT_DOUBLE_EQ(figure(ends[0]), usual);
    EXPECT_DOUBLE_EQ(figure(ends[1]), fast);
    EXPECT_DOUBLE_EQ(figure(ends[2]), slow);
  };
  const auto rate = [](const char* of) {
    return [of](const MachineRates& rates) { return rates[of] / giga; };
  };
  expect(880, 950, 800, rate("device_copy"));
  expect(320, 350, 310, rate("host_copy"));
  expect(50, 52.5, 47.5, rate("link_to_device"));
  expect(40, 80, 20, rate("prefetch_to_device"));
  expect(30, 60, 15, rate("link_to_host"));
  expect(88, 95, 80, [](const auto& rates) { return rates.paths.at({"", true}).rate / giga; });
  expect(1e-6, 0.5e-6, 2e-6, [](const auto& rates) { return rates.paths.at({"", true}).latency; });
  expect(1e-9, 0.5e-9, 2e-9,
         [](const auto& rates) { return rates.cost("free", MemorySpace::Device).a_byte; });
}

TEST(ModelRates, AMeasuredCopyEngineSaysNothingOfKernels) {
  MachineDescription machine;
  machine.measured["link_host_to_device"] = {.gbs = 50, .measured = true, .source = "s"};
  EXPECT_DOUBLE_EQ(described_rates(machine)["link_to_device"], 50e9);
  EXPECT_THROW(described_rates(machine)["device_reads_host"], Missing);
  machine.figures["link_host_to_device"] = {.gbs = 64, .measured = false, .source = "s"};
  EXPECT_DOUBLE_EQ(described_rates(machine)["device_reads_host"], 0.88 * 64e9);
  machine.measured["kernel_reads_host"] = {.gbs = 55, .measured = true, .source = "s"};
  EXPECT_DOUBLE_EQ(described_rates(machine)["device_reads_host"], 55e9);
}

TEST(ModelRates, StepsKeepAlikeOnesOnce) {
  Steps steps;
  steps.add({Cause::Link, 1.0}, 1);
  steps.add({Cause::Link, 2.0}, 1'000'000'000);
  EXPECT_EQ(steps.size(), 1'000'000'001);
  EXPECT_EQ(steps.median(), 2.0);
  EXPECT_EQ(steps.sum().total(), 2'000'000'001.0);
}

TEST(ModelRates, SystemMemoryNeedsAddressTranslation) {
  EXPECT_TRUE(gpu_reaches(MemorySpace::SystemAllocated, {.kind = "ATS"}));
  EXPECT_TRUE(gpu_reaches(MemorySpace::SystemAllocated, {.kind = "HMM"}));
  EXPECT_FALSE(gpu_reaches(MemorySpace::SystemAllocated, {.kind = "none"}));
  const auto path = [](MemorySpace space, const Translation& translation) {
    return access_path({.space = space, .filled_by_host = true}, translation);
  };
  EXPECT_EQ(path(MemorySpace::SystemAllocated, {.kind = "ATS", .counters = true}),
            AccessPath::Counters);
  EXPECT_EQ(path(MemorySpace::SystemAllocated, {.kind = "ATS"}), AccessPath::Link);
  EXPECT_EQ(path(MemorySpace::Managed, {}), AccessPath::Faults);
}

}  // namespace
}  // namespace memstencil::compare::model
