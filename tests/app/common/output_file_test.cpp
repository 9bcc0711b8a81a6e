// A file that appears whole or not at all: after exceptions, after signals, on a full disk.
#include "app/common/record/output_file.hpp"
#include "app/common/runtime/end_by_signal.hpp"
#include "tests/app/common/at_once.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

namespace memstencil {
namespace {

void append_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

struct OutputFileTest : ::testing::Test {
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");
};

TEST_F(OutputFileTest, AppearsUnderItsNameOnlyWhenPublished) {
  {
    OutputFile output(path, Existing::Refuse);
    append_text(output.hidden_path(), "all of it");
    EXPECT_FALSE(std::filesystem::exists(path));
    output.publish();
  }
  EXPECT_EQ(file_content(path), "all of it");
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(OutputFileTest, LeavesNothingWhereItIsNotPublished) {
  { OutputFile output(path, Existing::Refuse); }
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(OutputFileTest, IsHiddenWhileItIsWritten) {
  const OutputFile output(path, Existing::Refuse);
  std::vector<std::string> names = folder.content();
  std::ranges::sort(names);
  ASSERT_EQ(names.size(), 2U);
  EXPECT_TRUE(starts_with(names[0], ".result.h5." + std::to_string(getpid())));
  EXPECT_EQ(names[1], ".result.h5.lock");
}

TEST_F(OutputFileTest, HasTheModeOfAnyNewFile) {
  const mode_t mask = umask(027);
  OutputFile output(path, Existing::Refuse);
  output.publish();
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST_F(OutputFileTest, AnExistingFileIsRefusedAndKept) {
  folder.write("result.h5", "older");
  EXPECT_EQ(refusal(ExitCode::Other, [&] { check_output_path(path, Existing::Refuse); }),
            "cannot write " + path + ": it exists; --force replaces it, --append adds a run");
  EXPECT_EQ(file_content(path), "older");
}

TEST_F(OutputFileTest, ForceReplacesAndAppendContinues) {
  folder.write("result.h5", "older");
  {
    OutputFile output(path, Existing::Append);
    EXPECT_TRUE(output.continues());
    append_text(output.hidden_path(), " and newer");
    EXPECT_EQ(file_content(path), "older");
    output.publish();
  }
  EXPECT_EQ(file_content(path), "older and newer");
  {
    OutputFile output(path, Existing::Replace);
    EXPECT_FALSE(output.continues());
    append_text(output.hidden_path(), "only newer");
    output.publish();
  }
  EXPECT_EQ(file_content(path), "only newer");
}

TEST_F(OutputFileTest, ALinkIsFollowed) {
  folder.write("target.h5", "older");
  std::filesystem::create_symlink("target.h5", path);
  OutputFile output(path, Existing::Replace);
  output.publish();
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_EQ(file_content(folder.file("target.h5")), "");
}

TEST_F(OutputFileTest, ALinkToAFileThatIsNotThereYetMakesThatFile) {
  std::filesystem::create_directory(folder.file("elsewhere"));
  std::filesystem::create_symlink("elsewhere/second.h5", path);
  std::filesystem::create_symlink("target.h5", folder.file("elsewhere/second.h5"));
  const std::string target = folder.file("elsewhere/target.h5");
  for (Existing existing : {Existing::Refuse, Existing::Replace, Existing::Append}) {
    check_output_path(path, existing);
    OutputFile output(path, existing);
    append_text(output.hidden_path(), "all of it");
    output.publish();
    EXPECT_TRUE(std::filesystem::is_symlink(path));
    EXPECT_EQ(file_content(target), "all of it");
    std::filesystem::remove(target);
  }
}

TEST_F(OutputFileTest, LinksThatLeadNowhereAreRefused) {
  const auto line = [&] {
    return refusal(ExitCode::Other, [&] { check_output_path(path, Existing::Replace); });
  };
  std::filesystem::create_symlink("none/target.h5", path);
  EXPECT_EQ(line(), "cannot write " + path + ": there is no folder " + folder.file("none"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("result.h5", path);
  EXPECT_EQ(line(), "cannot write " + path + ": Too many levels of symbolic links");
}

TEST_F(OutputFileTest, ANameThatIsTooLongIsRefusedBeforeTheRun) {
  const std::string longer = folder.file(std::string(300, 'x'));
  EXPECT_EQ(refusal(ExitCode::Other, [&] { check_output_path(longer, Existing::Refuse); }),
            "cannot write " + longer + ": File name too long");
}

TEST_F(OutputFileTest, WhatAppearsMeanwhileIsNotOverwritten) {
  OutputFile output(path, Existing::Refuse);
  folder.write("result.h5", "somebody else's");
  EXPECT_TRUE(
      contains(refusal(ExitCode::Other, [&] { output.publish(); }), "it has appeared meanwhile"));
  EXPECT_EQ(file_content(path), "somebody else's");
}

TEST_F(OutputFileTest, ARunAppendedMeanwhileIsNotLost) {
  folder.write("result.h5", "older");
  OutputFile output(path, Existing::Append);
  folder.write("result.h5", "older and somebody else's");
  EXPECT_TRUE(contains(refusal(ExitCode::Other, [&] { output.publish(); }),
                       "another program changed it meanwhile"));
  EXPECT_EQ(file_content(path), "older and somebody else's");
}

TEST_F(OutputFileTest, PlacesThatTakeNoFileAreRefused) {
  const auto line = [](const std::string& where) {
    return refusal(ExitCode::Other, [&] { check_output_path(where, Existing::Replace); });
  };
  EXPECT_TRUE(contains(line(folder.file("none/result.h5")), "there is no folder"));
  EXPECT_TRUE(ends_with(line(folder.path()), "it is a directory"));
  EXPECT_TRUE(ends_with(line("/dev/null"), "it is not a regular file"));
  EXPECT_TRUE(contains(line("/proc/result.h5"), "no file can be created in /proc"));
  EXPECT_TRUE(contains(line(folder.write("plain", "") + "/result.h5"), "there is no folder"));
}

TEST_F(OutputFileTest, RoomIsCheckedBeforeItIsUsed) {
  // A limit on the size of files stands for the disk, which a test cannot fill.
  OutputFile output(path, Existing::Refuse);
  output.check_room(1 << 20);
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 4096, before.rlim_max };
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_TRUE(starts_with(refusal(ExitCode::Other, [&] { output.check_room(1 << 20); }),
                          "cannot write " + path + ": "));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(std::filesystem::file_size(output.hidden_path()), 0U);
}

/// A child process that writes and is then ended by the signal; returns how it ended.
int status_of_child_ended_by(int signal, const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    const OutputFile output(path, Existing::Append);
    append_text(output.hidden_path(), "half of it");
    raise(signal);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(OutputFileTest, ASignalLeavesTheOlderFileAndNothingElse) {
  folder.write("result.h5", "older");
  for (int signal : ending_signals) {
    const int status = status_of_child_ended_by(signal, path);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child must end by the signal, not return 0";
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_EQ(file_content(path), "older");
    EXPECT_EQ(folder.content().size(), 1U);
  }
}

TEST_F(OutputFileTest, WhatAKilledProcessLeavesIsRemovedByTheNextOnTheSameFile) {
  folder.write("result.h5", "older");
  for (Existing next : {Existing::Append, Existing::Replace, Existing::Refuse}) {
    folder.write(".result.h5.77.tar.gz", "of the user");
    folder.write(".result.h5.bak.123.node.AbCdEf", "of another output");
    folder.write(".result.h5.123.elsewhere.AbCdEf", "of a process that may live on another node");
    status_of_child_ended_by(SIGKILL, path);
    EXPECT_EQ(file_content(path), "older");
    EXPECT_GE(folder.content().size(), 5U) << "SIGKILL leaves what was half written";
    if (next == Existing::Refuse) std::filesystem::remove(path);
    { OutputFile(path, next).publish(); }
    EXPECT_EQ(folder.content().size(), 4U);
    folder.write("result.h5", "older");
  }
  namespace fs = std::filesystem;
  fs::last_write_time(folder.file(".result.h5.123.elsewhere.AbCdEf"),
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  { OutputFile(path, Existing::Append).publish(); }
  EXPECT_EQ(folder.content().size(), 3U);
}

TEST_F(OutputFileTest, TheRoomOfWhatAKilledProcessLeavesIsFreeForTheNext) {
  status_of_child_ended_by(SIGKILL, path);
  EXPECT_GE(folder.content().size(), 1U);
  check_output_path(path, Existing::Append, 1);
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(OutputFileTest, AppendsAtOnceThatTakeTheirTimeAreAllThere) {
  constexpr int writers = 12;
  at_once(writers, [&](int n) {
    OutputFile output(path, Existing::Append);
    append_text(output.hidden_path(), "run " + std::to_string(n) + "\n");
    usleep(30'000);
    output.publish();
  });
  const std::string text = file_content(path);
  for (int n = 0; n < writers; ++n) EXPECT_TRUE(contains(text, "run " + std::to_string(n) + "\n"));
  EXPECT_EQ(folder.content().size(), 1U);
}

TEST_F(OutputFileTest, WaitsForAnotherWriterForABoundedTime) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const OutputFile output(path, Existing::Append);
    (void)!write(ready[1], "x", 1);
    pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(
      refusal(
          ExitCode::Other,
          [&] { const OutputFile output(path, Existing::Append, std::chrono::milliseconds(200)); }),
      "cannot write " + path + ": another program has been writing it for 0.2 s");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  { OutputFile(path, Existing::Append, std::chrono::seconds(5)).publish(); }
  EXPECT_EQ(folder.content().size(), 1U);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(OutputFileTest, AnIgnoredSignalStaysIgnored) {
  const auto handler = std::signal(SIGHUP, SIG_IGN);
  const int status = status_of_child_ended_by(SIGHUP, path);
  std::signal(SIGHUP, handler);
  EXPECT_TRUE(WIFEXITED(status));
}

TEST_F(OutputFileTest, SignalsAreAsBeforeWhenItIsDone) {
  struct sigaction before {
  }, after{};
  sigaction(SIGTERM, nullptr, &before);
  { OutputFile output(path, Existing::Refuse); }
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace memstencil
