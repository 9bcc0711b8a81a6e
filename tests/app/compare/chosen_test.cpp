// Of several runs and cases one is chosen: candidates that differ in the criterion alone, in
// both orders.
#include "app/compare/show/show.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace memstencil::compare {
namespace {

/// The steps of the run that stands for device memory, next to two runs of 100 sweeps elsewhere.
std::int64_t ranked_of(const std::vector<Record>& in_device) {
  std::vector<Record> all{steady("managed", 0.3, 100), steady("system", 0.3, 100)};
  all.insert(all.end(), in_device.begin(), in_device.end());
  const Compared a({{"a", all}});
  for (const Ranked& each : a.ranked())
    if (each.memory.starts_with("device")) return each.sample().steps;
  return 0;
}

void expect_ranked(std::int64_t steps, const Record& a, const Record& b) {
  EXPECT_EQ(ranked_of({a, b}), steps);
  EXPECT_EQ(ranked_of({b, a}), steps);
}

TEST(Chosen, OfRunsInOneMemoryTheSurestIsRanked) {
  std::vector<double> climbing(80);
  for (std::size_t n = 0; n < climbing.size(); ++n) climbing[n] = 0.01 * static_cast<double>(n + 1);
  expect_ranked(102, steady("device", 0.2, 102), steady("device", 0.1, 150));
  expect_ranked(50, steady("device", 0.2, 50), sweeps("device", 0.5, climbing));
  expect_ranked(60, steady("device", 0.2, 60), steady("device", 0.1, 50));
  expect_ranked(130, steady("device", 0.2, 130), steady("device", 0.1, 150));
}

TEST(Ranking, ASteadyRunOfFewerStepsIsBroughtToTheCommonNumber) {
  const Compared a(
      {{"a", {steady("managed", 0.2), steady("device", 0.1), steady("host-pinned", 1.0, 6)}}});
  const Ranked& slow = a.ranked().back();
  EXPECT_DOUBLE_EQ(slow.seconds, 10.5);
  EXPECT_DOUBLE_EQ(slow.once, 0.5) << "of ten sweeps, as it ran six";
  const Record rows = a.screen()["blocks"][0]["rows"];
  EXPECT_EQ(rows.front()["sides"]["a"]["scaled"], false);
  EXPECT_EQ(rows.back()["sides"]["a"]["scaled"], true) << "it is marked in its cell";
  EXPECT_EQ(rows.back()["sides"]["a"]["seconds"], 10.5);
}

TEST(Ranking, ARunOfFewerStepsWithoutASteadyPaceIsLeftOut) {
  const Compared a({{"a",
                     {steady("managed", 0.2), steady("device", 0.1),
                      sweeps("system", 0.5, {1, 1, 1, 1, 2, 2, 2})}}});
  EXPECT_EQ(a.problems[0].rows(), 2U);
  EXPECT_EQ(a.problems[0].left_out.size(), 1U);
  Record fused = sweeps("device", 0.5, {1, 1, 1, 1, 2, 2, 2});
  fused["sweep"] = "temporal:3";
  const Compared kinds({{"a", {steady("managed", 0.2), steady("device", 0.1), fused}}});
  EXPECT_EQ(kinds.problems.size(), 1U);
  EXPECT_EQ(kinds.problems[0].left_out.size(), 1U) << "of another kind";
}

TEST(Ranking, ARunOfMoreStepsCountsItsFirstOnes) {
  std::vector<double> slower(100, 1.0);
  std::fill_n(slower.begin(), 10, 0.1);
  const Compared a(
      {{"a", {steady("managed", 0.5), steady("system", 0.5), sweeps("device", 0.5, slower)}}});
  EXPECT_EQ(a.ranked().front().memory, "device, filled by host");
  EXPECT_TRUE(a.ranked().front().extrapolated);
  EXPECT_NEAR(a.ranked().front().seconds, 1.5, 1e-9);
}

TEST(Ranking, OfRunsOfOneKindTheOneOfTheNearestNumberOfStepsStands) {
  Record fused = steady("device", 0.1, 102), longer = steady("device", 0.101, 150);
  for (Record* each : {&fused, &longer}) (*each)["sweep"] = "temporal:3";
  const Compared a(
      {{"a", {steady("device", 0.3, 100), steady("managed", 0.3, 100), longer, fused}}});
  for (const Problem& problem : a.problems)
    if (problem.kind == "temporal:3") {
      EXPECT_EQ(problem.sides[0].at(0).sample().steps, 102);
    }
}

TEST(Chosen, TheNumberOfStepsIsThatOfMostRunsAndOfEqualsTheLarger) {
  const auto steps = [](std::vector<Record> records) {
    const auto common = [&] { return Compared({{"a", records}}).problems.at(0).steps; };
    const std::int64_t first = common();
    std::ranges::reverse(records);
    EXPECT_EQ(common(), first);
    return first;
  };
  const Record few = steady("device", 0.1, 50), many = steady("managed", 0.1, 100);
  EXPECT_EQ(steps({few, many}), 100);
  EXPECT_EQ(steps({few, steady("system", 0.1, 50), many}), 50);
}

TEST(Chosen, UpToAFewPerCentOfTheStepsAreNoOtherNumber) {
  for (const auto& [steps, another] :
       {std::pair(96U, false), {104U, false}, {94U, true}, {106U, true}}) {
    const Compared a({{"a",
                       {steady("managed", 0.3, 100), steady("system", 0.3, 100),
                        steady("device", 0.1, steps)}}});
    EXPECT_EQ(a.ranked().front().extrapolated, another) << steps;
  }
}

TEST(Chosen, FailAboveNamesTheCaseThatIsSurestToBeSlower) {
  const auto folder = [](const std::vector<std::pair<const char*, double>>& runs) {
    std::vector<Record> records;
    for (const auto& [memory, sweep] : runs)
      records.push_back(sweeps(memory, 0.001, std::vector<double>(10, sweep)));
    return records;
  };
  // managed takes 1.6 times as long, but for a process that takes 1.1 times; device surely 1.3.
  for (const auto& [first, second] : {std::pair{"device", "managed"}, {"managed", "device"}}) {
    std::vector<std::pair<const char*, double>> base, later;
    for (const char* memory : {first, second})
      for (const double noise : {1.0, 1.001, 1.002}) {
        base.emplace_back(memory, 0.1 * noise);
        const bool sure = memory == std::string("device");
        later.emplace_back(memory, 0.1 * (sure ? 1.3 * noise : noise > 1.0015 ? 1.1 : 1.6 * noise));
      }
    const Compared both({{"a", folder(base)}, {"b", folder(later)}});
    const std::string line = slower_than_allowed(both.sides, -0.5);
    EXPECT_NE(line.find("in 2 of 2 cases"), std::string::npos) << line;
    EXPECT_NE(line.find("in device, filled by host, takes 30.0 % longer"), std::string::npos)
        << line;
  }
}

TEST(Chosen, FailAboveComparesTheSamePartOfRunsThatLastAsLong) {
  const auto folder = [](std::size_t sweeps_in_10_s) {
    std::vector<Record> records;
    for (const double noise : {1.0, 1.001, 1.002}) {
      records.push_back(sweeps(
          "device", 0.001,
          std::vector<double>(sweeps_in_10_s, 10 * noise / static_cast<double>(sweeps_in_10_s))));
      records.back()["options"]["seconds"] = 10;
    }
    return records;
  };
  const Compared both({{"a", folder(100)}, {"b", folder(50)}});
  EXPECT_NE(slower_than_allowed(both.sides, 0.5), "");
  EXPECT_EQ(slower_than_allowed(both.sides, 1.5), "");
}

TEST(Chosen, ACurveHasTheFastestRunOfEachNumberOfRanks) {
  for (const auto& [first, second] : {std::pair{1500., 1600.}, {1600., 1500.}}) {
    Record one_way = himeno(one, first, {2, 1, 1}), other = himeno(one, second, {2, 1, 1});
    other["memspace"] = one_way["memspace"];
    one_way["halo"] = "staged", other["halo"] = "nccl";
    const Record rows =
        Compared({{"a", {himeno(one, 1000), one_way, other}}}).answer().at("scaling");
    EXPECT_EQ(rows.at(1).at("ranks"), 2);
    EXPECT_EQ(rows.at(1).at("rate"), 1600.0);
  }
}

TEST(Chosen, EfficiencyIsThatOfProcessorsWhereRanksShareThem) {
  const auto on_cores = [](int ranks, int threads, double gflops) {
    Record record = by_host(himeno(one, gflops, {ranks, 1, 1}), threads);
    record["bandwidth_gbs"] = 1.5 * gflops;
    return record;
  };
  const Record rows =
      Compared({{"a", {on_cores(1, 2, 1000), on_cores(3, 1, 1200)}}}).answer().at("scaling");
  const Record& three = rows.at(1);
  EXPECT_EQ(three.at("ranks"), 3);
  const double processors =
      three.at("processors").get<double>() / rows.at(0).at("processors").get<double>();
  EXPECT_NE(processors, 3);
  EXPECT_DOUBLE_EQ(three.at("efficiency").get<double>(), 1.2 / processors);
}

}  // namespace
}  // namespace memstencil::compare
