// Results files that are damaged or lie: refused by one line, before HDF5 sees
// them or in its own process.
#include "app/common/record/checksum.hpp"
#include "app/common/record/results_file.hpp"
#include "app/common/record/results_reader.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <thread>

namespace memstencil {
namespace {

/// A sanitizer makes the signal a code.
constexpr const char* crashed = "result.h5: damaged: the HDF5 library ended ";

/// A length of a text that HDF5 follows round and round.
constexpr const char* endless = "\xf0\xff\xff\xff\xff\xff\xff\xff";

/// The children of the test's thread.
std::set<pid_t> children_of(pid_t thread) {
  std::ifstream file(fmt::format("/proc/self/task/{}/children", thread));
  return {std::istream_iterator<pid_t>(file), {}};
}

/// While it lives, the next so many children of this thread are ended soon after their start.
class ChildrenKilled {
public:
  explicit ChildrenKilled(int most)
      : killer_([most, thread = gettid(),
                 known = children_of(gettid())](const std::stop_token& stop) mutable {
          for (int killed = 0; killed < most && !stop.stop_requested();) {
            for (const pid_t child : children_of(thread))
              if (known.insert(child).second && kill(child, SIGKILL) == 0) ++killed;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        }) {}

private:
  std::jthread killer_;
};

struct DamagedResultsTest : ::testing::Test {
  Communicator communicator;
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");

