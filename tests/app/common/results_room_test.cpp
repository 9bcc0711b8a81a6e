// The room that results files take, and what becomes of them on a full disk and where several
// programs write at once.
#include "app/common/record/hdf5_record.hpp"
#include "app/common/record/results_file.hpp"
#include "tests/app/common/at_once.hpp"
#include "tests/app/common/late_files.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <chrono>
#include <cstdio>
#include <random>
#include <set>

namespace memstencil {
namespace {

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

struct ResultsRoomTest : ::testing::Test {
  Communicator communicator;
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");

  ResultsRoomTest() { std::signal(SIGXFSZ, SIG_IGN); }  // a write beyond a limit then fails
  ~ResultsRoomTest() override { before_synchronising = before_renaming = nullptr; }

  void write(const Record& record, Existing existing = Existing::Refuse) {
    write_run(communicator, path, existing, record);
  }
};

TEST_F(ResultsRoomTest, AFullDiskIsOneLineAndLeavesNothing) {
  // A limit on the size of files stands for the disk, which a test cannot fill.
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const Record large{{"program", "himeno"}, {"samples", incompressible(100'000)}};
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
  write(large);
  EXPECT_EQ(ResultsFile(path).run("0001")["samples"].size(), 100'000U);
}

/// A limit on the size of files stands for the disk, which a test cannot fill.
class SmallDisk {
public:
  explicit SmallDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const struct rlimit small { bytes, before_.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

private:
  struct rlimit before_ {};
};

TEST_F(ResultsRoomTest, RoomIsAskedForBeforeTheRun) {
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

TEST_F(ResultsRoomTest, ALongRunNeedsTheRoomOfItsNumbers) {
  const Record record{{"sweeps", {{"seconds", incompressible(300'000)}}}};
  const SmallDisk disk(2'500'000);
  write(record);
  EXPECT_EQ(ResultsFile(path).run("0001").dump(), record.dump());
}

TEST_F(ResultsRoomTest, TheRoomAskedForIsThatOfTheFile) {
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

TEST_F(ResultsRoomTest, SmallThingsTakeLittleRoom) {
  write({{"measurements", measurements(200)}});
  // Ten attributes of a name and eight bytes, three samples: with HDF5's own choices
  // 3100 bytes, laid out so 870.
  EXPECT_LT(std::filesystem::file_size(path), 200U * 1500U);
  // Attributes, groups and datasets do not share an order: compared without it.
  EXPECT_EQ(nlohmann::json::parse(ResultsFile(path).run("0001")["measurements"].dump()),
            nlohmann::json::parse(measurements(200).dump()));
}

TEST_F(ResultsRoomTest, LongColumnsArePackedWhereTheyCanBe) {
  Record record{{"steps", std::vector<int>(300'000, 7)}, {"values", incompressible(300'000)}};
  write(record);
  EXPECT_LT(std::filesystem::file_size(path), 300'000U * 9U);
  EXPECT_EQ(ResultsFile(path).run("0001").dump(), record.dump());
}

/// Twelve processes that append at once.
void append_at_once(const std::string& path) {
  constexpr int writers = 12;
  at_once(writers, [&](int n) { write_run(Communicator(), path, Existing::Append, {{"n", n}}); });
  const ResultsFile file(path);
  std::set<int> found;
  for (const std::string& run : file.runs()) found.insert(file.run(run)["n"].get<int>());
  EXPECT_EQ(found.size(), std::size_t{writers});
}

TEST_F(ResultsRoomTest, OfAppendsAtOnceAllAreInTheFile) {
  append_at_once(path);
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsRoomTest, OfAppendsAtOnceAllAreInTheFileHoweverLateItIsRenamed) {
  before_renaming = [] { usleep(50'000); };
  append_at_once(path);
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(ResultsRoomTest, ARunThatAnotherProgramAddsMeanwhileIsKept) {
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

TEST_F(ResultsRoomTest, AFileThatChangesWithoutEndIsRefusedAtLast) {
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

}  // namespace
}  // namespace memstencil
