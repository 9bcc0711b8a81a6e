// Published figures: those that we ship, how they meet ours, and what is refused.
#include "app/base/cli/toml_file.hpp"
#include "app/compare/show/show.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"
#include "tests/source_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

namespace memstencil::compare {
namespace {

const std::string shipped = source_folder() + "/inputs/reference/";

const std::string minimal =
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
    EXPECT_FALSE(read_reference(entry.path()).empty());
    EXPECT_EQ(TomlTable(entry.path(), "the file").text("name"), entry.path().stem());
  }
}

/// Our results next to the figures of this text.
Record beside(const std::string& text, const Runs& runs) {
  return published_rows({read(text)}, sides_of(runs, {}));
}

TEST(Reference, OursIsSetAgainstTheNearerEndOfARange) {
  const Runs runs{run("a.h5", membench(one, 50))};
  EXPECT_EQ(beside(minimal + "low = 100\nhigh = 200\n", runs).at(0).at("to_published"), 0.5);
  EXPECT_EQ(beside(minimal + "low = 10\nhigh = 20\n", runs).at(0).at("to_published"), 2.5);
  EXPECT_EQ(beside(minimal + "low = 10\nhigh = 90\n", runs).at(0).at("to_published"), 1.0);
  EXPECT_EQ(beside(minimal + "low = 40\n", runs).at(0).at("published"), "at least 40.00");
}

TEST(Reference, AFigureMayBeOfAnotherColumnThanTheOneThatStandsForItsRow) {
  Record result = membench(one, 50);
  result["probes"][0]["rows"][0]["steady_gbs"] = {70.0};
  const Runs runs{run("a.h5", result)};
  EXPECT_EQ(beside(minimal + "value = 100\ncolumn = 'steady_gbs'\n", runs).at(0).at("ours"), 70.0);
  EXPECT_EQ(beside(minimal + "value = 100\ncolumn = 'moved_gbs'\n", runs).at(0).at("side"),
            Record());
}

TEST(Reference, ALongCurveStandsInTablesByItsLevelsAlsoWithoutSamples) {
  std::vector<double> warps, cycles;
  for (int n = 1; n <= 41; ++n) warps.push_back(n), cycles.push_back(2.0 * n);
  Record result = membench(one, 50);
  result["probes"].push_back(
      {{"name", "shared"},
       {"axes", {"warps"}},
       {"rows",
        {{{"warps", warps}, {"cycles", cycles}}, {{"model", {"by warps"}}, {"C1", {2.0}}}}}});
  const Runs runs{run("a.h5", result)};
  const auto sides = sides_of(runs, {});
  std::vector<std::string> shown;
  for (const Record& row : probe_pairs(probe_rows_of(sides), sides[0].name))
    if (row.at("probe") == "shared") shown.push_back(row.at("row"));
  EXPECT_EQ(shown, std::vector<std::string>{"by warps"});
}

TEST(ProbePairs, OfManySizesTheLargestStandsForAll) {
  Record rows = Record::array();
  for (int size = 1; size <= 50; ++size)
    rows.push_back({{"label", std::to_string(size)},
                    {"column", "gbs"},
                    {"value", 2 * size},
                    {"derived", false},
                    {"bytes", size}});
  const auto pairs = [&rows] {
    return probe_pairs({{{"side", "s"}, {"probe", "link"}, {"rows", rows}}}, "s");
  };
  ASSERT_EQ(pairs().size(), 1U);
  EXPECT_EQ(pairs()[0]["values"]["s"], 100);
  rows.erase(rows.begin(), rows.begin() + 10);  // 40 stand in a table
  EXPECT_EQ(pairs().size(), 40U);
}

Record himeno_in(const char* space, double gflops) {
  Record result = himeno(one, gflops);
  result["memspace"] = {{"requested", space}, {"effective", space}};
  return result;
}

const std::string of_system =
    "name = 'r'\ntitle = 'R'\nsource = 's'\n[[figures]]\nprogram = 'himeno'\nwhere = {memspace = "
    "'system'}\nnote = 'n'\n";
const std::string ratio = of_system + "over = {memspace = 'device'}\nvalue = 0.5\n";

TEST(Reference, ADifferenceAndARatioAreOfTwoMemorySpacesOfTheSameSide) {
  const Runs runs{run("a.h5", himeno(one, 820), "a"), run("b.h5", himeno_in("system", 615), "a")};
  const auto less =
      beside(of_system + "minus = {memspace = 'device'}\nvalue = -100\nunit = 'GFLOPS'\n", runs);
  EXPECT_EQ(less.at(0).at("ours"), -205.0);
  const auto over = beside(ratio + "unit = 'times'\n", runs);
  EXPECT_EQ(over.at(0).at("ours"), 0.75);
  EXPECT_EQ(over.at(0).at("to_published"), 1.5) << "ours over the published ratio";
  const Runs alone{run("b.h5", himeno_in("system", 615), "a")};
  EXPECT_EQ(beside(ratio + "unit = 'times'\n", alone).at(0).at("side"), Record());
}

TEST(Reference, ARatioIsOfTwoResultsOfOneSize) {
  Record large = himeno(one, 1230);
  large["size"] = "L";
  const Runs runs{run("a.h5", large, "a"), run("b.h5", himeno(one, 820), "a"),
                  run("c.h5", himeno_in("system", 615), "a")};
  EXPECT_EQ(beside(ratio + "unit = 'times'\n", runs).at(0).at("ours"), 0.75);
}

TEST(Reference, ThePublishedStencilOfMiyabiStandsNextToHeatOnFourNodes) {
  Record ours = heat(one, 4000, {2, 2, 1});
  ours["size"] = "768x768x768";
  ours["extents"] = {768, 768, 768};
  ours["iterations"] = 500;
  ours["bandwidth_gbs"] = 8397.3;
  const Runs runs{run("a.h5", ours)};
  const Record rows =
      published_rows({read_reference(shipped + "miyabi-stencil.toml")}, sides_of(runs, {}));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(rows[2].at("to_published").get<double>(), 8397.3 / 6391.7, 1e-9) << "OpenACC";
  EXPECT_NEAR(rows[3].at("to_published").get<double>(), 8397.3 / 4513, 1e-9) << "and blocking";
  EXPECT_EQ(rows[0].at("to_published"), 1.0) << "messages hidden";
  EXPECT_NEAR(rows[1].at("to_published").get<double>(), 8397.3 / 5256.8, 1e-9) << "blocking";
}

TEST(Reference, RefusalsNameTheLineAndWhatIsValid) {
  EXPECT_TRUE(contains(refusal_of(ratio + "unit = 'GFLOPS'\n"),
                       "unit: a ratio (over) is given in \"times\""));
  EXPECT_TRUE(contains(refusal_of(ratio + "unit = 'times'\nminus = {memspace = 'device'}\n"),
                       "either a difference (minus) or a ratio (over)"));
  EXPECT_TRUE(contains(refusal_of(minimal), "low: a number is missing"));
  EXPECT_TRUE(
      contains(refusal_of(minimal + "value = 1\nlow = 1\n"), "either a value, or low and high"));
  EXPECT_TRUE(contains(refusal_of(minimal + "low = 2\nhigh = 1\n"), "it is under low"));
  EXPECT_TRUE(contains(refusal_of(minimal + "value = 1\nunits = 'x'\n"),
                       "unknown key 'units' (did you mean unit?)"));
  EXPECT_TRUE(contains(refusal_of("name = 'r'\ntitle = 'R'\nsource = 's'\nfigures = []\n"),
                       "an array of tables is wanted"));
}

}  // namespace
}  // namespace memstencil::compare