  void write(const Record& record, Existing existing = Existing::Refuse,
             const FieldBlock* field = nullptr) {
    write_run(communicator, path, existing, record, field);
  }
  void change(std::size_t at, const std::string& bytes) {
    std::string content = file_content(path);
    content.replace(at, bytes.size(), bytes);
    folder.write("result.h5", content);
  }
  /// In the global heap of HDF5, which has no checksum of its own.
  void set_length_of_first_text(const std::string& bytes) {
    const std::size_t heap = file_content(path).find("GCOL");
    ASSERT_NE(heap, std::string::npos);
    change(heap + 24, bytes);
  }
  /// By another program, which opens the file for writing.
  void with_hdf5(const std::function<void(hid_t)>& edit) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    edit(file);
    H5Fclose(file);
  }
  std::string read_refusal() {
    return refusal(ExitCode::Other, [&] { ResultsFile{path}; });
  }
  /// Nothing can be added, and the file stays as it is.
  void expect_kept(const std::string& reason) {
    const std::string before = file_content(path);
    for (const bool at_once : {true, false}) {
      const std::string line = refusal(ExitCode::Other, [&] {
        if (at_once)
          check_output(communicator, path, Existing::Append);
        else
          write({{"n", 2}}, Existing::Append);
      });
      EXPECT_TRUE(contains(line, reason)) << line;
    }
    EXPECT_EQ(file_content(path), before);
    EXPECT_EQ(folder.content().size(), 1U);
  }
};

TEST_F(DamagedResultsTest, AChecksumEndsTheFileAndIsMadeAnewByAppend) {
  write({{"text", "one"}});
  EXPECT_TRUE(agrees_with_checksum(path));
  EXPECT_TRUE(ends_with(file_content(path), "\"without\":[]}}\n"));
  write({{"text", "two"}}, Existing::Append);
  EXPECT_TRUE(agrees_with_checksum(path));
  const std::string content = file_content(path);
  EXPECT_EQ(content.find("memstencil_checksum"), content.rfind("memstencil_checksum"));
  EXPECT_EQ(ResultsFile(path).run("0002")["text"], "two");
}

TEST_F(DamagedResultsTest, AnyChangedByteIsDamage) {
  write({{"text", "one"}, {"samples", {1.0, 2.0, 3.0}}});
  const std::string whole = file_content(path);
  for (std::size_t at = 9; at < whole.size(); at += whole.size() / 23) {
    folder.write("result.h5", whole);
    change(at, std::string(1, static_cast<char>(whole[at] ^ 1)));
    EXPECT_TRUE(contains(read_refusal(), "result.h5: damaged: ")) << at;
  }
  expect_kept("damaged");
}

TEST_F(DamagedResultsTest, ValuesOfFieldsAreLeftOutOfTheChecksum) {
  std::vector<float> values(8 * 8 * 8, 1.5f);
  const FieldBlock field{"pressure", {8, 8, 8}, {0, 0, 0}, {8, 8, 8}, values.data(), 8, 8};
  write({{"n", 1}}, Existing::Refuse, &field);
  write({{"n", 2}}, Existing::Append);
  write({{"n", 3}}, Existing::Append, &field);
  const float value = 1.5f;
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  const std::size_t at = file_content(path).find(bytes + bytes + bytes + bytes);
  change(at, std::string(8, '\0'));
  EXPECT_TRUE(agrees_with_checksum(path));
  EXPECT_EQ(ResultsFile(path).field("0001", "pressure").values[0], 0.0f);
  EXPECT_EQ(ResultsFile(path).field("0003", "pressure").values[511], 1.5f);
}

TEST_F(DamagedResultsTest, AnotherProgramThatWritesTheFileTakesTheChecksumAway) {
  write({{"text", "one"}});
  with_hdf5([](hid_t file) {
    H5Gclose(H5Gcreate2(file, "runs/0001/mine", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  });
  EXPECT_FALSE(agrees_with_checksum(path));
  EXPECT_TRUE(ResultsFile(path).run("0001").contains("mine"));
  write({{"text", "two"}}, Existing::Append);
  EXPECT_TRUE(agrees_with_checksum(path));
}

TEST_F(DamagedResultsTest, ACrashOfTheLibraryIsOneLine) {
  write({{"text", "one"}});
  drop_checksum(path);
  set_length_of_first_text({"\0\0\0\0\0\x01\0\0", 8});  // 2^40 bytes
  EXPECT_TRUE(contains(read_refusal(), crashed)) << read_refusal();
  expect_kept(crashed);
}

TEST_F(DamagedResultsTest, DamageWithAValidChecksumMeetsTheProcessApartToo) {
  write({{"text", "one"}});
  drop_checksum(path);
  set_length_of_first_text({"\0\0\0\0\0\x01\0\0", 8});
  leave_checksum(path, {});
  ASSERT_TRUE(agrees_with_checksum(path));
  EXPECT_TRUE(contains(read_refusal(), crashed)) << read_refusal();
  expect_kept(crashed);
}

TEST_F(DamagedResultsTest, AReaderThatIsEndedFromOutsideIsAskedAgainAndIsNoDamage) {
  write({{"text", "one"}});
  {
    const ChildrenKilled one(1);
    EXPECT_EQ(ResultsFile(path).run("0001")["text"], "one");
  }
  drop_checksum(path);
  set_length_of_first_text(endless);  // so that it lives until then
  const ChildrenKilled two(2);
  EXPECT_TRUE(contains(read_refusal(), "result.h5: the process that reads it was ended from "))
      << read_refusal();
}

TEST_F(DamagedResultsTest, MoreValuesThanTheFileHoldsAreRefused) {
  write({{"n", 1}});
  with_hdf5([](hid_t file) {
    const hsize_t many = 1'000'000'000'000, chunk = 1024;
    const hid_t space = H5Screate_simple(1, &many, nullptr),
                chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &chunk);
    H5Dclose(H5Dcreate2(file, "runs/0001/samples", H5T_IEEE_F64LE, space, H5P_DEFAULT, chunked,
                        H5P_DEFAULT));
    H5Pclose(chunked);
    H5Sclose(space);
  });
  EXPECT_TRUE(contains(read_refusal(), "dataset samples claims 1000000000000 values"))
      << read_refusal();
  expect_kept("claims 1000000000000 values");
}

TEST_F(DamagedResultsTest, MoreValuesThanMemoryIsGivenForAreRefused) {
  write({{"n", 1}});
  with_hdf5([](hid_t file) {
    const hsize_t many = 26'000'000;  // zeros, which take 30 kB
    const hid_t space = H5Screate_simple(1, &many, nullptr), packed = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(packed, 1, &many);
    H5Pset_deflate(packed, 6);
    const hid_t zeros =
        H5Dcreate2(file, "runs/0001/zeros", H5T_STD_I8LE, space, H5P_DEFAULT, packed, H5P_DEFAULT);
    H5Dwrite(zeros, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             std::vector<signed char>(many).data());
    H5Dclose(zeros);
    H5Pclose(packed);
    H5Sclose(space);
  });
  EXPECT_TRUE(ends_with(read_refusal(), "memory"));  // of this or that limit
}

TEST_F(DamagedResultsTest, MoreNamesInAGroupThanAnyResultHasAreRefused) {
  write({{"n", 1}});
  with_hdf5([](hid_t file) {
    for (int n = 0; n < 17'000; ++n)
      H5Gclose(H5Gcreate2(file, fmt::format("runs/0001/name {}", n).c_str(), H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT));
  });
  EXPECT_TRUE(contains(read_refusal(), "17001 names stand in one group")) << read_refusal();
}

TEST_F(DamagedResultsTest, AChecksumOverMoreThanCanBeReadIsGivenUp) {
  folder.write("result.h5", "");
  constexpr std::uintmax_t hole = 1'000'000'000'000;  // takes no room, but a quarter of an hour
  std::error_code error;
  std::filesystem::resize_file(path, hole, error);
  if (error) GTEST_SKIP() << "no file of 1 TB can be made here: " << error.message();
  std::ofstream(path, std::ios::app) << fmt::format(
      R"({}{{"memstencil_checksum":{{"crc32":"00000000","bytes":{},"without":[]}}}}{})", '\n', hole,
      '\n');
  EXPECT_TRUE(contains(read_refusal(), "result.h5: damaged: reading it takes longer than "));
}

TEST_F(DamagedResultsTest, AGroupInItselfIsRefused) {
  write({{"n", 1}});
  with_hdf5([](hid_t file) {
    H5Lcreate_hard(file, "runs/0001", file, "runs/0001/again", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_TRUE(contains(read_refusal(), "more than 32 deep"));
}

TEST_F(DamagedResultsTest, OtherFilesAreNotRead) {
  write({{"n", 1}});
  const std::string other = folder.file("other.h5");
  write_run(communicator, other, Existing::Refuse, {{"n", 2}});
  with_hdf5([&](hid_t file) {
    H5Lcreate_external(other.c_str(), "runs/0001", file, "runs/0002", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_TRUE(contains(read_refusal(), "member 0002 stands in another file"));
}

TEST_F(DamagedResultsTest, ValuesInOtherFilesAreNotRead) {
  write({{"n", 1}});
  with_hdf5([&](hid_t file) {
    const hsize_t count = 4;
    const hid_t space = H5Screate_simple(1, &count, nullptr), apart = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(apart, "/etc/passwd", 0, count);
    H5Dclose(
        H5Dcreate2(file, "runs/0001/secret", H5T_STD_I8LE, space, H5P_DEFAULT, apart, H5P_DEFAULT));
    H5Pclose(apart);
    H5Sclose(space);
  });
  EXPECT_TRUE(contains(read_refusal(), "dataset secret: its values stand in another file"));
}

TEST_F(DamagedResultsTest, APipeIsNoResultsFile) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(ends_with(read_refusal(), "it is not a regular file"));
}

}  // namespace
}  // namespace memstencil
