// Published figures: those that we ship, how they meet ours, and what is refused.
#include "app/compare/counterparts.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace memstencil::compare {
namespace {

const std::string shipped = MEMSTENCIL_INPUTS "/reference/";

const std::string least =
    "name = 'r'\ntitle = 'R'\nsource = 'a paper'\n"
    "[[figures]]\nprogram = 'membench'\nprobe = 'link'\nwhere = {direction = 'HtoD'}\nunit "
    "= 'GB/s'\nnote = 'n'\n";

Reference read(const std::string& text) {
  const TemporaryFolder folder;
  return read_reference(folder.write("r.toml", text));
}

std::string refusal_of(const std::string& text) {
  return refusal(ExitCode::Usage, [&] { read(text); });
}

TEST(Reference, EveryShippedOneIsReadAndNamedAsItsFile) {
  for (const auto& entry : std::filesystem::directory_iterator(shipped)) {
    if (!entry.is_regular_file()) continue;  // the samples
    EXPECT_EQ(read_reference(entry.path()).name, entry.path().stem());
  }
}

TEST(Reference, OursIsSetAgainstTheNearerEndOfARange) {
  const Runs runs{run("a.h5", membench(one, 50))};
  const auto sides = sides_of(runs, {});
  EXPECT_EQ(published_table(read(least + "low = 100\nhigh = 200\n"), sides).rows.at(0).at(6), 0.5);
  EXPECT_EQ(published_table(read(least + "low = 10\nhigh = 20\n"), sides).rows.at(0).at(6), 2.5);
  EXPECT_EQ(published_table(read(least + "low = 10\nhigh = 90\n"), sides).rows.at(0).at(6), 1.0);
}

TEST(Reference, WithoutAnUpperEndItIsAtLeastSoMuch) {
  const Runs runs{run("a.h5", membench(one, 50))};
  const Table over = published_table(read(least + "low = 40\n"), sides_of(runs, {}));
  EXPECT_EQ(over.rows.at(0).at(1), "at least 40.00");
  EXPECT_EQ(over.rows.at(0).at(6), 1.0);
  const Table under = published_table(read(least + "low = 100\n"), sides_of(runs, {}));
  EXPECT_EQ(under.rows.at(0).at(6), 0.5);
}

/// A membench result with one series: a copy of `bytes` bytes that climbs to 3000 GB/s, twice.
Record climbing(const char* probe, const Record& of_probe, std::int64_t bytes) {
  Record result = membench(one, 50);
  Record& measured = result["probes"][0];
  measured["name"] = probe;
  Record& m = measured["measurements"][0];
  m["parameters"] = of_probe;
  m["parameters"].update({{"memory", "system"}, {"bytes", bytes}});
  m["experiments"] = 2;
  m["samples"] = {300, 300, 300, 300, 300, 300, 2900, 2900,
                  300, 300, 300, 300, 300, 300, 3100, 3100};
  m["median"] = 300;
  return result;
}

/// The rows of the thesis' figures that have a counterpart in the result.
std::vector<std::vector<Record>> beside_the_thesis(const Record& result) {
  const Runs runs{run("a.h5", result)};
  std::vector<std::vector<Record>> rows;
  for (const auto& row :
       published_table(read_reference(shipped + "thesis-2024.toml"), sides_of(runs, {})).rows)
    if (row[4] != "no such result") rows.push_back(row);
  return rows;
}

TEST(Reference, APatternIsSetAtItsSettledLevelBesideTheThesisFigureOfItsSize) {
  const auto small = beside_the_thesis(climbing("patterns", {{"pattern", 5}}, 4'000'000'000));
  ASSERT_EQ(small.size(), 1u);
  EXPECT_EQ(small[0][1], "3000");
  EXPECT_EQ(small[0][5], 3000.0) << "not the median over the climb";
  const auto large = beside_the_thesis(climbing("patterns", {{"pattern", 6}}, 8'000'000'000));
  ASSERT_EQ(large.size(), 1u);
  EXPECT_EQ(large[0][1], "2300 to 2500");
  EXPECT_EQ(large[0][6], 1.2);
  EXPECT_TRUE(beside_the_thesis(climbing("patterns", {{"pattern", 5}}, 1 << 30)).empty())
      << "the thesis had 4 and 8 GB";
}

TEST(Reference, PhasesOfAMigrationStandBesideFigure57) {
  Record result = climbing("migration", {{"mode", "plain"}, {"phase", "device 1"}}, 4'000'000'000);
  Record& measurements = result["probes"][0]["measurements"];
  measurements[0]["name"] = "system plain, device 1";
  measurements.push_back(measurements[0]);
  measurements[1]["name"] = "system plain, device 2";
  measurements[1]["parameters"]["phase"] = "device 2";
  measurements[1]["samples"] = std::vector<int>(16, 3200);
  const auto rows = beside_the_thesis(result);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][5], 3000.0);
  EXPECT_EQ(rows[1][1], "at least 0");
  EXPECT_EQ(rows[1][5], 200.0) << "the last phase against the first";
}

TEST(Reference, AFileThatClaimsMoreExperimentsThanSamplesIsNoTrap) {
  for (const int experiments : {0, -1, 1000}) {
    Record result = climbing("patterns", {{"pattern", 8}}, 4'000'000'000);
    result["probes"][0]["measurements"][0]["experiments"] = experiments;
    EXPECT_EQ(beside_the_thesis(result).size(), 1u);
  }
}

TEST(Reference, AFigureWithoutACounterpartSaysSo) {
  const Runs runs{run("a.h5", himeno(one, 1))};
  const Table table = published_table(read(least + "value = 100\n"), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][4], "no such result");
}

TEST(Reference, ADifferenceIsOfTwoMemorySpacesOfTheSameSide) {
  Record system = himeno(one, 700);
  system["memspace"] = {{"requested", "system"}, {"effective", "system"}};
  const Runs runs{run("a.h5", himeno(one, 820)), run("a.h5", system)};
  const std::string text =
      "name = 'r'\ntitle = 'R'\nsource = 's'\n[[figures]]\nprogram = 'himeno'\nwhere = {memspace = "
      "'system'}\n"
      "minus = {memspace = 'device'}\nvalue = -100\nunit = 'GFLOPS'\nnote = 'n'\n";
  const Table table = published_table(read(text), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][5], -120.0);
  EXPECT_EQ(table.rows[0][6], 1.2);
}

const std::string ratio =
    "name = 'r'\ntitle = 'R'\nsource = 's'\n[[figures]]\nprogram = 'himeno'\nwhere = {memspace = "
    "'system'}\nover = {memspace = 'device'}\nvalue = 0.5\nnote = 'n'\n";

TEST(Reference, ARatioIsOverTheOtherCaseOfTheSameSideInWhateverUnit) {
  Record system = himeno(one, 615);
  system["memspace"] = {{"requested", "system"}, {"effective", "system"}};
  const Runs runs{run("a.h5", himeno(one, 820)), run("a.h5", system)};
  const Table table = published_table(read(ratio + "unit = 'times'\n"), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_TRUE(contains(table.rows[0][0].get<std::string>(), "memspace system, ratio"));
  EXPECT_EQ(table.rows[0][5], 0.75);
  EXPECT_EQ(table.rows[0][6], 1.5) << "ours over the published ratio";
}

const std::string beside_managed =
    "name = 'r'\ntitle = 'R'\nsource = 's'\n[[figures]]\nprogram = 'himeno'\nwhere = {memspace = "
    "'system'}\nbeside = {memspace = 'managed'}\nvalue = 100\nunit = 'GFLOPS'\nnote = 'n'\n";

Record himeno_in(const char* space, double gflops) {
  Record result = himeno(one, gflops);
  result["memspace"] = {{"requested", space}, {"effective", space}};
  return result;
}

TEST(Reference, AnotherMemoryStandsBesideMarkedWhereTheSourcesIsMissing) {
  const Runs runs{run("a.h5", himeno_in("managed", 200)), run("a.h5", himeno(one, 300))};
  const Table table = published_table(read(beside_managed), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u) << "device memory is neither";
  EXPECT_EQ(table.rows[0][5], 200.0);
  EXPECT_EQ(table.rows[0][8], "other memspace: system in the source");
}

TEST(Reference, WhereTheSourcesMemoryIsThereItStandsAlone) {
  const Runs runs{run("a.h5", himeno_in("managed", 200)), run("a.h5", himeno_in("system", 90))};
  const Table table = published_table(read(beside_managed), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][5], 90.0);
  EXPECT_EQ(table.rows[0][8], nullptr);
}

TEST(Reference, TheAnswerSaysHowManyFiguresStandBesideAResult) {
  const Runs runs{run("a.h5", himeno_in("managed", 200))};
  const auto sides = sides_of(runs, {});
  EXPECT_TRUE(contains(published_in_words({read(beside_managed)}, sides).at(0),
                       "R: of its 1 figures 1 stand beside a result, 1 of these in another memory. "
                       "The section"));
  const Runs same{run("a.h5", himeno_in("system", 90))};
  EXPECT_TRUE(contains(published_in_words({read(beside_managed)}, sides_of(same, {})).at(0),
                       ": 90.00 against 100.0 GFLOPS (0.90 x)."));
  EXPECT_TRUE(published_in_words({}, sides).empty());
}

TEST(Reference, WhatMayStandBesideIsReadStrictly) {
  const auto with = [](const std::string& beside) {
    std::string text = beside_managed;
    return text.replace(text.find("beside = {memspace = 'managed'}"), 31, beside);
  };
  EXPECT_TRUE(contains(refusal_of(with("beside = {size = 'L'}")),
                       "unknown key 'size'; valid are memory, memspace"));
  EXPECT_TRUE(contains(refusal_of(with("beside = {memory = 'managed'}")),
                       "memory: where does not name it"));
  EXPECT_TRUE(
      contains(refusal_of(with("beside = {memspace = 'system'}")), "memspace: it is where's own"));
  EXPECT_TRUE(contains(refusal_of(with("beside = {memspace = 2}")), "memspace: a text is wanted"));
  EXPECT_TRUE(contains(refusal_of(with("beside = {}")), "valid are memory and memspace"));
  EXPECT_TRUE(contains(refusal_of(with("beside = 'managed'")), "beside: "));
  EXPECT_TRUE(
      contains(refusal_of(with("beside = {memspace = 'managed'}\nminus = {memspace = 'managed'}")),
               "minus or over names the same"));
}

TEST(Reference, ARatioWithoutItsOtherCaseHasNoCounterpart) {
  Record system = himeno(one, 615);
  system["memspace"] = {{"requested", "system"}, {"effective", "system"}};
  const Runs runs{run("a.h5", system)};
  const Table table = published_table(read(ratio + "unit = 'times'\n"), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][4], "no such result");
}

TEST(Reference, RefusalsNameTheLineAndWhatIsValid) {
  EXPECT_TRUE(contains(refusal_of(ratio + "unit = 'GFLOPS'\n"),
                       "unit: a ratio (over) is given in \"times\""));
  EXPECT_TRUE(contains(refusal_of(ratio + "unit = 'times'\nminus = {memspace = 'device'}\n"),
                       "either a difference (minus) or a ratio (over)"));
  EXPECT_TRUE(contains(refusal_of(least), "low: a number is missing"));
  EXPECT_TRUE(
      contains(refusal_of(least + "value = 1\nlow = 1\n"), "either a value, or low and high"));
  EXPECT_TRUE(contains(refusal_of(least + "value = 1\nlevel = 'last'\n"), "valid is \"settled\""));
  EXPECT_TRUE(contains(refusal_of(least + "low = 2\nhigh = 1\n"), "it is under low"));
  EXPECT_TRUE(contains(refusal_of(least + "value = 1\nunits = 'x'\n"),
                       "unknown key 'units' (did you mean unit?)"));
  EXPECT_TRUE(contains(refusal_of("name = 'r'\ntitle = 'R'\nsource = 's'\nfigures = []\n"),
                       "an array of tables is wanted"));
}

}  // namespace
}  // namespace memstencil::compare
