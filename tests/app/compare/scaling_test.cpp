// Pins the curves over ranks: strong, weak, their efficiency, and the paths of messages.
#include "app/compare/scaling.hpp"
#include "app/compare/comparison.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

constexpr double one_message = 4194304;

/// Rates of device memory, and of messages by NCCL in a node, the largest of which takes `seconds`.
Record membench_of_ranks(double seconds) {
  Record result = membench(one, 50);
  const Record plain = result["probes"][0]["measurements"][0];
  const auto measured = [&plain](double gbs, const Record& parameters) {
    Record made = plain;
    made["parameters"] = parameters;
    for (const char* member : {"min", "median", "max"}) made[member] = gbs;
    return made;
  };
  const auto message = [&](double bytes, double time) {
    return measured(1e-9 * bytes / time,
                    {{"pattern", "neighbours"}, {"path", "nccl"}, {"bytes", bytes}, {"nodes", 1}});
  };
  result["probes"][0]["measurements"] = {
      measured(3000, {{"direction", "device copy"}, {"by", "kernel"}, {"bytes", 1e9}})};
  result["probes"][1] = result["probes"][0];
  result["probes"][1]["name"] = "exchange";
  result["probes"][1]["measurements"] = {message(1024, 1e-5), message(one_message, seconds)};
  return result;
}

Record by_nccl(double gflops, int ranks) {
  Record result = himeno(one, gflops, {ranks, 1, 1});
  result["halo"] = ranks > 1 ? "nccl" : "none";
  return result;
}

Runs one_and_two_ranks() { return {run("a.h5", by_nccl(10, 1)), run("a.h5", by_nccl(15, 2))}; }

ScalingCurve only_curve(const Runs& runs, const std::vector<MachineDescription>& machines = {}) {
  const auto curves = scaling_curves(sides_of(runs, machines));
  EXPECT_EQ(curves.size(), 1u);
  return curves.at(0);
}

/// A curve of a GPU a rank.
ScalingCurve curve_of(const std::vector<double>& ranks, const std::vector<double>& rates) {
  return {.side = "one",
          .label = "M, single",
          .unit = "GFLOPS",
          .ranks = ranks,
          .rates = rates,
          .processors = ranks,
          .by_gpus = true};
}

TEST(Scaling, IsPredictedWhereMembenchHasTheRatesOfMemoryAndMessages) {
  const auto predicted = [](double message_seconds) {
    Runs runs = one_and_two_ranks();
    runs.push_back(run("a.h5", membench_of_ranks(message_seconds)));
    return only_curve(runs).predicted;
  };
  const auto fast = predicted(2e-5), slow = predicted(1);
  ASSERT_TRUE(fast[0] && fast[1] && slow[1]);
  EXPECT_EQ(fast[0], slow[0]) << "one rank sends nothing";
  EXPECT_GT(*fast[1], *slow[1]);
}

TEST(Scaling, APredictionStandsBesideTheMeasuredRateWithItsError) {
  Runs runs = one_and_two_ranks();
  runs.push_back(run("a.h5", membench_of_ranks(2e-5)));
  const ScalingCurve curve = only_curve(runs);
  const Record table = to_record(scaling_table({curve}));
  const Record& row = table["rows"][1];
  EXPECT_EQ(row["predicted"], *curve.predicted[1]);
  EXPECT_DOUBLE_EQ(row["error"].get<double>(), *curve.predicted[1] / 15 - 1);
  const std::string note = table["note"];
  EXPECT_TRUE(contains(note, "Predicted from membench on ")) << note;
  EXPECT_TRUE(contains(note, "messages by nccl in a node: 10.0 us")) << note;
}

TEST(Scaling, IsPredictedFromADescriptionAlone) {
  const MachineDescription machine{
      .name = "described",
      .title = "",
      .gpu = "GPU one",
      .figures = {{"device_memory", {.gbs = 3000, .measured = true, .source = "somebody"}}},
      .parameters = {}};
  const ScalingCurve curve = only_curve(one_and_two_ranks(), {machine});
  EXPECT_TRUE(curve.predicted[0] && curve.predicted[1]);
  EXPECT_TRUE(curve.not_predicted.empty());
}

TEST(Scaling, SaysWhyItIsNotPredicted) {
  const auto note = [](const Runs& runs) { return scaling_table({only_curve(runs)}).note; };
  EXPECT_TRUE(contains(note(one_and_two_ranks()), "Not predicted: GPU one, without membench"));
  Runs other_path = one_and_two_ranks();
  other_path.push_back(run("a.h5", membench_of_ranks(2e-5)));
  Record staged = by_nccl(15, 2);
  staged["halo"] = "staged";
  other_path[1] = run("a.h5", staged);
  EXPECT_TRUE(contains(note(other_path), "Not predicted: messages by MPI via host, without"));
  const Runs host{run("a.h5", by_host(himeno(one, 10), 2)),
                  run("a.h5", by_host(himeno(one, 9.8, {2, 1, 1}), 1))};
  EXPECT_TRUE(contains(note(host), "Not predicted: runs of a host."));
  const Record rows = to_record(scaling_table({only_curve(host)}))["rows"];
  EXPECT_FALSE(rows[0].contains("predicted"));
}

