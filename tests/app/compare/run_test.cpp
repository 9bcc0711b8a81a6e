// Runs as they are read: what a result must have, and what is refused by name.
#include "app/base/record/results_file.hpp"
#include "app/compare/entry.hpp"
#include "app/compare/facts.hpp"
#include "app/compare/model_errors.hpp"
#include "app/compare/side.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace memstencil::compare {
namespace {

struct ReadRuns : ::testing::Test {
  TemporaryFolder folder;
  Communicator communicator;
  std::string file(const std::string& name, const Record& record) {
    const std::string path = folder.file(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    write_result(communicator, {path, false}, "", record);
    return path;
  }
};

TEST_F(ReadRuns, KeepsTheOrderOfFiles) {
  const auto runs = read_runs({file("b.h5", membench(one, 2)), file("a.h5", himeno(one, 3))});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_NE(runs[0].as<probed::Result>(), nullptr);
  EXPECT_EQ(runs[1].as<himeno::Result>()->mflops, 3000);
}

TEST_F(ReadRuns, ReadsAllResultsBelowAFolder) {
  file("miyabi/b.h5", himeno(one, 1));
  file("miyabi/job 7/a.h5", himeno(one, 2));
  folder.write("miyabi/a.field", "no result");
  folder.write("miyabi/.hidden.h5", "half written");
  const auto runs = read_runs({folder.file("miyabi")});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].file, folder.file("miyabi/b.h5"));
  EXPECT_EQ(runs[1].folder, folder.file("miyabi"));
}

TEST_F(ReadRuns, WhatIsReadBackComparesAsWhatWasWritten) {
  const auto runs = read_runs({file("a.h5", himeno(one, 1)), file("b.h5", membench(one, 2))});
  EXPECT_EQ(entries_of(runs[0]).size(), entries_of(run("x", himeno(one, 1))).size());
  EXPECT_EQ(entries_of(runs[1]).front().value.maximum, 3);
}

TEST_F(ReadRuns, AFileNamedTwiceIsRefused) {
  const std::string path = file("a.h5", himeno(one, 1));
  EXPECT_TRUE(ends_with(refusal(ExitCode::Usage,
                                [&] {
                                  read_runs({path, folder.path().string() + "/./a.h5"});
                                }),
                        "is named twice"));
}

TEST_F(ReadRuns, AnotherProgramIsRefused) {
  Record foreign = himeno(one, 1);
  foreign["program"] = "stream";
  EXPECT_TRUE(contains(refusal(ExitCode::Other, [&] { read_runs({file("a.h5", foreign)}); }),
                       "program 'stream'"));
}

TEST_F(ReadRuns, AResultThatFailedVerificationIsRefused) {
  Record wrong = himeno(one, 1);
  wrong["verified"] = false;
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, [&] { read_runs({file("a.h5", wrong)}); }),
                       "failed verification"));
}

TEST(Entries, AMissingMemberIsNamedWithItsFile) {
  Record record = himeno(one, 1);
  record["limit"].erase("fraction");
  const std::string line = refusal(ExitCode::Other, [&] { entries_of(run("a.h5", record)); });
  EXPECT_EQ(line, "cannot use a.h5: 'limit.fraction' is missing");
}

TEST(Entries, AMemberOfAnotherKindIsNamed) {
  Record record = himeno(one, 1);
  record["mflops"] = "fast";
  EXPECT_TRUE(ends_with(refusal(ExitCode::Other, [&] { entries_of(run("a.h5", record)); }),
                        "'mflops' is a text, a number is needed"));
  record = membench(one, 1);
  record["probes"][0]["measurements"][0].erase("samples");
  EXPECT_TRUE(contains(refusal(ExitCode::Other, [&] { run("a.h5", record); }),
                       "'probes.0001.measurements.0001.samples' is missing"));
}

/// Each member of a result in turn is removed or of another type: the run is read and compared all
/// the same, or refused in one line that names the file.
void damage(const Record& whole, const Record& part, const Record::json_pointer& at) {
  for (const auto& [key, value] : part.items()) {
    const auto here = part.is_array() ? at / std::stoul(key) : at / key;
    for (const Record& wrong :
         {Record(), Record("text"), Record(-1.5), Record::array(), Record::object()}) {
      Record damaged = whole;
      damaged[here] = wrong;
      if (wrong.is_null() && !part.is_array()) damaged[at].erase(key);
      try {
        const Runs runs{run("a.h5", damaged), run("b.h5", whole)};
        const auto sides = sides_of(runs, {});
        machines_table(sides);
        differing_facts(sides);
        predicted_and_measured(sides);
      } catch (const Failure& failure) {
        EXPECT_TRUE(contains(failure.what(), "a.h5: ")) << failure.what();
      }
    }
    if (value.is_structured()) damage(whole, value, here);
  }
}

TEST(Entries, OfADamagedResultAreRefusedInOneLineOrLackNothing) {
  for (const Record& whole :
       {himeno(one, 1), transpose(one, "device", "copy", 96), membench(one, 50)})
    EXPECT_NO_THROW(damage(whole, whole, Record::json_pointer()));
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
