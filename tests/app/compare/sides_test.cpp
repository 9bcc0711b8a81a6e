// Sides: which runs are one sample or one case, and which files are a side.
#include "app/compare/judge/ranking.hpp"
#include "app/compare/judge/rows.hpp"
#include "app/compare/read/side.hpp"
#include "app/compare/show/answer.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

TEST(Sides, TheRepeatInTheMiddleByWallTimeStandsForItsCaseWithAllItsFigures) {
  // By its sweeps alone the second repeat would be the one in the middle.
  Record record = steady("managed", 0.102);
  record["bandwidth_gbs"] = 100.0;
  for (const auto& [sweep, filling] : {std::pair{0.101, 0.7}, {0.102, 0.5}, {0.103, 0.6}}) {
    const Record repeat = sweeps("managed", filling, std::vector<double>(10, sweep));
    record["repeats"].push_back(
        {{"phases", repeat.at("phases")},
         {"sweeps", repeat.at("sweeps")},
         {"mflops", 102 / sweep},
         {"limit", {{"kind", "copy"}, {"gbs", 200.0}, {"fraction", 0.05 / sweep}}}});
  }
  record["mflops"] = 1000.0;
  const Compared a({{"a", {record}}});
  ASSERT_EQ(a.sides[0].groups.size(), 1U);
  const Group& group = a.sides[0].groups[0];
  EXPECT_EQ(group.samples.size(), 3U);
  EXPECT_DOUBLE_EQ(group.middle().seconds(), 1.63);
  EXPECT_DOUBLE_EQ(group.middle().median, 0.103);
  EXPECT_DOUBLE_EQ(group.middle().fraction, 0.05 / 0.103) << "as the file has it";
}

TEST(Sides, RunsOfTwoCommandsAreTwoCases) {
  Record alone = transpose(one, "device", "copy", 1000), of_all = alone;
  const Record variant = alone["variants"][0];
  for (const char* name : {"naive", "copy"}) {
    of_all["variants"].push_back(variant);
    of_all["variants"].back()["name"] = name;
  }
  const Compared a({{"a", {alone, of_all}}});
  for (const Group& group : a.sides[0].groups)
    EXPECT_EQ(group.samples.size(), 1U) << label(group.what);
  EXPECT_NE(label(a.sides[0].groups[1].what).find("in one run of 3 variants"), std::string::npos);
}

TEST(Sides, RunsOfTwoBuildsOrAllocationsAreNeverOneSample) {
  Record newer = steady("device", 0.2), pool = steady("device", 0.2);
  newer["machine"]["program"]["git_revision"] = "abc";
  pool["options"]["allocation"] = "pool";
  for (const Record& other : {newer, pool})
    EXPECT_EQ(Compared({{"a", {steady("device", 0.1), other}}}).sides[0].groups.size(), 2U);
}

TEST(Sides, RanksThatMpiKnewAloneAreTold) {
  Record alone = steady("device", 0.1), other = steady("device", 0.1);
  alone["provenance"]["lone_rank_of"] = 4;
  other["provenance"]["lone_rank_of"] = nullptr;
  const auto notes = [](const std::vector<Record>& records) {
    return Compared({{"a", records}}).answer().at("notes");
  };
  EXPECT_EQ(notes({other, other}).size(), 0U);
  ASSERT_EQ(notes({alone, alone, other}).size(), 1U);
  EXPECT_NE(notes({alone, alone, other})[0].get<std::string>().find("a: 2 of 3 runs are single"),
            std::string::npos);
}

TEST(Sides, ATransposeOverALinkIsHeldAgainstBothWaysAtOnce) {
  Record result = transpose(one, "device", "link", 77), link = membench(one, 55);
  result["variants"][0]["fraction"] = 0.7;
  Record& rows = link["probes"][0]["rows"];
  const Record like = rows[0];
  for (const auto& [direction, gbs] :
       {std::pair{"HtoD against DtoH", 32.0}, {"DtoH against HtoD", 40.0}}) {
    Record row = like;
    row["direction"] = {direction};
    row["by"] = {"kernel"};
    row["gbs"] = {gbs};
    row["samples"]["gbs"] = {gbs, gbs, gbs};
    rows.push_back(row);
  }
  const Compared a({{"a", {result, link}}});
  EXPECT_DOUBLE_EQ(a.sides[0].groups[0].middle().limit, 72);
  EXPECT_DOUBLE_EQ(a.sides[0].groups[0].middle().fraction, 77.0 / 72);
}

