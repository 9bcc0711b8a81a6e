// Sides: which runs are one sample or one case, and which files are a side.
#include "app/compare/judge/judge.hpp"
#include "app/compare/read/sample.hpp"
#include "app/compare/show/show.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

TEST(Sides, RunsOfTwoBuildsOrAllocationsAreNeverOneSample) {
  Record newer = steady("device", 0.2), pool = newer, tile = newer, far = newer;
  newer["machine"]["program"]["git_revision"] = "abc";
  pool["options"]["allocation"] = "pool";
  tile["sweep_kernel"] = "tile 128x2x8";
  far["provenance"]["hosts"] = {"n1", "n2"};
  for (const Record& other : {newer, pool, tile, far})
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
  EXPECT_TRUE(
      contains(notes({alone, alone, other})[0].get<std::string>(), "a: 2 of 3 runs are single"));
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
    const Record facts = answer_of(sides_of(runs, {}), {}).at("facts");
    bool named = false;
    for (const Record& fact : facts) {
      EXPECT_NE(fact.at("fact"), "largest memory clock (MHz)");
      named = named || fact.at("fact") == "GPU";
    }
    EXPECT_TRUE(named);
  }
}

}  // namespace
}  // namespace memstencil::compare
