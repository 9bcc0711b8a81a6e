// Pins the table of a probe: its axes, how it is sampled, its rows, and how they are stored.
#include "app/membench/core/analysis.hpp"
#include "app/membench/core/program.hpp"
#include "tests/app/base/refusal.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::membench {
namespace {

std::vector<Axis> two_axes(bool) {
  return {names("kind", {"a", "b"}, {"c"}), sizes("bytes", {4096, 8192})};
}

Probe probe_of(Point (*start)()) {
  Probe probe;
  probe.name = "any";
  probe.axes = two_axes;
  probe.start = start;
  probe.sampling = {.warmups = 1, .fewest = 3, .most = 5};
  return probe;
}

/// Whose points all do this.
template <class Act>
Probe doing(Act) {
  return probe_of([]() -> Point { return Act(); });
}

Point constant() {
  return [](State& state) {
    if (state.is("kind", "b") && state.number("bytes") > 5000) state.leave_out("b is small");
    state.sample("gbs", [&] { return state.number("bytes"); });
  };
}

TEST(Sampling, StopsOnceIndependentSamplesAgreeOrSaysThatTheyDoNot) {
  const Sampling rule{.fewest = 4, .most = 10};
  EXPECT_EQ(reason_to_stop(rule, {{1, 1.01, 0.99}, {3}}), "");
  EXPECT_EQ(reason_to_stop(rule, {{1, 1.01, 0.99, 1}, {4}}), "settled");
  const std::string why = reason_to_stop({.fewest = 2, .most = 4}, {{1, 2, 3, 9}, {4}});
  EXPECT_TRUE(why.starts_with("not settled: +-")) << why;
}

TEST(Sampling, CountsTheCorrelationOfNeighbours) {
  std::vector<double> climb, mixed;
  for (int n = 0; n < 20; ++n) climb.push_back(66 + 3 * n);
  for (int n = 0; n < 20; ++n) mixed.push_back(climb[static_cast<std::size_t>(n * 7 % 20)]);
  EXPECT_GT(relative_half_width({climb, {20}}), 2 * relative_half_width({mixed, {20}}));
}

TEST(Sampling, TakesAnExperimentThatDiffersAsOneSample) {
  std::vector<double> values(30, 100);
  values[0] = 101;
  EXPECT_LT(relative_half_width({values, {10, 10, 10}}), 0.05);
  for (std::size_t n = 20; n < 30; ++n) values[n] = 60;
  EXPECT_GT(relative_half_width({values, {10, 10, 10}}), 0.5);
}

TEST(Measure, GivesARowForEveryPointThatIsThere) {
  const Table table = measure(probe_of(constant), two_axes(false), {});
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[1].text("kind"), "a");
  EXPECT_EQ(table.rows[1].number("gbs"), 8192);
  EXPECT_EQ(table.rows[1].samples.at("gbs").values.size(), 3U);
  EXPECT_EQ(table.rows[1].text("stopped"), "settled");
  EXPECT_EQ(table.notes, std::vector<std::string>{"left out: b is small"});
}

TEST(Measure, SaysHowManyPointsHaveNotSettled) {
  const Probe probe = probe_of([]() -> Point {
    return [n = 0](State& state) mutable {
      state.sample("ns", [&] { return state.is("kind", "a") ? 1.0 : ++n; });
    };
  });
  EXPECT_EQ(measure(probe, two_axes(false), {}).notes.back(),
            "not settled: 2 of 4 points (stopped, half_width)");
}

TEST(Measure, GivesTheMedianOfSamplesAndOfTheFiguresOfExperiments) {
  static std::vector<double> levels;  // of the experiments, each of which makes a point
  const Probe probe = probe_of([]() -> Point {
    return [n = 0](State& state) mutable {
      state.add("levels", levels.back());
      levels.pop_back();
      state.sample("ns", [&] { return std::vector{50., 9., 5., 2.}.at(n++ % 4U); });
    };
  });
  for (const std::vector<double>& order : {std::vector{7., 1., 2.}, {1., 2., 7.}, {2., 7., 1.}}) {
    levels = order;
    const Row row =
        measure(probe, {names("kind", {"a"})}, {.repeats = 3, .experiments = 3}).rows.at(0);
    EXPECT_EQ(row.samples.at("ns").values, (std::vector<double>{9, 5, 2, 9, 5, 2, 9, 5, 2}));
    EXPECT_EQ(row.samples.at("ns").experiments, (std::vector<std::size_t>{3, 3, 3}));
    EXPECT_EQ(row.number("ns"), 5);
    EXPECT_EQ(row.number("levels"), 2);
  }
}

