// Pins the scale of what memcompare shows: which of two runs counts, and the points of a scaling
// curve.
#include "app/compare/answer.hpp"
#include "app/compare/sample.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

Runs runs_of(const std::vector<Record>& records) {
  Runs runs;
  for (std::size_t n = 0; n < records.size(); ++n)
    runs.push_back(run("a/" + std::to_string(n) + ".h5", records[n], "a"));
  return runs;
}

Record with_sweep(double gflops, double sweep) {
  Record record = himeno(one, gflops);
  record["sweeps"]["seconds"] = std::vector<double>(10, sweep);
  record["phases"] = {{"sweeps", 10 * sweep}};
  return record;
}

TEST(CompareScale, OfTwoRunsTheFasterCounts) {
  const Record fast = with_sweep(1300, 0.1), slow = with_sweep(1000, 0.13);
  for (const auto& records : {std::vector{fast, slow}, {slow, fast}}) {
    const Runs runs = runs_of(records);
    const auto sides = sides_of(runs, {});
    ASSERT_EQ(sides[0].groups.size(), 1U);
    const Sample& sample = sides[0].groups[0].middle();
    EXPECT_DOUBLE_EQ(sample.median, 0.1);
    EXPECT_DOUBLE_EQ(sample.speed, 1300);
    EXPECT_DOUBLE_EQ(sample.bandwidth, 1500);
    EXPECT_DOUBLE_EQ(sample.limit, 3000);
  }
}

TEST(CompareScale, FourRanksThatAre160PercentAsFastAsOneHaveEfficiency04) {
  const auto at = [](double gflops, const std::vector<int>& ranks) {
    Record record = himeno(one, gflops, ranks);
    record["bandwidth_gbs"] = 1.5 * gflops;
    record["scaling"] = {{"exchanges", 10},
                         {"exchange_seconds", 1e-3},
                         {"edges_first", false},
                         {"processors", ranks[0] * ranks[1]}};
    return record;
  };
  const Runs runs = runs_of({himeno(one, 1000), at(1100, {2, 1, 1}), at(1600, {2, 2, 1})});
  const auto sides = sides_of(runs, {});
  const Record rows = scaling_rows(sides, Predictor(sides));
  std::vector<Record> strong;
  for (const Record& row : rows)
    if (row.at("scaling") == "strong") strong.push_back(row);
  ASSERT_EQ(strong.size(), 3U);
  const double expected[][4]{{1000, 1, 1, 1000}, {1100, 1.1, 0.55, 2000}, {1600, 1.6, 0.4, 4000}};
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_DOUBLE_EQ(strong[n].at("rate").get<double>(), expected[n][0]);
    EXPECT_DOUBLE_EQ(strong[n].at("speedup").get<double>(), expected[n][1]);
    EXPECT_DOUBLE_EQ(strong[n].at("efficiency").get<double>(), expected[n][2]);
    EXPECT_DOUBLE_EQ(strong[n].at("perfect_rate").get<double>(), expected[n][3]);
  }
  const auto said = scaling_sentences(rows);
  ASSERT_FALSE(said.empty());
  EXPECT_NE(said[0].find("efficiency 0.40"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("from 4 GPUs on more do not pay: efficiency 40 %"), std::string::npos)
      << said[0];
}

}  // namespace
}  // namespace memstencil::compare
