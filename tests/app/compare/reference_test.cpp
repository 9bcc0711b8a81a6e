// Published figures: those that we ship, how they meet ours, and what is refused.
#include "app/compare/reference.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"
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

TEST(Reference, AFigureWithoutACounterpartSaysSo) {
  const Runs runs{run("a.h5", himeno(one, 1))};
  const Table table = published_table(read(least + "value = 100\n"), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][4], "no such result");
}

TEST(Reference, ADifferenceIsOfTwoMemorySpacesOfTheSameSide) {
  Record system = himeno(one, 700);
  system["memspace"] = {{"requested", "system"}, {"effective", "system"}};
  const Runs runs{run("a.h5", himeno(one, 820)), run("a.h5", system, "0002")};
  const std::string text =
      "name = 'r'\ntitle = 'R'\nsource = 's'\n[[figures]]\nprogram = 'himeno'\nwhere = {memspace = "
      "'system'}\n"
      "minus = {memspace = 'device'}\nvalue = -100\nunit = 'GFLOPS'\nnote = 'n'\n";
  const Table table = published_table(read(text), sides_of(runs, {}));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][5], -120.0);
  EXPECT_EQ(table.rows[0][6], 1.2);
}

TEST(Reference, RefusalsNameTheLineAndWhatIsValid) {
  EXPECT_TRUE(contains(refusal_of(least), "low: a number is missing"));
  EXPECT_TRUE(
      contains(refusal_of(least + "value = 1\nlow = 1\n"), "either a value, or low and high"));
  EXPECT_TRUE(contains(refusal_of(least + "low = 2\nhigh = 1\n"), "it is under low"));
  EXPECT_TRUE(contains(refusal_of(least + "value = 1\nunits = 'x'\n"),
                       "unknown key 'units' (did you mean unit?)"));
  EXPECT_TRUE(contains(refusal_of("name = 'r'\ntitle = 'R'\nsource = 's'\nfigures = []\n"),
                       "an array of tables is wanted"));
}

}  // namespace
}  // namespace memstencil::compare
