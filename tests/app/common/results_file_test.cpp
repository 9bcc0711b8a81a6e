// Results in HDF5 by one rank: what is written is read back, and foreign files are refused.
#include "app/common/record/results_file.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <limits>

namespace memstencil {
namespace {

Record sample_record() {
  return {{"program", "himeno"},
          {"title", "Größe \"XL\", 多"},
          {"empty", ""},
          {"iterations", 3000},
          {"big", std::numeric_limits<std::int64_t>::max()},
          {"negative", -5},
          {"gosa", 8.606862309e-04},
          {"verified", true},
          {"prefetch", false},
          {"seconds", nullptr},
          {"extents", {512, 512, 1024}},
          {"memspace", {{"requested", "managed"}, {"effective", "host"}}},
          {"phases", {{"initialise", 0.25}, {"sweeps", 1.5}}},
          {"sweeps", {{"seconds", {0.5, 0.25, 0.125}}}},
          {"nothing", Record::array()},
          {"object", Record::object()},
          {"mixed_numbers", {1, 2.5}},
          {"names", {"a", "", "ü"}},
          {"answers", {true, false}},
          {"variants",
           {{{"name", "naive"}, {"gbs", {1.0, 2.0}}}, {{"name", "tiled"}, {"gbs", {3.0, 4.0}}}}}};
}

/// Without the order of members, which attributes, groups and datasets do not share.
nlohmann::json unordered(const Record& record) { return nlohmann::json::parse(record.dump()); }

struct ResultsFileTest : ::testing::Test {
  Communicator communicator;
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");

