// A file that appears whole or not at all, and never at a name that is taken.
#include "app/base/record/output_file.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace memstencil {
namespace {

struct OutputFileTest : ::testing::Test {
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");
};

TEST_F(OutputFileTest, AppearsAtItsNameOnlyWhenPublished) {
  {
    NewFile file(path);
    file.write("all ");
    file.write("of it");
    EXPECT_FALSE(std::filesystem::exists(path));
    file.publish(path, Existing::Refuse);
  }
  EXPECT_EQ(file_content(path), "all of it");
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(OutputFileTest, LeavesNothingWhereItIsNotPublished) {
  { NewFile(path).write("half of it"); }
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(OutputFileTest, HasTheModeOfAnyNewFile) {
  const mode_t mask = umask(027);
  NewFile(path).publish(path, Existing::Refuse);
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST_F(OutputFileTest, ATakenNameIsRefusedAndAnotherOneTaken) {
  folder.write("result.h5", "older");
  {
    NewFile file(path);
    file.write("newer");
    EXPECT_THROW(file.publish(path, Existing::Refuse), NameIsTaken);
    file.publish(folder.file("second.h5"), Existing::Refuse);
  }
  EXPECT_EQ(file_content(path), "older");
  EXPECT_EQ(file_content(folder.file("second.h5")), "newer");
  EXPECT_EQ(folder.content().size(), 2U);
}

TEST_F(OutputFileTest, ForceReplacesInOneStep) {
  folder.write("result.h5", "older");
  {
    NewFile file(path);
    file.write("newer");
    EXPECT_EQ(file_content(path), "older");
    file.publish(path, Existing::Replace);
  }
  EXPECT_EQ(file_content(path), "newer");
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST(OutputPath, AFileThatExistsIsRefusedAndKept) {
  const TemporaryFolder folder;
  const std::string path = folder.write("result.h5", "older");
  EXPECT_EQ(refusal(ExitCode::Other, [&] { check_output_path(path, Existing::Refuse); }),
            "cannot write " + path + ": it exists; --force replaces it");
  check_output_path(path, Existing::Replace);
  EXPECT_EQ(file_content(path), "older");
}

TEST(OutputPath, ALinkThatLeadsNowhereIsATakenName) {
  const TemporaryFolder folder;
  const std::string path = folder.file("result.h5");
  std::filesystem::create_symlink("none/target.h5", path);
  EXPECT_THROW(check_output_path(path, Existing::Refuse), NameIsTaken);
}

TEST(OutputPath, AFileThatTheRunReadsIsNeverReplaced) {
  const TemporaryFolder folder;
  const std::string input = folder.write("input.toml", "size = \"M\"");
  std::filesystem::create_hard_link(input, folder.file("hard"));
  std::filesystem::create_symlink(input, folder.file("soft"));
  for (const char* name : {"input.toml", "hard", "soft"})
    EXPECT_EQ(
        refusal(ExitCode::Usage,
                [&] {
                  check_not_read(folder.file(name), {"", input});
                }),
        "cannot write " + folder.file(name) + ": this run reads it, and --force would replace it");
  check_not_read(folder.write("other.h5", ""), {"", input});
}

TEST(OutputPath, PlacesThatTakeNoFileAreRefused) {
  const TemporaryFolder folder;
  const auto line = [](const std::string& where) {
    return refusal(ExitCode::Other, [&] { check_output_path(where, Existing::Replace); });
  };
  EXPECT_TRUE(contains(line(folder.file("none/result.h5")), "there is no folder"));
  EXPECT_TRUE(ends_with(line(folder.path()), "it is a directory"));
  EXPECT_TRUE(ends_with(line("/dev/null"), "it is not a regular file"));
  EXPECT_TRUE(contains(line("/proc/result.h5"), "no file can be created in /proc"));
  EXPECT_TRUE(contains(line(folder.write("plain", "") + "/result.h5"), "there is no folder"));
  EXPECT_TRUE(ends_with(line(folder.file(std::string(300, 'x'))), "File name too long"));
}

TEST(OutputPath, AFolderIsOneThatTakesFilesOrCanBeMade) {
  const TemporaryFolder folder;
  check_output_folder(folder.path());
  check_output_folder(folder.file("new/"));
  const auto line = [](const std::string& where) {
    return refusal(ExitCode::Other, [&] { check_output_folder(where); });
  };
  EXPECT_TRUE(starts_with(line("/proc/new/"), "cannot write /proc/new: no file can be created"));
  EXPECT_TRUE(contains(line(folder.file("none/new/")), "there is no folder"));
  EXPECT_TRUE(ends_with(line(folder.write("plain", "") + "/"), "it is no folder"));
  EXPECT_EQ(folder.content().size(), 1U);
}

}  // namespace
}  // namespace memstencil
