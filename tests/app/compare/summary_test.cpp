// The answer that stands first: memory spaces ranked by wall time, with their causes in quantities.
#include "app/compare/summary.hpp"
#include "app/compare/explain.hpp"
#include "app/compare/ranking.hpp"
#include "app/compare/reasons.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::compare {
namespace {

/// A run of `sweeps` sweeps of `second` each, the first of which takes `first`, in `space`.
Record himeno_in(const std::string& space, int sweeps, double second, double first) {
  Record record = himeno(one, 1);
  record["memspace"] = {{"requested", space}, {"effective", space}};
  record["iterations"] = sweeps;
  std::vector<double> seconds(static_cast<std::size_t>(sweeps), second);
  seconds[0] = first;
  record["sweeps"] = {{"seconds", seconds}};
  record["sweep_seconds"] = {{"min", std::min(first, second)},
                             {"median", second},
                             {"max", std::max(first, second)},
                             {"first", first}};
  record["phases"]["sweeps"] = first + (sweeps - 1) * second;
  if (space == "host-pinned")
    record["limit"] = {{"kind", "link"}, {"gbs", 50.0}, {"fraction", 0.8}};
  if (space == "host-pinned") record["bandwidth_gbs"] = 40.0;
  return record;
}

Record filled_by_device(Record record) {
  record["first_touch"] = "device";
  return record;
}

Problem first_problem(const std::vector<Side>& sides) { return problems_of(sides).at(0); }

std::string text_of(const std::vector<Section>& summary) {
  return to_text(Report{.title = "R", .summary = summary}, Extent::Summary);
}

TEST(Ranking, OrdersMemoriesByWallTimeWithTheCauseInQuantities) {
  const Runs runs{run("a.h5", himeno_in("managed", 100, 0.01, 2.01)),
                  run("a.h5", himeno_in("device", 100, 0.01, 0.01))};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  const Table table = ranking_table(problem, problem.sides[0], 9);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], "device, filled by host");
  EXPECT_EQ(table.rows[1][0], "managed, filled by host");
  EXPECT_NEAR(table.rows[1][2].get<double>(), 4.25 / 2.25, 1e-12);
  EXPECT_EQ(table.rows[1][3],
            "0.0294 GB moved by page faults at 0.015 GB/s in the first sweep: 2 s");
}

TEST(Ranking, CountsThePassOfTheGpuBeforeTheSweepsInEveryFigure) {
  Record touched = himeno_in("managed", 100, 0.01, 0.01);
  touched["options"]["pre-touch"] = "device";
  touched["phases"]["pre-touch"] = 5.0;
  const Runs runs{run("a.h5", himeno_in("managed", 100, 0.01, 2.01)), run("a.h5", touched)};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  const Table table = ranking_table(problem, problem.sides[0], 9);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], "managed, filled by host");
  EXPECT_NEAR(table.rows[1][1].get<double>(), 7.25, 1e-12);
  EXPECT_EQ(table.rows[1][3], "read once by the GPU: 5 s");
  const Table parts = where_time_goes(sides);
  for (const auto& row : parts.rows) {
    double shares = 0;
    for (std::size_t n = 3; n < row.size(); ++n) shares += row[n].get<double>();
    EXPECT_NEAR(shares, 1.0, 1e-12);
  }
}

TEST(Ranking, ASteadyShortRunIsExtrapolatedAndSaysSo) {
  const Runs runs{run("a.h5", himeno_in("device", 100, 0.01, 0.01)),
                  run("a.h5", himeno_in("managed", 100, 0.01, 0.01)),
                  run("a.h5", himeno_in("host-pinned", 10, 0.5, 0.5))};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  EXPECT_EQ(problem.steps, 100);
  const Contender* pinned = problem.sides[0].find("host-pinned, filled by host");
  ASSERT_NE(pinned, nullptr);
  EXPECT_DOUBLE_EQ(pinned->seconds, 1.25 + 50);
  const std::string why = ranking_table(problem, problem.sides[0], 9).rows[2][3];
  EXPECT_EQ(why,
            "50 times as long a sweep: bound by the link at 50 GB/s, 0.80 of it reached; "
            "extrapolated from 10 sweeps");
}

TEST(Ranking, ARunThatIsNotSteadyIsNotExtrapolated) {
  Record rising = himeno_in("managed", 10, 0.01, 0.01);
  for (std::size_t n = 5; n < 10; ++n) rising["sweeps"]["seconds"][n] = 0.02;
  const Runs runs{run("a.h5", himeno_in("device", 100, 0.01, 0.01)), run("a.h5", rising),
                  run("a.h5", himeno_in("host-pinned", 100, 0.5, 0.5))};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  EXPECT_EQ(problem.sides[0].contenders.size(), 2u);
  EXPECT_TRUE(
      contains(ranking_table(problem, problem.sides[0], 9).note,
               "Not ranked: managed, filled by host (10 sweeps, whose pace is not steady)"));
}

