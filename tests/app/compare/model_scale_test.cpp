// Pins the scale of what the model reads, and of the times that it makes of it: each is worked out
// here from the figures alone.
#include "app/compare/predict/applications.hpp"
#include "app/compare/predict/rates.hpp"
#include "app/compare/show/show.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace memstencil::compare::model {
namespace {

/// A membench result with rows of the probe; `cells` by column: one, or an array.
Run probed(const std::string& probe, const Record& cells, const std::vector<double>& gbs = {}) {
  Record block = Record::object(), axes = Record::array(), result = membench(one, 1);
  for (const auto& [column, value] : cells.items()) {
    block[column] = value.is_array() ? value : Record::array({value});
    if (block[column][0].is_string() || column == "bytes") axes.push_back(column);
  }
  if (!gbs.empty()) {
    block["samples"] = {{"gbs", gbs}};
    block["experiments"] = {1};
    block["sample_counts"] = {gbs.size()};
  }
  result["probes"] = {{{"name", probe}, {"axes", axes}, {"rows", {block}}}};
  return run("a.h5", result);
}

TEST(ModelScale, CostsOfPagesAreInMicrosecondsAndNanosecondsAByte) {
  const auto run = probed("pages", {{"memory", "managed"},
                                    {"allocation", "default"},
                                    {"pages", "default"},
                                    {"act", "first touch by host"},
                                    {"start_us", 250.},
                                    {"ns_per_byte", 0.5}});
  const Cost cost = probed_rates(run).cost("first touch by host", MemorySpace::Managed);
  EXPECT_DOUBLE_EQ(cost.start, 250e-6);
  EXPECT_DOUBLE_EQ(cost.a_byte, 0.5e-9);
}

TEST(ModelScale, MessagesTakeTheLatencyOfTheSmallestAndTheRateOfTheLargestThatAHaloHas) {
  const auto run = probed("exchange", {{"path", {"nccl", "nccl", "nccl"}},
                                       {"pattern", {"neighbours", "neighbours", "neighbours"}},
                                       {"bytes", {1e3, 1e6, 1e9}},
                                       {"nodes", {1., 1., 1.}},
                                       {"gbs", {0.1, 50., 300.}}});
  const MachineRates rates = probed_rates(run);
  const Path path = path_of(rates, "nccl", false);
  EXPECT_DOUBLE_EQ(path.latency, 10e-6);
  EXPECT_NEAR(path.seconds(1e6), 20e-6, 1e-12);
  EXPECT_THROW(path_of(rates, "staged", false), Missing);
  EXPECT_THROW(path_of(rates, "nccl", true), Missing);
}

TEST(ModelScale, AccessCountersMoveTheSourceInTheRepeatsThatAreNotSteady) {
  // Of a source of B bytes a repeat at 100 GB/s, read and written, takes 2 B / 100e9 s.
  const auto run = probed("migration",
                          {{"memory", "system"},
                           {"mode", "plain"},
                           {"phase", "device 1"},
                           {"bytes", 1e9},
                           {"steady_repeat", 3.},
                           {"gbs", 3000.}},
                          {100, 200, 3000, 3000});
  EXPECT_NEAR(probed_rates(run)["counter_migration"], 1 / (2 / 100e9 + 2 / 200e9), 1);
}

TEST(ModelScale, FaultsAreTheMeanOfThePhasesThatMovedPages) {
  const auto run = probed("migration", {{"memory", {"managed", "managed"}},
                                        {"mode", {"plain", "plain"}},
                                        {"phase", {"device 1", "device 2"}},
                                        {"bytes", {1e9, 1e9}},
                                        {"moved_gbs", {8., 12.}}});
  EXPECT_DOUBLE_EQ(probed_rates(run)["faults_to_device"], 10e9);
}

TEST(ModelScale, RegisteredPagesCostWhatThoseOfHugePagesDoWhereTheProbeHasThem) {
  const auto cost = [](const std::vector<std::string>& pages, const std::vector<double>& ns) {
    const auto each = [&](const Record& value) { return Record(pages.size(), value); };
    const auto run = probed("pages", {{"memory", each("host-pinned")},
                                      {"allocation", each("registered")},
                                      {"pages", pages},
                                      {"act", each("allocate")},
                                      {"start_us", each(20.)},
                                      {"ns_per_byte", ns}});
    return probed_rates(run).cost("allocate registered", MemorySpace::HostPinned);
  };
  EXPECT_DOUBLE_EQ(cost({"default", "huge"}, {0.1, 0.04}).a_byte, 0.04e-9);
  EXPECT_DOUBLE_EQ(cost({"huge", "default"}, {0.04, 0.1}).a_byte, 0.04e-9);
  EXPECT_DOUBLE_EQ(cost({"default"}, {0.1}).a_byte, 0.1e-9);
  EXPECT_DOUBLE_EQ(cost({"default"}, {0.1}).start, 20e-6);
}

TEST(ModelScale, AssumptionsAreReadInTheirUnits) {
  const TemporaryFolder folder;
  const MachineRates rates = assumed_rates(
      folder.write("a.toml",
                   "name = \"a\"\nsource = \"s\"\n[rates]\nhost_copy = 100.0\n[pages.\"free, "
                   "device\"]\nstart_us = 30.0\nns_per_byte = 0.25\n"
                   "[messages.in_node]\nlatency_us = 7.0\ngbs = 20.0\n"));
  EXPECT_DOUBLE_EQ(rates["host_copy"], 100e9);
  EXPECT_DOUBLE_EQ(rates.cost("free", MemorySpace::Device).start, 30e-6);
  EXPECT_DOUBLE_EQ(rates.cost("free", MemorySpace::Device).a_byte, 0.25e-9);
  EXPECT_DOUBLE_EQ(path_of(rates, "peer", false).latency, 7e-6);
  EXPECT_DOUBLE_EQ(path_of(rates, "peer", false).rate, 20e9);
}

/// Each rate another number of GB/s, each cost another time.
MachineRates distinct_rates() {
  MachineRates rates;
  double gbs = 100;
  for (const auto& [rate, described] : all_rates) rates.rates[rate] = {giga * (gbs += 10), ""};
  double cost = 1;
  for (const MemorySpace space : all_memory_spaces)
    for (const char* operation : operations)
      rates.costs[{operation, space}] = {1e-3 * cost, 0.01e-9 * cost}, cost += 1;
  rates.translation = Translation{};
  rates.multiprocessors = 132;
  rates.device_bytes = 80e9;
  return rates;
}

std::map<std::string, double> phases_of(const Prediction& prediction) {
  std::map<std::string, double> all;
  for (const Phase& each : prediction.phases) all[each.name] = each.time.total();
  return all;
}

TEST(ModelScale, EachPhaseTakesTheBytesOfItsArraysOverItsRate) {
  const MachineRates rates = distinct_rates();
  GridCase run{{}, himeno, {34, 66, 130}};  // rows of 160
  run.host_threads = 10;
  const double array = 34. * 66 * 160 * 4, all = 14 * array;
  const auto cost = [&](const char* operation, MemorySpace space, int calls, double bytes) {
    const Cost& of = rates.cost(operation, space);
    return calls * of.start + bytes * of.a_byte;
  };
  ASSERT_EQ(run.bytes(), all);

  run.filled_by_host = true;
  auto of = phases_of(predict(run, rates));
  EXPECT_DOUBLE_EQ(of["allocate"],
                   cost("allocate", MemorySpace::Device, 14, all) +
                       cost("allocate registered", MemorySpace::HostPinned, 1, array));
  EXPECT_DOUBLE_EQ(of["initialise"], all * 0.9e-9 / 10);
  EXPECT_DOUBLE_EQ(of["upload"], all / rates["link_to_device"]);
  EXPECT_DOUBLE_EQ(of["download"], array / rates["link_to_host"]);
  EXPECT_DOUBLE_EQ(of["free"], cost("free", MemorySpace::Device, 14, all) +
                                   cost("free registered", MemorySpace::HostPinned, 1, array));

  run.filled_by_host = false;
  of = phases_of(predict(run, rates));
  EXPECT_DOUBLE_EQ(of["initialise"], 14 * 35e-6 + all / (0.75 * rates["device_copy"]));
  EXPECT_EQ(of["upload"], 0);
  EXPECT_DOUBLE_EQ(of["download"], array / rates["link_to_host"]);

  run.space = MemorySpace::HostPinned;
  of = phases_of(predict(run, rates));
  EXPECT_DOUBLE_EQ(of["initialise"], 14 * 35e-6 + all / rates["device_writes_host"]);
  EXPECT_DOUBLE_EQ(of["download"], array / rates["host_copy"]);

  run.space = MemorySpace::Managed;
  of = phases_of(predict(run, rates));
  EXPECT_DOUBLE_EQ(of["initialise"], cost("first fill by device", MemorySpace::Managed, 14, all) +
                                         14 * 35e-6 + all / (0.75 * rates["device_copy"]));
  EXPECT_DOUBLE_EQ(of["download"], array / rates["faults_to_host"]);
  EXPECT_DOUBLE_EQ(of["free"], cost("free after fill by device", MemorySpace::Managed, 14, all));
  run.prefetch = true;
  EXPECT_DOUBLE_EQ(phases_of(predict(run, rates))["download"], array / rates["faults_to_host"]);

  // Ranks of a node wait for each other: sqrt(4) times as long to allocate, 4 times to free.
  run.space = MemorySpace::HostPinned;
  of = phases_of(predict(run, rates));
  run.of_node = 4;
  auto of_four = phases_of(predict(run, rates));
  EXPECT_DOUBLE_EQ(of_four["allocate"], 2 * of["allocate"]);
  EXPECT_DOUBLE_EQ(of_four["free"], 4 * of["free"]);
  EXPECT_DOUBLE_EQ(of_four["download"], of["download"]);
}

TEST(ModelScale, PagesThatDoNotFitComeAndTheWrittenOnesGoBackInEverySweep) {
  MachineRates rates = distinct_rates();
  GridCase run{{}, himeno, {512, 512, 1024}};
  run.space = MemorySpace::Managed;
  run.iterations = 3;
  rates.device_bytes = run.bytes() / 2;
  const TimeByCause last = predict_sweeps(run, rates).back();
  EXPECT_NEAR(
      last[Cause::Migration],
      run.bytes() / (1.04 * rates["faults_to_device"]) + run.bytes() / 14 / rates["link_to_host"],
      1e-9);
}

TEST(ModelScale, AHaloIsTwoFacesOfEachDirectionAndItsPackingOncePassAPass) {
  MachineRates rates = distinct_rates();
  rates.paths[{"", false}] = {.latency = 1e-6, .rate = 100e9};
  GridCase whole{{}, heat, {98, 98, 98}};
  whole.of_node = 8;
  whole.path = "peer";
  const auto messages = [&](const std::array<int, 3>& ranks) {
    whole.ranks = ranks;
    return pass_on_ranks(whole, rates).messages;
  };
  // A face and its halo: (96 + 2)^2 doubles. The rank in the middle has two neighbours.
  const double face = 8. * 98 * 98;
  EXPECT_NEAR(messages({2, 1, 1}), 1e-6 + face / 100e9, 1e-12);
  EXPECT_NEAR(messages({3, 1, 1}), 1e-6 + 2 * face / 100e9, 1e-12);
  EXPECT_NEAR(messages({1, 2, 1}), 1e-6 + face / 100e9 + 10e-6 + 2 * face / 1e12, 1e-12);
  EXPECT_NEAR(messages({1, 1, 3}), 1e-6 + 2 * face / 100e9 + 10e-6 + 4 * face / 60e9, 1e-12);

  whole.iterations = 12;
  const PassOnRanks pass = pass_on_ranks(whole, rates);
  EXPECT_DOUBLE_EQ(phases_of(predict(whole, rates))["halo"], 12 * (pass.total - pass.sweeps));
  GridCase fused = whole;
  fused.stencil = himeno;
  fused.extents = {130, 130, 130};
  fused.fused = 3;
  fused.ranks = {1, 1, 2};
  const PassOnRanks three = pass_on_ranks(fused, rates);
  EXPECT_DOUBLE_EQ(phases_of(predict(fused, rates))["halo"], 4 * (three.total - three.sweeps));
}

TEST(ModelScale, ATransposeOverALinkMovesItsSectorsBothWaysAtOnce) {
  const MachineRates rates = distinct_rates();
  TransposeCase run{{}, 1e9, 1e9};
  run.variants = {{"tuned", 3e9, 2e9}};
  run.space = MemorySpace::HostPinned;
  EXPECT_NEAR(predict(run, rates).steps.back().total(), 3e9 / rates["link_both_ways"] + 5e-6,
              1e-12);
}

using Causes = std::map<std::string, std::set<Cause>>;

/// The causes whose time is another if one rate is 1.3 times as high, by rate.
template <class Run>
Causes moved_by(const Run& run, const MachineRates& rates) {
  Causes all;
  const TimeByCause before = predict(run, rates).time();
  for (const auto& [rate, described] : all_rates) {
    MachineRates faster = rates;
    faster.rates[rate].value *= 1.3;
    const TimeByCause after = predict(run, faster).time();
    for (const Cause cause : all_causes)
      if (std::abs(after[cause] - before[cause]) > 1e-9 * before[cause]) all[rate].insert(cause);
  }
  return all;
}

TEST(ModelScale, EachRateMovesTheCausesThatItIsOfAndNoOther) {
  const MachineRates rates = distinct_rates();
  using enum Cause;
  const auto run = [](MemorySpace space, bool by_host, bool prefetch = false, int fused = 1) {
    GridCase made{{}, himeno, {512, 512, 1024}};
    made.space = space, made.filled_by_host = by_host, made.prefetch = prefetch;
    made.fused = fused, made.iterations = 192;
    return made;
  };
  const auto pinned = MemorySpace::HostPinned, device = MemorySpace::Device,
             managed = MemorySpace::Managed, system = MemorySpace::SystemAllocated;
  EXPECT_EQ(moved_by(run(device, true), rates), (Causes{{"device_copy", {DeviceMemory}},
                                                        {"link_to_device", {Link}},
                                                        {"link_to_host", {Link}}}));
  EXPECT_EQ(moved_by(run(device, false), rates),
            (Causes{{"device_copy", {DeviceMemory}}, {"link_to_host", {Link}}}));
  EXPECT_EQ(moved_by(run(pinned, true), rates),
            (Causes{{"host_copy", {HostMemory}}, {"device_reads_host", {Link}}}));
  EXPECT_EQ(moved_by(run(pinned, false), rates), (Causes{{"host_copy", {HostMemory}},
                                                         {"device_reads_host", {Link}},
                                                         {"device_writes_host", {Link}}}));
  // Streamed sweeps take as long as their planes, or as their points.
  EXPECT_EQ(moved_by(run(pinned, true, false, 96), rates),
            (Causes{{"host_copy", {HostMemory}}, {"device_copy", {DeviceMemory}}}));
  MachineRates near = rates;
  near.rates["device_copy"].value *= 100;
  EXPECT_EQ(moved_by(run(pinned, true, false, 96), near),
            (Causes{{"host_copy", {HostMemory}}, {"link_to_device", {Link}}}));
  EXPECT_EQ(moved_by(run(managed, true), rates), (Causes{{"device_copy", {DeviceMemory}},
                                                         {"faults_to_device", {Migration}},
                                                         {"faults_to_host", {Migration}}}));
  EXPECT_EQ(moved_by(run(managed, true, true), rates), (Causes{{"device_copy", {DeviceMemory}},
                                                               {"prefetch_to_device", {Migration}},
                                                               {"faults_to_host", {Migration}}}));
  EXPECT_EQ(moved_by(run(managed, false), rates),
            (Causes{{"device_copy", {DeviceMemory}}, {"faults_to_host", {Migration}}}));
  MachineRates small = rates;
  small.device_bytes = 8e9;
  EXPECT_EQ(moved_by(run(managed, false), small), (Causes{{"device_copy", {DeviceMemory}},
                                                          {"faults_to_device", {Migration}},
                                                          {"faults_to_host", {Migration}},
                                                          {"link_to_host", {Migration}}}));
  MachineRates ats = rates;
  ats.translation = Translation{.kind = "ATS", .counters = true};
  ats.rates["counter_migration"].value = 18e9;  // pages move during several sweeps
  const std::set<Cause> both{DeviceMemory, Link};
  EXPECT_EQ(moved_by(run(system, true), ats), (Causes{{"device_copy", both},
                                                      {"device_reads_host", both},
                                                      {"counter_migration", both},
                                                      {"link_to_host", {Link}}}));
  EXPECT_EQ(moved_by(run(system, false), ats),
            (Causes{{"device_copy", {DeviceMemory}}, {"link_to_host", {Link}}}));
  TransposeCase transpose{{}, 1e9, 1e9};
  transpose.variants = {{"portable", 2e9, 2e9}};
  transpose.space = pinned, transpose.filled_by_host = true;
  EXPECT_EQ(moved_by(transpose, rates),
            (Causes{{"host_copy", {HostMemory}}, {"link_both_ways", {Link}}}));
}

}  // namespace
}  // namespace memstencil::compare::model
