// Rows and sentences of the answer that are made of other rows.
#include "app/compare/show/answer.hpp"
#include "app/compare/judge/scaling.hpp"
#include "app/compare/show/probe_rows.hpp"

#include <gtest/gtest.h>

#include <string>

namespace memstencil::compare {
namespace {

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

TEST(Scaling, ACurveGivesNoReasonOfAnother) {
  const auto row = [](const char* curve, int ranks) {
    return Record{{"side", "s"},    {"scaling", "strong"},    {"curve", curve},
                  {"ranks", ranks}, {"unit_of_ranks", "GPU"}, {"not_predicted", ""}};
  };
  Record alone = row("a", 1), none = row("b", 1);
  alone["rate"] = 1.0;
  none["not_predicted"] = "nobody gives it";
  EXPECT_TRUE(scaling_sentences({alone, none}).empty());
  EXPECT_TRUE(scaling_sentences({none, alone}).empty());
  none["curve"] = "a";
  const auto said = scaling_sentences({alone, none});
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0], "s, strong scaling, a: not predicted beyond 1 GPU: nobody gives it.");
}

}  // namespace
}  // namespace memstencil::compare
