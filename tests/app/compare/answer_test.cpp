// Rows and sentences of the answer that are made of other rows.
#include "app/compare/show/answer.hpp"
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

}  // namespace
}  // namespace memstencil::compare
