// Pins the curves over ranks: strong, weak, their efficiency, and the paths of messages.
#include "app/compare/scaling.hpp"
#include "app/compare/comparison.hpp"
#include "tests/app/common/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

TEST(Scaling, EfficiencyIsOfTheFewestRanks) {
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", himeno(one, 15, {2, 1, 1}), "0002"),
                  run("a.h5", himeno(one, 20, {2, 2, 1}), "0003")};
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
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", nccl, "0002"),
                  run("a.h5", staged, "0003")};
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
                  run("a.h5", by_host(himeno(one, 9.8, {2, 1, 1}), 1), "0002")};
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
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", shared, "0002")};
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
  const Runs runs{run("a.h5", transpose(one, "device", "copy", 1000)), run("a.h5", shared, "0002")};
  const auto curves = scaling_curves(sides_of(runs, {}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].processors, (std::vector<double>{1, 1}));
}

TEST(Scaling, TheSameWorkARankIsAWeakCurve) {
  Record doubled = himeno(one, 18, {2, 1, 1});
  doubled["size"] = "128x64x128";
  doubled["extents"] = {128, 64, 128};
  const Runs runs{run("a.h5", himeno(one, 10)), run("a.h5", doubled, "0002")};
  const auto curves = scaling_curves(sides_of(runs, {}));
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_TRUE(curves[0].weak);
  EXPECT_EQ(curves[0].efficiency().back(), 0.9);
}

}  // namespace
}  // namespace memstencil::compare