  void write(const Record& record, Existing existing = Existing::Refuse) {
    write_run(communicator, path, existing, record);
  }
  std::string append_refusal() {
    return refusal(ExitCode::Other, [&] { check_output(communicator, path, Existing::Append); });
  }
  void rename_run(const std::string& from, const std::string& to) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lmove(file, ("/runs/" + from).c_str(), file, ("/runs/" + to).c_str(), H5P_DEFAULT,
            H5P_DEFAULT);
    H5Fclose(file);
  }
  /// By another program: without the order of creation.
  void make_groups(const std::vector<std::string>& names) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    for (const std::string& name : names)
      H5Gclose(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
  }
  /// An HDF5 file with the two attributes of the schema.
  void write_foreign(const char* schema, int version) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, std::string(schema).size());
    const hid_t name = H5Acreate2(file, "schema", text, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(name, text, schema);
    const hid_t number =
        H5Acreate2(file, "schema_version", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(number, H5T_NATIVE_INT, &version);
    H5Aclose(name);
    H5Aclose(number);
    H5Tclose(text);
    H5Sclose(space);
    H5Fclose(file);
  }
};

TEST_F(ResultsFileTest, ARunIsReadBackAsItWasWritten) {
  write(sample_record());
  const ResultsFile file(path);
  EXPECT_EQ(file.runs(), std::vector<std::string>{"0001"});
  EXPECT_EQ(unordered(file.run("0001")), unordered(sample_record()));
}

TEST_F(ResultsFileTest, KeepsTheOrderOfPhases) {
  write({{"phases", {{"upload", 1.0}, {"allocate", 2.0}, {"sweeps", 3.0}}}});
  EXPECT_EQ(ResultsFile(path).run("0001")["phases"].dump(),
            R"({"upload":1.0,"allocate":2.0,"sweeps":3.0})");
}

TEST_F(ResultsFileTest, AppendAddsRunsAndKeepsTheOlder) {
  for (int n = 1; n <= 12; ++n) write({{"n", n}}, Existing::Append);
  const ResultsFile file(path);
  ASSERT_EQ(file.runs().size(), 12U);
  EXPECT_EQ(file.runs().back(), "0012");
  EXPECT_EQ(file.run("0001")["n"], 1);
  EXPECT_EQ(file.run("0012")["n"], 12);
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsFileTest, RunsAreCountedOnAfterFourDigits) {
  write({{"n", 1}});
  rename_run("0001", "9998");
  for (int n = 2; n <= 4; ++n) write({{"n", n}}, Existing::Append);
  const ResultsFile file(path);
  EXPECT_EQ(file.runs(), (std::vector<std::string>{"9998", "9999", "10000", "10001"}));
  EXPECT_EQ(file.run("10001")["n"], 4);
}

TEST_F(ResultsFileTest, RunsAreInOrderOfTheirNumbersWhereTheFileDoesNotKeepIt) {
  write_foreign("memstencil-results", 1);
  make_groups({"/runs", "/runs/10000", "/runs/9999", "/runs/0002"});
  EXPECT_EQ(ResultsFile(path).runs(), (std::vector<std::string>{"0002", "9999", "10000"}));
  write({{"n", 1}}, Existing::Append);
  EXPECT_EQ(ResultsFile(path).runs().back(), "10001");
}

TEST_F(ResultsFileTest, GroupsOfOthersAmongTheRunsAreLeftAlone) {
  write({{"n", 1}});
  make_groups({"/runs/notes", "/runs/7th", "/runs/99999999999999999999999999"});
  check_output(communicator, path, Existing::Append);
  write({{"n", 2}}, Existing::Append);
  EXPECT_EQ(ResultsFile(path).run("0002")["n"], 2);
  EXPECT_EQ(ResultsFile(path).runs().size(), 5U);
}

TEST_F(ResultsFileTest, AnExistingFileIsKeptWithoutForceAndReplacedWithIt) {
  write({{"n", 1}});
  EXPECT_TRUE(contains(refusal(ExitCode::Other, [&] { write({{"n", 2}}); }), "it exists"));
  EXPECT_TRUE(contains(
      refusal(ExitCode::Other, [&] { check_output(communicator, path, Existing::Refuse); }),
      "it exists"));
  EXPECT_EQ(ResultsFile(path).run("0001")["n"], 1);
  write({{"n", 3}}, Existing::Replace);
  EXPECT_EQ(ResultsFile(path).runs().size(), 1U);
  EXPECT_EQ(ResultsFile(path).run("0001")["n"], 3);
}

TEST_F(ResultsFileTest, ForceReplacesWhateverWasThere) {
  folder.write("result.h5", "plain text");
  check_output(communicator, path, Existing::Replace);
  write({{"n", 3}}, Existing::Replace);
  EXPECT_EQ(ResultsFile(path).run("0001")["n"], 3);
}

TEST_F(ResultsFileTest, CheckingAnOutputWritesNothing) {
  check_output(communicator, path, Existing::Refuse);
  check_output(communicator, path, Existing::Append);
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(ResultsFileTest, AppendingToWhatIsNotHdf5IsRefused) {
  folder.write("result.h5", "plain text");
  EXPECT_EQ(append_refusal(), "cannot read " + path + ": it is not an HDF5 file");
  folder.write("result.h5", "");
  EXPECT_EQ(append_refusal(), "cannot read " + path + ": it is not an HDF5 file");
}

TEST_F(ResultsFileTest, AppendingToATruncatedFileIsRefused) {
  write(sample_record());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_TRUE(starts_with(append_refusal(), "cannot read " + path + ": "));
  EXPECT_TRUE(contains(append_refusal(), "truncated"));
}

TEST_F(ResultsFileTest, AppendingToAnotherSchemaIsRefused) {
  write_foreign("climate-model", 1);
  EXPECT_TRUE(ends_with(append_refusal(), "it is an HDF5 file, but holds no memstencil results"));
}

TEST_F(ResultsFileTest, AppendingToAnotherVersionIsRefused) {
  write_foreign("memstencil-results", 2);
  EXPECT_TRUE(ends_with(append_refusal(),
                        "its results have schema version 2, this program knows version 1"));
}

TEST_F(ResultsFileTest, AppendingToAFileWithoutAPlaceForRunsIsRefused) {
  write_foreign("memstencil-results", 1);
  EXPECT_TRUE(starts_with(append_refusal(), "cannot read " + path + ": group runs: "));
}

TEST_F(ResultsFileTest, ReadingWhatIsMissingNamesIt) {
  EXPECT_EQ(refusal(ExitCode::Other, [&] { ResultsFile{path}; }),
            "cannot read " + path + ": No such file or directory");
  write({{"n", 1}});
  const ResultsFile file(path);
  EXPECT_TRUE(starts_with(refusal(ExitCode::Other, [&] { file.run("0002"); }),
                          "cannot read " + path + ": group /runs/0002"));
  EXPECT_TRUE(
      contains(refusal(ExitCode::Other, [&] { file.field("0001", "pressure"); }), "pressure"));
}

TEST_F(ResultsFileTest, ANumberThatIsNotFiniteIsNeverWritten) {
  try {
    write({{"phases", {{"sweeps", std::numeric_limits<double>::quiet_NaN()}}}});
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification);
    EXPECT_TRUE(contains(failure.what(), "phases.sweeps"));
  }
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(ResultsFileTest, ArraysOfSeveralKindsAreRefusedAndLeaveNothing) {
  EXPECT_TRUE(contains(refusal(ExitCode::Other,
                               [&] {
                                 write({{"odd", {1, "x"}}});
                               }),
                       "'odd' cannot be stored"));
  EXPECT_TRUE(contains(refusal(ExitCode::Other,
                               [&] {
                                 write({{"odd", {{1, 2}, {3, 4}}}});
                               }),
                       "'odd' cannot be stored"));
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(ResultsFileTest, AnyNumberOfAttributesAndMembersIsReadBackInOrder) {
  Record record = Record::object();
  for (int n = 0; n < 1000; ++n) {
    record["number " + std::to_string(n)] = n;
    record["text " + std::to_string(n)] = std::string(100, 'x') + std::to_string(n);
  }
  for (int n = 0; n < 1000; ++n) record["group " + std::to_string(n)] = {{"n", n}};
  write(record);
  EXPECT_EQ(ResultsFile(path).run("0001").dump(), record.dump());
}

TEST_F(ResultsFileTest, ATextLongerThanAHeaderIsReadBack) {
  const std::string text(100'000, 'x');
  write({{"text", text}});
  EXPECT_EQ(ResultsFile(path).run("0001")["text"], text);
}

TEST_F(ResultsFileTest, SaysWhichLibraryItIs) {
  EXPECT_TRUE(starts_with(hdf5_library(), "HDF5 1."));
}

}  // namespace
}  // namespace memstencil
