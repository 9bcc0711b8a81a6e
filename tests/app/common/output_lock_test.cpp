// The lock of an output file: what else may stand in its place, and who may wait for it.
#include "app/common/record/output_file.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace memstencil {
namespace {

struct OutputLockTest : ::testing::Test {
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");
};

TEST_F(OutputLockTest, WhatIsNoLockInItsPlaceIsRefusedAndKept) {
  namespace fs = std::filesystem;
  const std::string lock = folder.file(".result.h5.lock"), own = folder.write("own", "");
  const std::string why =
      "cannot write " + path + ": " + lock + " is in the way: it is not an empty file";
  chmod(own.c_str(), 0600);
  const auto expect_refused = [&] {
    EXPECT_EQ(refusal(ExitCode::Other, [&] { check_output_path(path, Existing::Refuse, 1); }), why);
    EXPECT_EQ(refusal(ExitCode::Other, [&] { const OutputFile file(path, Existing::Refuse); }),
              why);
    EXPECT_TRUE(fs::exists(fs::symlink_status(lock)));
    fs::remove(lock);
    EXPECT_EQ(folder.content(), std::vector<std::string>{"own"});
    EXPECT_EQ(fs::status(own).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  };
  fs::create_symlink(own, lock);
  expect_refused();
  fs::create_symlink(folder.file("elsewhere"), lock);
  expect_refused();
  ASSERT_EQ(mkfifo(lock.c_str(), 0600), 0);
  expect_refused();
  fs::create_hard_link(own, lock);
  expect_refused();
  folder.write(".result.h5.lock", "of the user");
  expect_refused();
}

TEST_F(OutputLockTest, ALongWaitForItIsToldOnce) {
  const OutputLock first(path + ".lock", std::chrono::seconds(0));
  if (!first.held()) GTEST_SKIP() << "this file system cannot lock";
  ::testing::internal::CaptureStderr();
  refusal(ExitCode::Other, [&] { const OutputLock second(first.path(), std::chrono::seconds(6)); });
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(told, "waiting for at most 6 s: another program writes the output, and "));
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
}

TEST_F(OutputLockTest, TheLockIsForAllWhoMayWriteInTheFolderAndGone) {
  const mode_t mask = umask(077);
  {
    const OutputFile output(path, Existing::Refuse);
    EXPECT_EQ(std::filesystem::status(folder.file(".result.h5.lock")).permissions(),
              static_cast<std::filesystem::perms>(0666));
  }
  umask(mask);
  EXPECT_TRUE(folder.content().empty());
}

}  // namespace
}  // namespace memstencil
