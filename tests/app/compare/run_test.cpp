// Runs as they are read: what a result must have, and what is refused by name.
#include "app/common/results_file.hpp"
#include "app/compare/entry.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

struct ReadRuns : ::testing::Test {
  TemporaryFolder folder;
  Communicator communicator;
  std::string file(const std::string& name, const std::vector<Record>& records) {
    for (const Record& record : records) write_run(communicator, folder.file(name), Existing::Append, record);
    return folder.file(name);
  }
};

TEST_F(ReadRuns, KeepsTheOrderOfFilesAndRuns) {
  const auto runs =
      read_runs({file("b.h5", {himeno(one, 1), membench(one, 2)}), file("a.h5", {himeno(one, 3)})});
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[1].where(), folder.file("b.h5") + ", run 0002");
  EXPECT_EQ(runs[1].program(), "membench");
  EXPECT_EQ(runs[2].number("mflops"), 3000);
}

TEST_F(ReadRuns, WhatIsReadBackComparesAsWhatWasWritten) {
  const auto runs = read_runs({file("a.h5", {himeno(one, 1), membench(one, 2)})});
  EXPECT_EQ(entries_of(runs[0]).size(), entries_of(run("x", himeno(one, 1))).size());
  EXPECT_EQ(entries_of(runs[1]).front().value.maximum, 3);
}

TEST_F(ReadRuns, AFileNamedTwiceIsRefused) {
  const std::string path = file("a.h5", {himeno(one, 1)});
  EXPECT_TRUE(ends_with(refusal(ExitCode::Usage,
                                [&] {
                                  read_runs({path, folder.path().string() + "/./a.h5"});
                                }),
                        "is named twice"));
}

TEST_F(ReadRuns, AnotherProgramIsRefused) {
  Record foreign = himeno(one, 1);
  foreign["program"] = "stream";
  EXPECT_TRUE(
      contains(refusal(ExitCode::Other, [&] { read_runs({file("a.h5", {foreign})}); }), "program 'stream'"));
}

TEST_F(ReadRuns, AResultThatFailedVerificationIsRefused) {
  Record wrong = himeno(one, 1);
  wrong["verified"] = false;
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, [&] { read_runs({file("a.h5", {wrong})}); }),
                       "failed verification"));
}

TEST(Entries, AMissingMemberIsNamedWithFileAndRun) {
  Record record = himeno(one, 1);
  record["limit"].erase("fraction");
  const std::string line = refusal(ExitCode::Other, [&] { entries_of(run("a.h5", record)); });
  EXPECT_EQ(line, "cannot use a.h5, run 0001: it has no 'limit.fraction' (a number)");
}

TEST(Entries, AMemberOfAnotherKindIsNamed) {
  Record record = himeno(one, 1);
  record["mflops"] = "fast";
  EXPECT_TRUE(ends_with(refusal(ExitCode::Other, [&] { entries_of(run("a.h5", record)); }),
                        "its 'mflops' is not a number"));
  record = membench(one, 1);
  record["probes"][0]["measurements"][0].erase("samples");
  EXPECT_TRUE(
      contains(refusal(ExitCode::Other, [&] { entries_of(run("a.h5", record)); }), "it has no 'samples'"));
}

TEST(Entries, KindsThatTuneTriedAreCasesOfTheirOwn) {
  Record record = himeno(one, 1);
  record["tune"] = {{{"sweep", "single"},
                     {"tile", "8x8"},
                     {"fraction", 0.9},
                     {"sweep_seconds", {{"min", 1.0}, {"median", 2.0}, {"max", 3.0}}}},
                    {{"sweep", "temporal:9"}, {"tile", "1x1"}, {"refused", "too large"}}};
  const auto entries = entries_of(run("a.h5", record));
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].value.median, 2000);
  EXPECT_EQ(entries[0].unit, "ms");
}

}  // namespace
}  // namespace memstencil::compare
