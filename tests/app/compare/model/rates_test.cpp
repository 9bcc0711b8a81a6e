// Pins where rates come from: a membench record, a machine description,
// assumptions, and which one wins.
#include "app/compare/model/ranks_model.hpp"
#include "app/compare/model/rates_from_description.hpp"
#include "app/compare/model/rates_from_membench.hpp"
#include "tests/app/base/refusal.hpp"

#include <gtest/gtest.h>

namespace memstencil::model {
namespace {

using probed::MeasurementRecord;
using probed::ProbeRecord;

MeasurementRecord measurement(const Record& parameters, double median,
                              const std::vector<double>& samples = {}) {
  MeasurementRecord m;
  m.name = "a name";
  m.parameters = parameters;
  m.spread.median = median;
  m.samples = samples;
  return m;
}

MeasurementRecord link(const char* direction, const char* by, double bytes, double median) {
  return measurement({{"direction", direction}, {"memory", "pinned"}, {"by", by}, {"bytes", bytes}},
                     median);
}

ProbeRecord probe(const std::string& name, const std::vector<MeasurementRecord>& measurements) {
  ProbeRecord probe;
  probe.identity.name = name;
  probe.measurements = measurements;
  return probe;
}

probed::Result run_with(const std::vector<ProbeRecord>& probes) {
  probed::Result run;
  run.probes = probes;
  run.machine.cpu.model = "Xeon";
  run.machine.gpu = MachineFacts::Gpu{};  // Clang 16 knows no emplace() of this nested class
  MachineFacts::Gpu& gpu = *run.machine.gpu;
  gpu.name = "H100";
  gpu.address_translation = "none";
  gpu.memory_bytes = 80'000'000'000;
  gpu.multiprocessors = 132;
  return run;
}

ProbeRecord migration_probe() {
  const Record system{
      {"memory", "system"}, {"mode", "plain"}, {"phase", "device 1"}, {"bytes", 1e9}};
  const Record managed{
      {"memory", "managed"}, {"mode", "plain"}, {"phase", "device 1"}, {"bytes", 1e9}};
  ProbeRecord migration =
      probe("migration",
            {measurement(system, 2000, {200, 200, 400, 2000, 2000}), measurement(managed, 2000)});
  Record& derived = migration.derived["1000000000 bytes"];
  derived["system"]["plain"]["device 1"]["steady_repeat"] = 4;
  Record& movement = derived["managed"]["movement"];
  movement["HtoD by fault, device 1, one way GB/s"] = 9.5;
  movement["DtoH by fault, host, one way GB/s"] = nullptr;
  movement["HtoD by prefetch, device 1, one way GB/s"] = 42.0;
  return migration;
}

TEST(RatesFromMembench, TakesTheMedianOfTheLargestSize) {
  const MachineRates rates = rates_from_membench(run_with({probe(
      "link", {link("HtoD", "copy engine", 1e6, 20.0), link("HtoD", "copy engine", 1e9, 55.0),
               link("HtoD", "copy engine", 1e3, 1.0), link("HtoD", "kernel", 1e9, 50.0)})}));
  EXPECT_EQ(rates[Rate::LinkToDevice], 55.0 * giga);
  EXPECT_EQ(rates[Rate::DeviceReadsHost], 50.0 * giga);
  EXPECT_EQ(rates.rates.count(Rate::LinkToHost), 0U);
  EXPECT_EQ(rates.device_bytes, 80e9);
}

TEST(RatesFromMembench, TakesTheFillByTheDeviceAndWhereOlderResultsHaveNoneTheTouch) {
  const auto cost = [](const std::string& act, double value) {
    return measurement(
        {{"memspace", "managed"}, {"pages", "default"}, {"act", act}, {"bytes", 1e8}}, value);
  };
  ProbeRecord pages = probe("pages", {cost("first touch by device", 0.1)});
  const auto fill = std::pair(MemoryOperation::FillByDevice, MemorySpace::Managed);
  EXPECT_DOUBLE_EQ(rates_from_membench(run_with({pages})).costs.at(fill).value, 0.1 / giga);
  pages.measurements.push_back(cost("first fill by device", 0.06));
  EXPECT_DOUBLE_EQ(rates_from_membench(run_with({pages})).costs.at(fill).value, 0.06 / giga);
}

TEST(RatesFromMembench, TakesMigrationOneWayAndLeavesOutWhatHasNoRate) {
  const MachineRates rates = rates_from_membench(run_with({migration_probe()}));
  EXPECT_EQ(rates[Rate::FaultsToDevice], 9.5 * giga);
  EXPECT_EQ(rates[Rate::PrefetchToDevice], 42.0 * giga);
  EXPECT_EQ(rates.rates.count(Rate::FaultsToHost), 0U);
  // 1 GB moved during repeats of 10, 10 and 5 ms.
  EXPECT_NEAR(rates[Rate::CounterMigration], 1e9 / 25e-3, 1.0);
}

TEST(RatesFromMembench, RefusesAProbeOrAMachineThatLacksWhatIsNeeded) {
  const auto refused = [](const probed::Result& run) {
    return refusal(ExitCode::Other, [&] { rates_from_membench(run); });
  };
  ProbeRecord damaged = migration_probe();
  damaged.derived = Record::object();
  EXPECT_EQ(refused(run_with({damaged})),
            "the probe 'migration' has no 'derived.1000000000 bytes'");
  damaged = migration_probe();
  damaged.measurements[0].parameters.erase("bytes");
  EXPECT_EQ(refused(run_with({damaged})), "'a name' has no number of bytes among its parameters");
  damaged = migration_probe();
  damaged.measurements[0].samples.resize(2);
  EXPECT_EQ(refused(run_with({damaged})), "'a name' is steady after its last sample");
  probed::Result run = run_with({});
  run.machine.gpu->multiprocessors.reset();
  EXPECT_EQ(refused(run), "'machine.gpu.multiprocessors' is missing");
}

TEST(RatesFromMembench, LeavesOutSkippedProbes) {
  ProbeRecord skipped = probe("link", {link("HtoD", "kernel", 1e9, 50.0)});
  skipped.skipped = "no GPU";
  EXPECT_TRUE(rates_from_membench(run_with({skipped})).rates.empty());
}

TEST(Rates, TheUpperSetWinsAndTheLowerFillsIn) {
  MachineRates upper{.origin = "upper", .rates = {{Rate::HostCopy, {1.0, "measured"}}}};
  const MachineRates both = overlay(assumed_rates(), upper);
  EXPECT_EQ(both[Rate::HostCopy], 1.0);
  EXPECT_EQ(both[Rate::DeviceCopy], assumed_rates()[Rate::DeviceCopy]);
  EXPECT_EQ(both.origin, "upper");
}

TEST(Rates, AssumptionsAreCompleteAndSaySo) {
  const MachineRates rates = assumed_rates();
  for (const Rate rate : all_rates) EXPECT_GT(rates[rate], 0.0) << name(rate);
  for (const MemoryOperation operation : all_memory_operations)
    for (const MemorySpace space : all_memory_spaces) EXPECT_GE(rates.cost(operation, space), 0.0);
  for (const auto& [rate, figure] : rates.rates)
    EXPECT_TRUE(figure.source.starts_with("assumed")) << name(rate);
}

MachineDescription described() {
  MachineDescription machine{.name = "m", .title = "", .gpu = "", .figures = {}, .parameters = {}};
  machine.figures["device_memory"] = {.gbs = 1000, .measured = false, .source = "sheet"};
  machine.figures["host_memory"] = {.gbs = 282, .measured = true, .source = "table"};
  return machine;
}

TEST(RatesFromDescription, TakesTheoryByAFractionAndMeasurementsAsTheyAre) {
  const MachineRates rates = rates_from_description(described());
  EXPECT_NEAR(rates[Rate::DeviceCopy], 880 * giga, 1.0);
  EXPECT_EQ(rates[Rate::HostCopy], 282 * giga);
  EXPECT_NE(rates.rates.at(Rate::DeviceCopy).source.find("theory"), std::string::npos);
  EXPECT_EQ(rates.rates.size(), 2U);
}

TEST(RatesFromDescription, RefusesParametersOfAnotherKind) {
  MachineDescription machine = described();
  machine.parameters["prefetch_gbs"] = {.value = "fast", .source = ""};
  EXPECT_THROW(rates_from_description(machine), Failure);
  machine = described();
  machine.parameters["address_translation"] = {.value = "magic", .source = ""};
  EXPECT_THROW(rates_from_description(machine), Failure);
}

MeasurementRecord exchanged(const char* path, double bytes, double seconds, int nodes) {
  return measurement(
      {{"pattern", "neighbours"}, {"path", path}, {"bytes", bytes}, {"nodes", nodes}},
      1e-9 * bytes / seconds);
}

TEST(MessageRates, AreTheLatencyOfTheSmallestMessageAndTheRateOfTheLargestOfThoseAskedFor) {
  const auto of = [](int nodes, const char* path, bool between, double bytes = 5 << 20) {
    const auto run = run_with({probe(
        "exchange", {exchanged("nccl", 1024, 20e-6, nodes), exchanged("staged", 1024, 99e-6, nodes),
                     exchanged("nccl", 4 << 20, 61.94304e-6, nodes),
                     exchanged("nccl", 1 << 30, 20e-6 + (1 << 30) / 350e9, nodes)})});
    return measured_message_rates(rates_from_membench(run), {path, "neighbours", bytes}, between);
  };
  const auto one_node = of(1, "nccl", false);
  ASSERT_TRUE(one_node);
  EXPECT_NEAR(one_node->in_node.latency, 20e-6, 1e-12);
  EXPECT_NEAR(one_node->in_node.rate, 100e9, 1e4);
  EXPECT_NEAR(of(1, "nccl", false, 2e9)->in_node.rate, 350e9, 1e6);
  const MessageRates assumed = assumed_message_rates(Executor::Device);
  EXPECT_EQ(one_node->between_nodes.rate, assumed.between_nodes.rate);
  EXPECT_NEAR(of(2, "nccl", true)->between_nodes.rate, 100e9, 1e4);
  EXPECT_FALSE(of(1, "nccl", true)) << "not between nodes";
  EXPECT_FALSE(of(2, "nccl", false)) << "not in one";
  EXPECT_FALSE(of(1, "device", false));
  EXPECT_FALSE(of(1, "staged", false)) << "one size gives no rate";
  EXPECT_FALSE(of(1, "nccl", false, 2048)) << "nor does the smallest";
  EXPECT_FALSE(measured_message_rates(rates_from_membench(run_with({})),
                                      {"nccl", "neighbours", 1e9}, false));
}

TEST(MessageRates, AssumedOfStagedMessagesAreThoseOfTheHostsMemory) {
  for (const MessageRates& rates :
       {assumed_message_rates(Executor::Device, "staged"), assumed_bulk_rates("staged")})
    EXPECT_LT(rates.in_node.rate, 5e9);
  EXPECT_GT(assumed_message_rates(Executor::Device, "nccl").in_node.rate, 200e9);
}

TEST(MessageRates, OfSamplesWithoutASpeedAreLeftOut) {
  for (const double gbs : {0.0, -1.0, 5e-324}) {
    const Record of{{"pattern", "neighbours"}, {"path", "nccl"}, {"bytes", 1e6}, {"nodes", 1}};
    const auto run =
        run_with({probe("exchange", {exchanged("nccl", 1024, 1e-5, 1), measurement(of, gbs)})});
    EXPECT_FALSE(
        measured_message_rates(rates_from_membench(run), {"nccl", "neighbours", 1e6}, false))
        << gbs;
  }
}

TEST(MessageRates, OfTheLaterRunCountWhereTwoMeasuredTheSame) {
  const auto run = [](double seconds) {
    return rates_from_membench(run_with({probe(
        "exchange", {exchanged("nccl", 1024, 1e-5, 1), exchanged("nccl", 1e6, seconds, 1)})}));
  };
  const MachineRates both = overlay(run(1e-5 + 1e-5), run(1e-5 + 1e-6));
  const auto rates = measured_message_rates(both, {"nccl", "neighbours", 1e6}, false);
  EXPECT_NEAR(rates->in_node.rate, 1e12, 1e4);
}

HimenoCase grid_of(std::int64_t i, std::int64_t j, std::int64_t k, int fused) {
  HimenoCase run;
  run.extents = {i, j, k};
  run.fused = fused;
  run.access = {Executor::Device, Executor::Device, false};
  return run;
}

TEST(PassOnRanks, OfSingleSweepsOnAGpuHidesMessagesAndOfFusedOnesDoesNot) {
  const MessageRates messages{.in_node = {10e-6, 100e9}, .between_nodes = {50e-6, 10e9}};
  for (const int fused : {1, 3}) {
    const auto pass = [&](std::array<int, 3> ranks, int ranks_of_node) {
      return pass_on_ranks(grid_of(514, 514, 1026, fused), ranks, ranks_of_node, assumed_rates(),
                           messages);
    };
    const PassOnRanks alone = pass({1, 1, 1}, 1), two = pass({2, 1, 1}, 2),
                      far = pass({2, 1, 1}, 1);
    EXPECT_EQ(alone.messages, 0.0);
    EXPECT_EQ(alone.total, alone.sweeps);
    const double face = 4.0 * fused * (512 + 2 * fused) * (1024 + 2 * fused);
    EXPECT_NEAR(two.messages, 10e-6 + face / 100e9, 1e-12);
    EXPECT_NEAR(far.messages, 50e-6 + face / 10e9, 1e-12);
    if (fused == 1)
      EXPECT_LT(two.total, two.sweeps + two.messages);
    else
      EXPECT_EQ(two.total, two.sweeps + two.messages);
    // Three of four ranks in i have two neighbours at most.
    EXPECT_NEAR(pass({4, 1, 1}, 4).messages, 10e-6 + 2 * face / 100e9, 1e-12);
  }
}

TEST(PassOnRanks, IsWhatARunOfSeveralRanksWaitsForItsHalo) {
  HimenoCase run = grid_of(258, 514, 1026, 3);
  run.iterations = 30;
  EXPECT_EQ(halo_seconds(run, assumed_rates()), 0.0);
  run.ranks = {.whole = {514, 514, 1026}, .ranks = {2, 1, 1}, .ranks_of_node = 2, .path = "nccl"};
  MachineRates rates = assumed_rates();
  const auto messages = [&](const MessageRates& known) {
    return pass_on_ranks(grid_of(514, 514, 1026, 3), {2, 1, 1}, 2, rates, known).messages;
  };
  EXPECT_NEAR(halo_seconds(run, rates), 10 * messages(assumed_message_rates(Executor::Device)),
              1e-12);
  rates.messages = {{"nccl", "neighbours", false, 1.0, 1e-3},
                    {"nccl", "neighbours", false, 1e6, 1e-3 + 1e6 / 1e9}};
  EXPECT_NEAR(halo_seconds(run, rates),
              10 * messages({.in_node = {1e-3, 1e9}, .between_nodes = {}}), 1e-9);
  run.ranks->ranks_of_node = 1;  // what was measured in a node says nothing of these
  EXPECT_NEAR(halo_seconds(run, rates),
              10 * pass_on_ranks(grid_of(514, 514, 1026, 3), {2, 1, 1}, 1, rates,
                                 assumed_message_rates(Executor::Device))
                       .messages,
              1e-12);
}

TEST(PassOnRanks, TakesAsLongAsTheMessagesWhereTheyAreLonger) {
  const MessageRates slow{.in_node = {1, 1e9}, .between_nodes = {1, 1e9}};
  const PassOnRanks pass =
      pass_on_ranks(grid_of(66, 66, 130, 1), {2, 1, 1}, 2, assumed_rates(), slow);
  EXPECT_GT(pass.messages, 1.0);
  EXPECT_EQ(pass.total, pass.messages);
}

TEST(RatesFromDescription, TakesKernelsApartFromCopyEnginesWhereTheyWereMeasured) {
  MachineDescription machine = described();
  machine.figures["link_device_to_host"] = {.gbs = 450, .measured = false, .source = "sheet"};
  EXPECT_NEAR(rates_from_description(machine)[Rate::DeviceWritesHost], 396 * giga, 1.0);
  machine.measured["link_device_to_host"] = {.gbs = 300, .measured = true, .source = "copies"};
  machine.measured["kernel_writes_host"] = {.gbs = 377, .measured = true, .source = "kernels"};
  const MachineRates rates = rates_from_description(machine);
  EXPECT_NEAR(rates[Rate::LinkToHost], 300 * giga, 1.0);
  EXPECT_NEAR(rates[Rate::DeviceWritesHost], 377 * giga, 1.0);
  EXPECT_EQ(rates.rates.at(Rate::DeviceWritesHost).source, "kernels");
}

TEST(MessageRates, OfADescriptionAreItsNetworksTimesWhatIsReached) {
  MachineDescription machine;
  EXPECT_EQ(message_rates_from_description(machine).between_nodes.rate,
            assumed_message_rates(Executor::Device).between_nodes.rate);
  machine.figures["network"] = {.gbs = 50, .measured = false, .source = "a sheet"};
  EXPECT_NEAR(message_rates_from_description(machine).between_nodes.rate, 50e9 * reached_of_theory,
              1);
  EXPECT_EQ(message_rates_from_description(machine).source, "a sheet");
  machine.measured["between_gpus"] = {.gbs = 58, .measured = true, .source = "somebody"};
  EXPECT_NEAR(message_rates_from_description(machine).in_node.rate, 58e9, 1);
  machine.figures["network"].measured = true;
  EXPECT_NEAR(message_rates_from_description(machine).between_nodes.rate, 50e9, 1);
}

}  // namespace
}  // namespace memstencil::model