TEST(Sides, MembenchRowsOfTwoOptionsAreTwoRowsAndTheOptionIsTold) {
  Record near = membench(one, 100), far = membench(one, 25);
  near["options"]["numa"] = 0;
  far["options"]["numa"] = 1;
  const Record answer = Compared({{"a", {near, far}}}).answer();
  ASSERT_EQ(answer.at("probe_pairs").size(), 2U);
  EXPECT_EQ(answer.at("probe_pairs")[0].at("values").at("a"), 100.0);
  EXPECT_EQ(answer.at("probe_pairs")[1].at("values").at("a"), 25.0);
  ASSERT_FALSE(answer.at("facts").empty());
  EXPECT_EQ(answer.at("facts")[0].at("fact"), "--numa");
}

TEST(Sides, RevisionsThatAreUnknownOrDirtyAreNeverTheSame) {
  for (const std::string revision : {"unknown", "1234abcd-dirty", "1234abcd"}) {
    Record record = steady("device", 0.1);
    record["machine"]["program"]["git_revision"] = revision;
    const Compared both({{"a", {record}}, {"b", {record}}});
    EXPECT_EQ(
        std::ranges::any_of(fact_rows(both.sides),
                            [](const Record& row) { return row.at("fact") == "git revision"; }),
        revision != "1234abcd")
        << revision;
  }
}

TEST(Sides, AFileIsASideAndANameTakesSeveralAndMoreThanEightAreRefused) {
  const auto names = [](const Runs& runs) {
    std::vector<std::string> out;
    for (const Side& side : sides_of(runs, {})) out.push_back(side.name);
    return out;
  };
  Runs runs;
  for (int n = 0; n < 9; ++n)
    runs.push_back(run("x/" + std::to_string(n) + ".h5", steady("device", 0.1)));
  EXPECT_EQ(names({runs[0], runs[1]}), (std::vector<std::string>{"0", "1"}));
  EXPECT_THROW(names(runs), Failure);
  for (std::size_t n = 1; n < 9; ++n) runs[n].side = "others";
  EXPECT_EQ(names(runs), (std::vector<std::string>{"0", "others"}));
}

TEST(Sides, RunsOfTwoDriversInOneFolderPairWithThoseOfOneDriver) {
  Record newer = steady("device", 0.2);
  newer["machine"]["gpu"]["driver"] = "999";
  const Compared both({{"a", {steady("device", 0.1)}}, {"b", {steady("device", 0.1), newer}}});
  const auto pairs = pairs_of(both.sides[0], both.sides[1]);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_NE(pairs[0].label, pairs[1].label);
  EXPECT_TRUE(pairs[1].label.ends_with("driver 999")) << pairs[1].label;
  EXPECT_DOUBLE_EQ(pairs[1].interval.value, 2.5 / 1.5);
  for (const Ranked& each : both.problems[0].sides[1])
    EXPECT_DOUBLE_EQ(*each.to_base, each.seconds / 1.5);
  EXPECT_DOUBLE_EQ(pairs_of(both.sides[1], both.sides[0])[1].interval.value, 1.5 / 2.5);
}

TEST(Sides, AClockOfAnotherKindOfGpuIsNoSetting) {
  Record other = machine("n2", "GPU two");
  Record mine = one;
  mine["gpu"]["nvidia_smi"] = {{"max_memory_clock_mhz", 2619}};
  other["gpu"]["nvidia_smi"] = {{"max_memory_clock_mhz", 3201}};
  for (const char* folder : {"a", "b"}) {  // of one side, or of two
    const Runs runs{run("a.h5", himeno(mine, 1), "a"), run("b.h5", himeno(other, 1), folder)};
    const Record facts = answer_of(sides_of(runs, {}), {}, true).record.at("facts");
    for (const Record& fact : facts) EXPECT_NE(fact.at("fact"), "largest memory clock (MHz)");
  }
}

}  // namespace
}  // namespace memstencil::compare
