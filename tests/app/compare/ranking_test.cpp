// Rankings: the fastest memory, runs of fewer steps, spreads, and sides against each other.
#include "app/compare/judge/ranking.hpp"
#include "app/compare/show/answer.hpp"
#include "app/compare/show/document.hpp"
#include "app/compare/show/sentences.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace memstencil::compare {
namespace {

TEST(Ranking, FastestMemoryComesFirstWithTheRatioOfTheOthers) {
  const Compared a({{"a", {steady("managed", 0.2), steady("device", 0.1)}}});
  ASSERT_EQ(a.problems.size(), 1U);
  EXPECT_EQ(a.ranked()[0].memory, "device, filled by host");
  EXPECT_DOUBLE_EQ(a.ranked()[1].to_best, 2.5 / 1.5);
}

/// The first table of the first screen.
Table first_table(const Compared& compared) {
  const Document document = document_of(compared.answer());
  const auto found = std::find_if(document.first.begin(), document.first.end(),
                                  [](const Section& section) { return !section.tables.empty(); });
  return found == document.first.end() ? Table{} : found->tables[0];
}

TEST(Ranking, ASteadyRunOfFewerStepsIsBroughtToTheCommonNumber) {
  const Compared a(
      {{"a", {steady("managed", 0.2), steady("device", 0.1), steady("host-pinned", 1.0, 6)}}});
  const Ranked& slow = a.ranked().back();
  EXPECT_DOUBLE_EQ(slow.seconds, 10.5);
  EXPECT_DOUBLE_EQ(slow.once, 0.5) << "of ten sweeps, as it ran six";
  EXPECT_NE(slow.reason.find("extrapolated from 6 sweeps"), std::string::npos);
  const Table table = first_table(a);
  EXPECT_EQ(table.rows.front()[1], "1.500");
  EXPECT_EQ(table.rows.back()[1], "~10.50") << "it is marked in its cell";
}

TEST(Ranking, ARunOfFewerStepsWithoutASteadyPaceIsLeftOut) {
  const Compared a({{"a",
                     {steady("managed", 0.2), steady("device", 0.1),
                      sweeps("system", 0.5, {1, 1, 1, 1, 2, 2, 2})}}});
  EXPECT_EQ(a.problems[0].rows(), 2U);
  EXPECT_EQ(a.problems[0].left_out.size(), 1U);
}

TEST(Ranking, PagesThatMoveInTheFirstSweepStandBeyondThePace) {
  const Compared a({{"a", {sweeps("managed", 0.5, {2.1, 0.1, 0.1, 0.1, 0.1})}}});
  const Sample& sample = a.sides[0].groups[0].middle();
  EXPECT_DOUBLE_EQ(sample.at(5)[Part::Pace], 0.5);
  EXPECT_DOUBLE_EQ(sample.at(5)[Part::Beyond], 2.0);
  EXPECT_DOUBLE_EQ(sample.at(5).total(), sample.seconds());
}

TEST(Ranking, ASpreadOfTwoRunsIsCalledSo) {
  const auto first_sentence = [](std::vector<Record> records) {
    records.push_back(steady("managed", 0.1001));
    return Compared({{"a", records}}).said().at(0);
  };
  const Record a = steady("device", 0.100), b = steady("device", 0.104);
  EXPECT_NE(first_sentence({a, b}).find(", spread of two)"), std::string::npos);
  EXPECT_EQ(first_sentence({a, b, a}).find("spread of two"), std::string::npos);
}

TEST(Ranking, MemoriesAreEqualWithinTheirOwnSpreadNotThatOfAnotherCase) {
  Record noisy = steady("host-pinned", 1.0), noisier = steady("host-pinned", 3.0);
  const Record device = steady("device", 0.100);
  const Compared a(
      {{"a", {device, device, device, steady("managed", 0.115), noisy, noisy, noisier}}});
  EXPECT_GT(a.sides[0].spread()->fraction, 1);
  EXPECT_FALSE(a.ranked()[1].equal) << "1.65 against 1.5 s, and device has no spread";
}

TEST(Ranking, ALeadInsideTheSpreadIsNoneAndAWideSpreadTellsNothing) {
  const auto first_sentence = [](double least, double most) {
    // Equal runs of 10 sweeps and 0.5 s of filling; the one in the middle takes 2.6 s, a's 2.5 s.
    const std::vector<Record> equal{steady("device", least), steady("device", 0.21),
                                    steady("device", most)};
    return Compared({{"a", {steady("device", 0.2)}}, {"b", equal}}).said().at(0);
  };
  EXPECT_TRUE(first_sentence(0.200, 0.213).starts_with("a and b are equally fast, within 5"))
      << first_sentence(0.200, 0.213);
  EXPECT_TRUE(first_sentence(0.10, 0.24)
                  .starts_with("a and b cannot be told apart, because equal runs differ by 5"))
      << first_sentence(0.10, 0.24);
  EXPECT_TRUE(first_sentence(0.209, 0.211).starts_with("a is 1.04 times as fast as b"))
      << first_sentence(0.209, 0.211);
}

TEST(Ranking, EverySideHasARowOfItsOwnWithItsOwnReason) {
  Record quick = steady("device", 0.1), slow = steady("device", 0.2);
  quick["limit"]["gbs"] = 3017.0;
  slow["limit"]["gbs"] = 4245.0;
  const Table table =
      first_table(Compared({{"a", {quick, steady("managed", 0.2)}}, {"b", {slow}}}));
  ASSERT_EQ(table.rows.size(), 3U);  // device of a and b, managed of a
  EXPECT_EQ(table.rows[0][1], "a");
  EXPECT_NE(table.rows[0].back().find("3017 GB/s"), std::string::npos) << table.rows[0].back();
  EXPECT_EQ(table.rows[1][1], "b");
  EXPECT_NE(table.rows[1].back().find("4245 GB/s"), std::string::npos) << table.rows[1].back();
}

TEST(Ranking, ASecondPerStepAndASecondPaidOnceAreTwoFigures) {
  const Record device = steady("device", 0.1),
               more_once = sweeps("managed", 0.612, std::vector<double>(10, 0.1));
  const Compared a({{"a", {device, more_once}}});
  const Ranked& managed = a.ranked()[1];
  EXPECT_NEAR(managed.step, 0.1, 1e-12);
  EXPECT_NEAR(managed.once, 0.612, 1e-12);
  EXPECT_DOUBLE_EQ(managed.seconds, managed.once + 10 * managed.step);
  // 0.112 s are 1 % of 11.2 s: 0.5 s once, and 107 sweeps. Inside the spread it is not said.
  const std::string said = Compared({{"a", {device, more_once, device, more_once}}}).said().at(0);
  EXPECT_NE(said.find("sweeps equally fast; it pays 0.112 s more, once: 1 % after 107 sweeps"),
            std::string::npos)
      << said;
}

TEST(Ranking, WhatIsLessThanAPercentFromTheStartIsSaidWithoutANumberOfSweeps) {
  // The wall times of device agree, its sweeps do not: managed is slower by its sweeps, which count
  // as equal, and 0.01 s are less than 1 % of the 5 s that both pay once.
  const auto hundred = [](const char* memory, double once, double sweep) {
    return sweeps(memory, once, std::vector<double>(100, sweep));
  };
  const std::string said = Compared({{"a",
                                      {hundred("device", 5, 0.1), hundred("device", 4.61, 0.104),
                                       hundred("managed", 5.01, 0.10295)}}})
                               .said()
                               .at(0);
  EXPECT_TRUE(ends_with(said, "sweeps equally fast; it pays 10.0 ms more, once.")) << said;
}

TEST(Ranking, BestAgainstBestTakesTheBestKindOfEachSideAndTheSameKindIsTheSecondFigure) {
  const auto kinds = [](double single, double fused) {
    Record other = steady("device", fused);
    other["sweep"] = "temporal:3";
    return std::vector<Record>{steady("device", single), steady("managed", single), other};
  };
  const auto words = Compared({{"a", kinds(0.2, 0.1)}, {"b", kinds(0.1, 0.075)}}).said();
  EXPECT_TRUE(
      words.at(0).starts_with("b is 1.20 times as fast as a, best against best (temporal:3"))
      << words.at(0);
  EXPECT_TRUE(words.at(1).starts_with("b is 1.67 times as fast as a, both single")) << words.at(1);
}

TEST(Ranking, VariantsOfTransposesThatWereTheDefaultOfEachSideAreNamed) {
  const Record tuned = transpose(one, "device", "copy", 2000);
  Record portable = tuned;
  portable["variants"][0]["name"] = "portable";
  portable["variants"][0]["seconds"] = {0.005, 0.005};
  const std::string said = Compared({{"a", {tuned}}, {"b", {portable}}}).said().at(0);
  EXPECT_TRUE(starts_with(said, "b is ")) << said;
  EXPECT_TRUE(contains(said, "best against best (portable in ")) << said;
  EXPECT_TRUE(contains(said, " against tuned in ")) << said;
}

TEST(Ranking, KindsOfOneTaskAreRankedWhereNoKindIsCommon) {
  Record fused = steady("device", 0.05);
  fused["sweep"] = "temporal:3";
  const Compared both({{"a", {steady("device", 0.1)}}, {"b", {fused}}});
  EXPECT_TRUE(starts_with(both.said().at(0), "b is 1.50 times as fast as a"));
  const Table table = first_table(both);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0], "temporal:3, device, filled by host");
  EXPECT_EQ(table.rows[1][0], "single, device, filled by host");
}