TEST(Scaling, SaysWhereMoreStopPaying) {
  EXPECT_EQ(curve_of({1, 2, 4}, {10, 18, 30}).where_more_stop_paying(), "");
  EXPECT_EQ(curve_of({1, 2, 4, 8}, {10, 18, 19, 20}).where_more_stop_paying(),
            "from 4 GPUs on, at 48 % of the efficiency");
  EXPECT_EQ(curve_of({1, 2, 4}, {10, 9, 30}).where_more_stop_paying(), "") << "four pay again";
  EXPECT_EQ(curve_of({1, 2, 4, 8}, {10, 9, 30, 20}).where_more_stop_paying(),
            "from 8 GPUs on, slower than 4 GPUs");
  EXPECT_EQ(curve_of({1, 2}, {10, 9.6}).where_more_stop_paying(),
            "from 2 GPUs on, at 48 % of the efficiency");
  ScalingCurve cores = curve_of({1, 2}, {10, 9.9});
  cores.processors = {2, 2};
  EXPECT_EQ(cores.where_more_stop_paying(), "") << "equal, inside the spread";
  EXPECT_EQ(where_more_stop_paying({}), "");
  EXPECT_EQ(where_more_stop_paying({curve_of({1, 2}, {10, 18}), curve_of({1, 2}, {10, 9})}),
            "More stop paying: strong, M, single: from 2 GPUs on, slower than 1 GPU. In the "
            "other cases efficiency stays at one half or more.");
}

TEST(Scaling, EfficiencyIsOfTheFewestRanks) {
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", himeno(one, 15, {2, 1, 1})),
                  run("a.h5", himeno(one, 20, {2, 2, 1}))};
  const auto curves = scaling_curves(sides_of(runs, {}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_FALSE(curves[0].weak);
  EXPECT_EQ(curves[0].ranks, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(curves[0].efficiency(), (std::vector<double>{1, 0.75, 0.5}));
}

TEST(Scaling, PathsOfMessagesAreCasesOfTheirOwnAndTheFastestMakesTheCurve) {
  Record nccl = himeno(one, 18, {2, 1, 1}), staged = himeno(one, 12, {2, 1, 1});
  nccl["halo"] = "nccl";
  staged["halo"] = "staged";
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", nccl), run("a.h5", staged)};
  const std::vector<Side> sides = sides_of(runs, {});
  const auto tables = side_by_side(sides);
  ASSERT_EQ(tables[0].rows.size(), 3u);
  EXPECT_TRUE(contains(tables[0].rows[1][0].get<std::string>(), "ranks 2x1x1 by NCCL"));
  EXPECT_TRUE(contains(tables[0].rows[2][0].get<std::string>(), "ranks 2x1x1 by MPI via host"));
  const auto curves = scaling_curves(sides);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].rates, (std::vector<double>{10, 18}));
  EXPECT_EQ(curves[0].messages, (std::vector<std::string>{"", "NCCL"}));
}

TEST(Scaling, EfficiencyOfAHostIsOfItsCores) {
  const Runs runs{run("a.h5", by_host(himeno(one, 10), 2)),
                  run("a.h5", by_host(himeno(one, 9.8, {2, 1, 1}), 1))};
  const auto curves = scaling_curves(sides_of(runs, {}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].processors, (std::vector<double>{2, 2}));
  EXPECT_DOUBLE_EQ(curves[0].efficiency().back(), 0.98);
}

TEST(Scaling, RanksThatShareAGpuCountAsOne) {
  Record shared = himeno(one, 10, {2, 2, 1});
  shared["scaling"] = {
      {"exchanges", 0},          {"exchange_seconds", 0.0}, {"transfer_seconds", 0.0},
      {"waiting_seconds", 0.0},  {"hidden_seconds", 0.0},   {"processors", 1},
      {"one_rank_seconds", 1.0}, {"speedup", 1.0},          {"efficiency", 1.0}};
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", shared)};
  const auto curves = scaling_curves(sides_of(runs, {}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].processors, (std::vector<double>{1, 1}));
  EXPECT_EQ(curves[0].efficiency().back(), 1);
}

TEST(Scaling, RanksOfATransposeThatShareAGpuCountAsOne) {
  Record shared = transpose(one, "device", "copy", 1000);
  shared["ranks"] = 2;
  const auto rank = [](const std::string& gpu) {
    return Record{{"host", "n1"}, {"gpu", gpu},   {"gpu_pci", nullptr},
                  {"cpus", "0"},  {"threads", 1}, {"seconds", Record::object()}};
  };
  shared["provenance"] = {{"started", ""},
                          {"seconds", 1.0},
                          {"command_line", ""},
                          {"environment", Record::object()},
                          {"hosts", {"n1"}},
                          {"ranks_share_hosts", true},
                          {"ranks", {rank("GPU-1"), rank("GPU-1")}}};
  const Runs runs{run("a.h5", transpose(one, "device", "copy", 1000)), run("a.h5", shared)};
  const auto curves = scaling_curves(sides_of(runs, {}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].processors, (std::vector<double>{1, 1}));
}

TEST(Scaling, TheSameWorkARankIsAWeakCurve) {
  Record doubled = himeno(one, 18, {2, 1, 1});
  doubled["size"] = "128x64x128";
  doubled["extents"] = {128, 64, 128};
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", doubled)};
  const auto curves = scaling_curves(sides_of(runs, {}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_TRUE(curves[0].weak);
  EXPECT_EQ(curves[0].efficiency().back(), 0.9);
}

TEST(Scaling, AsManyRowsOfAMatrixARankAreAWeakCurve) {
  Record doubled = transpose(one, "device", "copy", 1800);
  doubled["ranks"] = 2;
  doubled["rows"] = 128;
  const ScalingCurve curve =
      only_curve({run("a.h5", transpose(one, "device", "copy", 1000)), run("a.h5", doubled)});
  EXPECT_TRUE(curve.weak);
  EXPECT_TRUE(contains(curve.label, "64 rows/rank x 64 float")) << curve.label;
  EXPECT_EQ(curve.efficiency().back(), 0.9);
}

}  // namespace
}  // namespace memstencil::compare
