// Files that are no whole result: refused by one line, before HDF5 sees them.
#include "app/base/record/results_file.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace memstencil {
namespace {

constexpr const char* not_its_own = "its bytes are not those that its first line counts";

struct DamagedResultsTest : ::testing::Test {
  Communicator communicator;
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");
  std::string whole = written();

  std::string written() {
    write_result(communicator, {path, false}, "",
                 {{"schema_version", results_schema_version},
                  {"program", "himeno"},
                  {"sweeps", {{"seconds", {0.5, 0.25, 0.125}}}}});
    return file_content(path);
  }
  /// Without "cannot read PATH: ", which each begins with.
  std::string line() {
    const std::string all = refusal(ExitCode::Other, [&] { read_result(path); });
    const std::string start = "cannot read " + path + ": ";
    EXPECT_TRUE(starts_with(all, start));
    return all.substr(start.size());
  }
  std::string line_of(const std::string& content) {
    folder.write("result.h5", content);
    return line();
  }
};

TEST_F(DamagedResultsTest, TruncatedAtAnyByteIsRefused) {
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const std::string why = line_of(whole.substr(0, bytes));
    EXPECT_TRUE(bytes <= 100 || starts_with(why, not_its_own)) << bytes << ": " << why;
  }
  EXPECT_TRUE(starts_with(line_of(whole + "more"), not_its_own));
}

TEST_F(DamagedResultsTest, AnyFlippedBitIsRefused) {
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string content = whole;
    content[at] = static_cast<char>(content[at] ^ (1 << at % 8));
    const std::string why = line_of(content);
    EXPECT_FALSE(why.empty()) << at;
    EXPECT_TRUE(at < 100 || starts_with(why, not_its_own)) << at;
  }
}

TEST_F(DamagedResultsTest, WhatIsNoResultIsToldApart) {
  EXPECT_EQ(line_of(""), "it is empty");
  EXPECT_EQ(line_of("plain text"), "it is no memstencil result");
  EXPECT_TRUE(starts_with(line_of("\x89HDF\r\n\x1a\n of another program"),
                          "it is an HDF5 file without the first line of a result"));
  for (const int version : {1, 4})
    EXPECT_EQ(line_of("memstencil-results " + std::to_string(version) + " 100 12345678\n"),
              "its results have schema version " + std::to_string(version) +
                  ", this program knows versions 2 to 3");
  EXPECT_EQ(line_of("memstencil-results many 100 12345678\n"),
            "damaged: its first line cannot be read");
}

TEST_F(DamagedResultsTest, WhatIsNoFileIsRefused) {
  path = folder.file("none.h5");
  EXPECT_EQ(line(), "No such file or directory");
  path = folder.path();
  EXPECT_EQ(line(), "it is a directory");
  path = folder.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(line(), "it is not a regular file");
}

TEST_F(DamagedResultsTest, AFullDiskLeavesNothing) {
  const SmallDisk disk;
  const std::string into = folder.file("second.h5");
  EXPECT_EQ(
      refusal(ExitCode::Other,
              [&] {
                write_result(communicator, {into, false}, "", {{"text", std::string(5000, 'x')}});
              }),
      "cannot write " + into + ": File too large");
  EXPECT_EQ(folder.content().size(), 1U);
}

}  // namespace
}  // namespace memstencil