TEST(Ranking, TheBestUnifiedMemoriesOfTwoSidesStandNextToEachOther) {
  const Record unified = Compared({{"a", {steady("device", 0.1), steady("managed", 0.3)}},
                                   {"b", {steady("device", 0.1), steady("system", 0.1)}}})
                             .answer()
                             .at("unified");
  ASSERT_EQ(unified.size(), 2U);
  EXPECT_EQ(unified[1].at("memory"), "system, filled by host");
  EXPECT_DOUBLE_EQ(unified[1].at("to_base").get<double>(), 1.5 / 3.5);
}

TEST(Ranking, AFirstScreenOfAnyNumberOfSidesAndMemoriesFitsAndSaysWhatIsLeftOut) {
  Compared::Folders folders;
  for (int side = 0; side < 200; ++side) {
    std::vector<Record> records;
    for (const char* memory : {"device", "managed", "host-pinned"})
      for (const bool prefetch : {false, true})
        records.emplace_back(steady(memory, 0.1))["options"]["prefetch"] = prefetch;
    folders.emplace_back("a site, driver " + std::to_string(side), records);
  }
  const Compared all(folders);
  for (const std::ptrdiff_t most : {2, 200}) {
    const std::vector<Side> some(all.sides.begin(), all.sides.begin() + most);
    const Document document = document_of(answer_of(some, 0, {}));
    const std::string text = to_text(document, false);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 100);
    EXPECT_EQ(text.find(" of Answer, ") != text.npos, most == 200) << text;
    EXPECT_EQ(text.find(" 1386 of By wall time") != text.npos, most == 200) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    const std::string full = to_text(document, true);
    EXPECT_EQ(full.find("Left out"), full.npos);
  }
}

}  // namespace
}  // namespace memstencil::compare
