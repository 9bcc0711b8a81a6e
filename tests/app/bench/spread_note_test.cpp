// The note on steps that take very different times.
#include "app/bench/memory_record.hpp"

#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

std::string note(const Spread& seconds, const std::string& policy = "", int threads = 2) {
  Provenance provenance;
  provenance.record = {{"environment", Record::object()}, {"ranks", {{{"threads", threads}}}}};
  if (!policy.empty()) provenance.record["environment"]["OMP_WAIT_POLICY"] = policy;
  const auto lines = spread_note("sweep", seconds, provenance);
  return lines.empty() ? "" : lines.at(0).second;
}

TEST(SpreadNote, NamesThreadsThatSpinWhereStepsTakeVeryDifferentTimes) {
  EXPECT_EQ(note({1, 2, 10}), "");
  const std::string text = note({1, 2, 600});
  EXPECT_TRUE(starts_with(text, "sweeps took 1.000 s to 600.0 s, median 2.000 s")) << text;
  EXPECT_TRUE(contains(text, "OMP_WAIT_POLICY=passive lets them sleep")) << text;
  EXPECT_NE(note({1, 300, 600}), "") << "most of them are slow";
}

TEST(SpreadNote, DoesNotAskForASettingThatIsThere) {
  EXPECT_TRUE(ends_with(note({1, 2, 600}, "passive"), "perhaps other work on these cores"));
  EXPECT_TRUE(contains(note({1, 2, 600}, "active"), "OMP_WAIT_POLICY=passive"));
  EXPECT_TRUE(ends_with(note({1, 2, 600}, "", 1), "perhaps other work on these cores"))
      << "one thread has none beside it that could spin";
}

}  // namespace
}  // namespace memstencil
