// Results in HDF5 by one rank: what is written is read back, and foreign files are refused.
#include "app/common/record/results_file.hpp"
#include "app/common/record/hdf5_record.hpp"
#include "tests/app/common/late_files.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>
#include <random>
#include <set>

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

/// Values that no filter can pack.
std::vector<double> incompressible(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<double> values(count);
  for (double& value : values) value = std::uniform_real_distribution<double>()(random);
  return values;
}

/// `count` objects with ten attributes and three samples each, as membench's measurements are.
Record measurements(std::size_t count) {
  Record all = Record::array();
  for (std::size_t n = 0; n < count; ++n) {
    Record one{{"samples", {0.5, 0.25, 0.125}}};
    for (int a = 0; a < 10; ++a) one["parameter " + std::to_string(a)] = a;
    all.push_back(one);
  }
  return all;
}

struct ResultsFileTest : ::testing::Test {
  Communicator communicator;
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");

  ~ResultsFileTest() override { before_synchronising = before_renaming = nullptr; }

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

TEST_F(ResultsFileTest, AFullDiskIsOneLineAndLeavesNothing) {
  // A limit on the size of files stands for the disk, which a test cannot fill.
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  Record large = sample_record();
  large["samples"] = incompressible(100'000);
  ::testing::internal::CaptureStderr();
  for (rlim_t room : {rlim_t{100}, rlim_t{3000}, rlim_t{100'000}}) {
    const struct rlimit small { room, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string line = refusal(ExitCode::Other, [&] { write(large); });
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_TRUE(starts_with(line, "cannot write " + path + ": "));
    EXPECT_TRUE(ends_with(line, "File too large"));
    EXPECT_TRUE(folder.content().empty());
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "HDF5 must not print its own errors";
  std::signal(SIGXFSZ, handler);
  write(large);
  EXPECT_EQ(ResultsFile(path).run("0001")["samples"].size(), 100'000U);
}

/// A limit on the size of files stands for the disk, which a test cannot fill.
class SmallDisk {
public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const struct rlimit small { bytes, before_.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

private:
  void (*handler_)(int);
  struct rlimit before_ {};
};

TEST_F(ResultsFileTest, RoomIsAskedForBeforeTheRun) {
  write({{"samples", incompressible(10'000)}});
  const SmallDisk disk(200'000);
  const std::string elsewhere = folder.file("new.h5");
  check_output(communicator, elsewhere, Existing::Refuse, 190'000);
  check_output(communicator, path, Existing::Append, 90'000);
  EXPECT_EQ(refusal(ExitCode::Other,
                    [&] { check_output(communicator, elsewhere, Existing::Refuse, 210'000); }),
            "cannot write " + elsewhere + ": File too large");
  EXPECT_EQ(refusal(ExitCode::Other,
                    [&] { check_output(communicator, path, Existing::Append, 190'000); }),
            "cannot write " + path + ": File too large");
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsFileTest, ALongRunNeedsTheRoomOfItsNumbers) {
  const Record record{{"sweeps", {{"seconds", incompressible(300'000)}}}};
  const SmallDisk disk(2'500'000);
  write(record);
  EXPECT_EQ(ResultsFile(path).run("0001").dump(), record.dump());
}

TEST_F(ResultsFileTest, TheRoomAskedForIsThatOfTheFile) {
  constexpr std::size_t of_any_file = 8192;
  for (const std::string sample : {"himeno", "transpose", "membench"}) {
    const ResultsFile source(MEMSTENCIL_INPUTS "/reference/samples/h100-" + sample + ".h5");
    for (const std::string& run : source.runs()) {
      const Record record = source.run(run);
      write(record, Existing::Replace);
      const auto taken = std::filesystem::file_size(path);
      EXPECT_GE(hdf5::stored_bytes(record) + of_any_file, taken) << sample << " " << run;
      // What deflate saves is not known before.
      EXPECT_LE(hdf5::stored_bytes(record), taken / 2 * 5) << sample << " " << run;
    }
  }
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

TEST_F(ResultsFileTest, SmallThingsTakeLittleRoom) {
  write({{"measurements", measurements(200)}});
  // Ten attributes of a name and eight bytes, three samples: with HDF5's own choices
  // 3100 bytes, laid out so 870.
  EXPECT_LT(std::filesystem::file_size(path), 200U * 1500U);
  EXPECT_EQ(unordered(ResultsFile(path).run("0001")["measurements"]), unordered(measurements(200)));
}

TEST_F(ResultsFileTest, LongColumnsArePackedWhereTheyCanBe) {
  Record record{{"steps", std::vector<int>(300'000, 7)}, {"values", incompressible(300'000)}};
  write(record);
  EXPECT_LT(std::filesystem::file_size(path), 300'000U * 9U);
  EXPECT_EQ(ResultsFile(path).run("0001").dump(), record.dump());
}

/// Twelve processes that append at once; each says what it could not.
void append_at_once(const std::string& path) {
  constexpr int writers = 12;
  std::vector<pid_t> children;
  for (int n = 0; n < writers; ++n) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    int code = 0;
    try {
      write_run(Communicator(), path, Existing::Append, {{"n", n}});
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      code = 1;
    }
    _exit(code);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const ResultsFile file(path);
  std::set<int> found;
  for (const std::string& run : file.runs()) found.insert(file.run(run)["n"].get<int>());
  EXPECT_EQ(found.size(), std::size_t{writers});
}

TEST_F(ResultsFileTest, OfAppendsAtOnceAllAreInTheFile) {
  append_at_once(path);
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsFileTest, OfAppendsAtOnceAllAreInTheFileHoweverLateItIsRenamed) {
  before_renaming = [] { usleep(50'000); };
  append_at_once(path);
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsFileTest, ARunThatAnotherProgramAddsMeanwhileIsKept) {
  write({{"n", 1}});
  write({{"n", 2}}, Existing::Append);
  const std::string longer = folder.file("longer.h5");
  std::filesystem::copy_file(path, longer);
  write({{"n", 1}}, Existing::Replace);
  before_synchronising = [&] {
    if (std::filesystem::exists(longer)) std::filesystem::rename(longer, path);
  };
  write({{"n", 3}}, Existing::Append);
  const ResultsFile file(path);
  ASSERT_EQ(file.runs().size(), 3U);
  EXPECT_EQ(file.run("0002")["n"], 2);
  EXPECT_EQ(file.run("0003")["n"], 3);
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsFileTest, AFileThatChangesWithoutEndIsRefusedAtLast) {
  write({{"n", 1}});
  before_synchronising = [&] {
    std::filesystem::last_write_time(
        path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
  };
  EXPECT_TRUE(contains(refusal(ExitCode::Other,
                               [&] {
                                 write({{"n", 2}}, Existing::Append);
                               }),
                       "another program changed it"));
  EXPECT_EQ(ResultsFile(path).runs().size(), 1U);
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsFileTest, SaysWhichLibraryItIs) {
  EXPECT_TRUE(starts_with(hdf5_library(), "HDF5 1."));
}

}  // namespace
}  // namespace memstencil