TEST(Measure, GivesTheHalfWidthThatStoppedTells) {
  const Probe probe = probe_of([]() -> Point {
    return [sample = 0](State& state) mutable {
      state.sample("gbs", [&] { return 100. + 10 * (sample++ % 3); });
    };
  });
  const Table table = measure(probe, {names("kind", {"a"})}, {.repeats = 3, .experiments = 4});
  const Row& row = table.rows.at(0);
  EXPECT_EQ(row.number("half_width"), relative_half_width(row.samples.at("gbs")));
  const Table one = measure(probe_of(constant), two_axes(false), {.repeats = 1});
  EXPECT_FALSE(one.rows.at(0).has("half_width"));
  EXPECT_EQ(one.rows.at(0).text("stopped"), "one sample");
}

TEST(Measure, HasANoteOfMultiprocessorsOnlyIfOneIsLeftOut) {
  const Probe probe = doing([](State& state) {
    state.sample({"cycles", "multiprocessors_left_out"}, [&] {
      return std::vector{9., state.is("kind", "b") ? 2. : 0.};
    });
  });
  EXPECT_TRUE(measure(probe, {names("kind", {"a"})}, {}).notes.empty());
  EXPECT_EQ(measure(probe, {names("kind", {"a", "b"})}, {}).notes.size(), 1U);
}

TEST(Measure, NamesAPointWhoseDataAreWrongInAnyExperiment) {
  const Probe first = doing([](State& state) { verify(false, state.title() + ": wrong"); });
  const Probe later = doing([](State& state) {
    state.sample("gbs", [] { return 1.0; });
    verify(state.samples["gbs"].experiments.size() < 2, state.title() + ": wrong");
  });
  for (const Probe& probe : {first, later})
    EXPECT_EQ(refusal(ExitCode::Verification,
                      [&] { measure(probe, two_axes(false), {.experiments = 2}); }),
              "a, bytes 4096: wrong");
}

TEST(Measure, GivesNoNoteOfTheMethodAsTheReasonWhyNothingIsThere) {
  Probe probe = doing([](State& state) {
    state.note("there are two halves");
    state.leave_out(state.is("kind", "c") ? "c is far" : "");
  });
  probe.notes = {"rows are of a and b"};
  EXPECT_EQ(refusal(ExitCode::Machine, [&] { measure(probe, two_axes(false), {}); }),
            "no point of these axes can be measured here");
  EXPECT_EQ(refusal(ExitCode::Machine, [&] { measure(probe, {names("kind", {"c"})}, {}); }),
            "no point of these axes can be measured here: left out: c is far");
}

TEST(Measure, GivesTheDeclaredPlaceOfAValueOfANarrowedAxis) {
  const Probe probe = doing([](State& state) { state.add("place", state.index("kind")); });
  std::vector<Axis> narrowed = two_axes(false);
  narrowed[0].values = {"c"};
  EXPECT_EQ(measure(probe, narrowed, {}).rows.at(0).number("place"), 2);
}

TEST(Rows, AreGroupedByTheColumnsThatAllOfThemHave) {
  std::vector<Row> rows{{{{"by", "a"}, {"gbs", 1.0}}, {}},
                        {{{"level", "L1"}}, {}},
                        {{{"by", "b"}, {"gbs", 2.0}}, {}},
                        {{{"by", "a"}, {"gbs", 3.0}}, {}}};
  const std::vector<Group> found = groups(rows, {"by"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].like.cells.size(), 1U);
  EXPECT_EQ(found[0].rows, (std::vector<Row*>{&rows[0], &rows[3]}));
  EXPECT_EQ(found[1].like.text("by"), "b");
}

