// Energy side by side, and the warning of throttled runs.
#include "app/compare/energy.hpp"
#include "app/compare/summary.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

Record with_energy(Record record, double joules, const std::vector<std::string>& throttled = {}) {
  record["energy"] = {{"seconds", 2.0},
                      {"gpus",
                       {{"count", 1},
                        {"joules", 10 * joules},
                        {"mean_watts", 5 * joules},
                        {"joules_per_iteration", joules},
                        {"gflops_per_watt", 10 / joules},
                        {"throttled", throttled}}}};
  return record;
}

TEST(EnergySideBySide, HasTheMedianOfEachCaseAndTheRatio) {
  const Record second = machine("n2", "GPU second");
  const Runs runs{run("a.h5", with_energy(himeno(one, 20), 100)),
                  run("a.h5", with_energy(himeno(one, 20), 120)),
                  run("a.h5", with_energy(himeno(one, 20), 104)),
                  run("b.h5", with_energy(himeno(second, 10), 52))};
  const Table table = energy_table(sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(full_name(table.columns[1]), "GPU one GPUs");
  EXPECT_EQ(table.rows[0][1], 1040.0);
  EXPECT_EQ(table.rows[0][2], 104.0) << "no host told its energy: it has no column";
  EXPECT_EQ(table.rows[0][3], 520.0);
  EXPECT_EQ(table.rows[0][6], 52.0);
  EXPECT_EQ(table.rows[0].back(), 0.5);
  EXPECT_EQ(table.columns.size(), table.rows[0].size());
}

TEST(EnergySideBySide, HasTransposesAndHosts) {
  Record record = transpose(one, "device", "copy", 2000);
  record["variants"][0]["energy"] =
      with_energy(himeno(one, 20), 7, {"software thermal slowdown"})["energy"];
  record["variants"][0]["energy"]["hosts"] = {{"count", 1}, {"joules", 11.0}, {"mean_watts", 5.5}};
  const Runs runs{run("a.h5", record)};
  const auto sides = sides_of(runs, {});
  const Table table = energy_table(sides);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_TRUE(contains(table.rows[0][0].get<std::string>(), "tuned, 64 x 64 float"));
  EXPECT_EQ(full_name(table.columns[2]), "GPU one hosts");
  EXPECT_EQ(table.rows[0][2], 11.0);
  EXPECT_EQ(throttled_in_words(sides).size(), 1u);
  EXPECT_EQ(throttled_sides(sides).size(), 1u);
}

TEST(EnergySideBySide, ARunTooShortForJoulesStillSaysThatItWasThrottled) {
  Record record = himeno(one, 20);
  record["energy"] = {
      {"seconds", 0.5},
      {"left_out", "too short"},
      {"gpus",
       {{"count", 1}, {"joules", nullptr}, {"mean_watts", nullptr}, {"throttled", {"power cap"}}}}};
  const Runs runs{run("a.h5", record)};
  const auto sides = sides_of(runs, {});
  EXPECT_TRUE(energy_table(sides).rows.empty());
  EXPECT_EQ(throttled_in_words(sides).size(), 1u);
}

TEST(EnergySideBySide, OfResultsWithoutEnergyIsNoTable) {
  Record left_out = himeno(one, 20);
  left_out["energy"] = {{"seconds", 0.5}, {"left_out", "too short"}};
  const Runs runs{run("a.h5", himeno(one, 20)), run("a.h5", left_out),
                  run("a.h5", membench(one, 50))};
  EXPECT_TRUE(energy_table(sides_of(runs, {})).rows.empty());
  EXPECT_TRUE(throttled_in_words(sides_of(runs, {})).empty());
}

TEST(EnergySideBySide, WarnsOfThrottledRuns) {
  const Runs runs{run("a.h5", with_energy(himeno(one, 20), 100, {"power cap"})),
                  run("a.h5", with_energy(himeno(one, 20), 100))};
  const auto words = throttled_in_words(sides_of(runs, {}));
  ASSERT_EQ(words.size(), 1u);
  EXPECT_TRUE(contains(words[0], "held down in 1 of 2 runs (power cap)"));
}

TEST(EnergySideBySide, ThrottledRunsStandInTheSummaryOnceForEachSide) {
  const Record second = machine("n2", "GPU second");
  const Runs runs{run("a.h5", with_energy(himeno(one, 20), 100, {"power cap"})),
                  run("a.h5", with_energy(himeno(one, 20), 100, {"power cap"})),
                  run("b.h5", with_energy(himeno(second, 10), 52))};
  const auto words = throttled_sides(sides_of(runs, {}));
  ASSERT_EQ(words.size(), 1u);
  EXPECT_TRUE(contains(words[0], "in 2 of 2 runs the GPU's clocks were held down (power cap)"));
  for (const Section& section : summary_of(sides_of(runs, {}), {}))
    if (section.title == "Throttled") return;
  ADD_FAILURE() << "the summary does not say it";
}

}  // namespace
}  // namespace memstencil::compare