TEST(Ranking, ALeadInsideTheSpreadIsCalledThat) {
  const Runs runs{run("a.h5", himeno_in("device", 100, 0.010, 0.010)),
                  run("a.h5", himeno_in("device", 100, 0.011, 0.011)),
                  run("a.h5", filled_by_device(himeno_in("managed", 100, 0.0102, 0.0102)))};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  const Table table = ranking_table(problem, problem.sides[0], 9);
  EXPECT_EQ(table.rows[1][3], "as fast, inside the spread");
  EXPECT_TRUE(contains(table.title, "(spread of equal runs): managed"));
}

Table first_ranking(const Runs& runs) {
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  return ranking_table(problem, problem.sides[0], 9);
}

TEST(Ranking, CallsMemoriesEqualWhoseSweepsAreAndNamesThePhaseBetweenThem) {
  Record managed = himeno_in("managed", 100, 0.0101, 0.0101);
  managed["phases"]["download"] = 0.75;
  const Runs runs{run("a.h5", himeno_in("device", 100, 0.01, 0.01)), run("a.h5", managed),
                  run("a.h5", himeno_in("host-pinned", 100, 0.0104, 0.0104))};
  const Table table = first_ranking(runs);
  EXPECT_EQ(table.title,
            "GPU one: equally fast sweeps (within 2 %): device, filled by host; "
            "managed, filled by host; their runs differ by download");
  EXPECT_EQ(table.rows[2][3], "download: 0.75 against 0.25 s");
}

TEST(Ranking, CallsSweepsEqualThatVaryByMoreThanTheyDiffer) {
  const auto varying = [](const char* space, double second, double variation) {
    Record record = himeno_in(space, 100, second, second);
    for (std::size_t n = 0; n < 100; n += 2)
      record["sweeps"]["seconds"][n] = (1 + variation) * second;
    return record;
  };
  const auto title = [&](double variation) {
    return first_ranking({run("a.h5", varying("device", 0.01, variation)),
                          run("a.h5", varying("managed", 0.0105, variation))})
        .title;
  };
  EXPECT_TRUE(starts_with(title(0.01), "GPU one: fastest is device"));
  EXPECT_TRUE(starts_with(title(0.2), "GPU one: equally fast sweeps (within 18 %): device"));
}

TEST(Ranking, OfEqualSweepsSaysWhereTheRunsAreEqualToo) {
  EXPECT_TRUE(ends_with(first_ranking({run("a.h5", himeno_in("device", 100, 0.01, 0.01)),
                                       run("a.h5", himeno_in("managed", 100, 0.01, 0.01))})
                            .title,
                        "their runs, too, within 5 % (assumed spread)"));
}

TEST(Ranking, TheFractionOfATransposeIsThatOfItsMedian) {
  Record record = transpose(one, "device", "copy", 2000);
  record["variants"][0]["of_copy"] = 0.9;
  record["variants"][0]["seconds"] = {0.2, 0.01, 0.01, 0.01};  // pages move in the first
  const Runs runs{run("a.h5", record)};
  const auto sides = sides_of(runs, {});
  const std::vector<Costs> costs = costs_of(sides[0]);
  ASSERT_EQ(costs.size(), 1U);
  EXPECT_EQ(costs[0].fraction, 0.9);
}

TEST(Ranking, TellsTheShorterTimeOfACauseToo) {
  Record slow = himeno_in("managed", 100, 0.01, 0.01);
  slow["phases"]["initialise"] = 2.25;
  const Runs runs{run("a.h5", himeno_in("device", 100, 0.01, 0.01)), run("a.h5", slow)};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  const Table table = ranking_table(problem, problem.sides[0], 9);
  EXPECT_EQ(table.rows[1][3], "filled by the host: 2.25 against 0.25 s");
}

TEST(Ranking, ASpeedFarAboveItsLimitIsExplained) {
  Record record = himeno_in("device", 100, 0.01, 0.01);
  record["limit"]["fraction"] = 17.7;
  const auto why = [](const Record& of) {
    const Runs runs{run("a.h5", of)};
    const auto sides = sides_of(runs, {});
    const Problem problem = first_problem(sides);
    return ranking_table(problem, problem.sides[0], 9).rows[0][3].get<std::string>();
  };
  EXPECT_TRUE(ends_with(why(record), "(in cache, or the limit was disturbed)")) << why(record);
  record["sweep"] = "temporal:3";
  EXPECT_FALSE(contains(why(record), "in cache")) << "fused sweeps share their traffic";
}

TEST(Ranking, TheFastestVariantOfATransposeStandsFirst) {
  Record record = transpose(one, "device", "copy", 2000);
  const auto variant = [&record](const std::string& name, double seconds) {
    Record made = record["variants"][0];
    made.update({{"name", name}, {"seconds", {seconds, seconds, seconds}}});
    return made;
  };
  record["variants"] = {variant("naive", 0.02), variant("portable", 0.001), variant("tuned", 0.01)};
  const Runs runs{run("a.h5", record)};
  EXPECT_TRUE(contains(first_problem(sides_of(runs, {})).label, "portable"));
}