TEST(Rows, AreTheSameAfterAFile) {
  std::vector<Row> rows = measure(probe_of(constant), two_axes(false), {.experiments = 2}).rows;
  rows.push_back({{{"level", "L1"}, {"ns", 1.5}}, {}});
  const Record blocks = blocks_of(rows);
  EXPECT_EQ(blocks.size(), 2U);
  const std::vector<Row> back = rows_of(blocks, "any");
  ASSERT_EQ(back.size(), rows.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(back[n].cells, rows[n].cells);
    for (const auto& [column, series] : rows[n].samples) {
      EXPECT_EQ(back[n].samples.at(column).values, series.values);
      EXPECT_EQ(back[n].samples.at(column).experiments, series.experiments);
    }
  }
}

TEST(Rows, HaveUnitsByTheirColumns) {
  const char* const units[][2]{{"copy_gbs", "GB/s"},
                               {"bytes_per_clock", "B/clock"},
                               {"peak_per_clock", "1/clock"},
                               {"ns_per_byte", "ns/byte"},
                               {"start_us", "us"},
                               {"holds_bytes", "B"},
                               {"hidden", ""}};
  for (const auto& [column, unit] : units) EXPECT_EQ(unit_of(column), unit) << column;
}

/// The report of rows that are all alike.
std::string report_of(std::size_t count, const Row& row, bool verbose) {
  ProbeRecord record;
  record.probe = &probes().front();
  record.rows.assign(count, row);
  Result result;
  result.probes = {record};
  return text_report(result, verbose);
}

TEST(Rows, AreWrittenInTheirUnitsAndHalfWidthsInPerCent) {
  const std::string text =
      report_of(1, {{{"gbs", 12.5}, {"seconds", 2e-6}, {"half_width", 0.034}}, {}}, false);
  EXPECT_NE(text.find("gbs (GB/s)  seconds (s)  half_width"), std::string::npos) << text;
  EXPECT_NE(text.find("12.5        2e-06       3.4 %"), std::string::npos) << text;
}

TEST(Rows, BeyondFourHundredOfAKindAreShownWithVerbose) {
  const Row row{{{"gbs", 12.5}}, {}};
  const std::string text = report_of(401, row, false), all = report_of(401, row, true);
  EXPECT_EQ(text.find("12.5"), std::string::npos);
  EXPECT_EQ(std::ranges::count(all, '\n') - std::ranges::count(text, '\n'), 401);
}

TEST(Rows, OfDifferentLengthAreRefused) {
  const Record damaged = Record::array({{{"gbs", {1, 2}}, {"kind", {"a"}}}});
  EXPECT_EQ(refusal(ExitCode::Other, [&] { rows_of(damaged, "link"); }),
            "rows of the probe 'link': 'kind' has 1 values, and others have 2");
  const Record short_samples = Record::array({{{"gbs", {1}},
                                               {"samples", {{"gbs", {1.0}}}},
                                               {"experiments", {1}},
                                               {"sample_counts", {2}}}});
  EXPECT_EQ(refusal(ExitCode::Other, [&] { rows_of(short_samples, "link"); }),
            "rows of the probe 'link': too few samples of 'gbs'");
}

TEST(Rows, OfOlderFilesAreTheSamePointsWithoutTheirGoneAxes) {
  const Record blocks = {{{"where", {"global", "global"}}, {"memory", {"device", "managed"}}}};
  EXPECT_EQ(rows_of(blocks, "atomics").at(0).text("memory"), "");
  EXPECT_EQ(rows_of(blocks, "atomics").at(1).text("memory"), "managed");
  EXPECT_EQ(rows_of(blocks, "link").at(0).text("memory"), "device");
}

TEST(SmCycles, AreFromTheFirstBeginToTheLastEndAndLeaveOutOtherNumbersOfWarps) {
  const std::vector<WarpTimes> times{{10, 50, 0}, {20, 70, 0}, {5, 25, 1}, {6, 35, 1}, {0, 900, 2}};
  const SmCycles cycles = sm_cycles(times, 2);
  EXPECT_EQ(cycles.median, 45);
  EXPECT_EQ(cycles.longest, 60);
  EXPECT_EQ(cycles.left_out, 1);
  EXPECT_EQ(cycles.each(9), 5);
  EXPECT_EQ(cycles.per_clock(90), 2);
  EXPECT_THROW(sm_cycles(times, 3), Failure);
}

}  // namespace
}  // namespace memstencil::membench