TEST(Ranking, SaysWhatAnotherMachineDoesBetterAndByWhat) {
  Record faster = himeno_in("device", 100, 0.005, 0.005);
  faster["machine"] = machine("n2", "GPU other");
  faster["bandwidth_gbs"] = 3000.0;
  faster["limit"] = {{"kind", "copy"}, {"gbs", 6000.0}, {"fraction", 0.5}};
  Record managed = himeno_in("managed", 100, 0.01, 0.01);
  managed["machine"] = faster["machine"];
  const Runs runs{run("a.h5", himeno_in("device", 100, 0.01, 0.01)),
                  run("a.h5", himeno_in("managed", 100, 0.01, 0.01)), run("b.h5", faster),
                  run("b.h5", managed)};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  const Table table = against(problem, problem.sides[1], problem.sides[0], 9);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][1], 2.25 / 1.75);
  EXPECT_EQ(table.rows[0][3],
            "sweeps 0.5 against 1 s: device memory 2.00 times as fast (6000 against 3000 GB/s)");
  EXPECT_TRUE(contains(table.note, "inside the spread of 5 %: managed, filled by host (1.00 x)"));
}

TEST(Ranking, TellsALimitOnceAndTheFractionReachedOfItInEachRow) {
  const auto on = [](const char* gpu, const char* memory, double seconds, double gbs,
                     double fraction) {
    Record record = himeno_in(memory, 100, seconds, seconds);
    record["machine"] = machine("n", gpu);
    record["bandwidth_gbs"] = fraction * gbs;
    record["limit"] = {{"kind", "copy"}, {"gbs", gbs}, {"fraction", fraction}};
    return record;
  };
  const Runs runs{run("a.h5", on("GPU one", "device", 0.02, 3000, 0.5)),
                  run("a.h5", on("GPU one", "managed", 0.03, 3000, 0.4)),
                  run("b.h5", on("GPU two", "device", 0.01, 6000, 0.5)),
                  run("b.h5", on("GPU two", "managed", 0.012, 6000, 0.48))};
  const auto sides = sides_of(runs, {});
  const Problem problem = first_problem(sides);
  const Table table = against(problem, problem.sides[1], problem.sides[0], 9);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_TRUE(contains(table.rows[0][3].get<std::string>(), "device memory 2.00 times as fast"));
  EXPECT_EQ(table.rows[1][3], "sweeps 1.2 against 3 s (0.48 and 0.40 of the limit)");

  ToldLimits told;
  const Costs &fast = problem.sides[1].contenders[0].costs,
              &slow = problem.sides[0].contenders[0].costs;
  EXPECT_EQ(why_different(fast, fast, 100, &told), "");
  EXPECT_TRUE(contains(why_different(fast, slow, 100, &told), "2.00 times as fast"))
      << "what no row has told is told";
}

TEST(Summary, MemorySpacesOfAHostAreOneAndNotRanked) {
  const Runs runs{run("a.h5", by_host(himeno(one, 2), 2, "device")),
                  run("b.h5", by_host(himeno(one, 3), 2, "managed"))};
  const auto sides = sides_of(runs, {});
  ASSERT_EQ(sides.size(), 1u) << "files that differ in the name of the same memory are no sides";
  const std::string text = text_of(summary_of(sides, {}));
  EXPECT_TRUE(contains(text, "No GPU computed on GPU one"));
  EXPECT_TRUE(contains(text, "was: device, managed.")) << text;
  EXPECT_EQ(first_problem(sides).contenders(), 1u);
}

TEST(Summary, OtherCasesAreNamedWhereEachHasOneMemory) {
  Record fused = himeno(one, 2);
  fused["sweep"] = "temporal:4";
  const Runs runs{run("single.h5", himeno(one, 2)), run("fused.h5", fused)};
  const auto sides = sides_of(runs, {});
  const std::string text = text_of(summary_of(sides, {}));
  EXPECT_TRUE(contains(text, "2 runs in fused.h5, single.h5")) << text;
  const std::size_t others = text.find("Other cases");
  ASSERT_NE(others, std::string::npos) << text;
  const bool fused_first = text.find("temporal:4") < others;
  EXPECT_NE(text.find(fused_first ? "single" : "temporal:4", others), std::string::npos) << text;
}

TEST(Summary, OneRunStandsForACaseInEveryTable) {
  const auto taking = [](double initialise, double gflops) {
    Record record = himeno(one, gflops);
    record["phases"]["initialise"] = initialise;
    return record;
  };
  const Runs runs{run("a.h5", taking(0.3, 9)), run("a.h5", taking(0.2, 1)),
                  run("a.h5", taking(0.1, 5))};
  const auto sides = sides_of(runs, {});
  for (const Entry& entry : sides[0].entries) EXPECT_EQ(entry.run, &runs[1]) << entry.table;
  const Entry& speed = sides[0].entries.front();
  EXPECT_EQ(speed.value.median, 1);
  EXPECT_EQ(speed.value.maximum, 9);
  EXPECT_EQ(speed.runs, 3u);
}

}  // namespace
}  // namespace memstencil::compare
