// A result that cannot be written is still printed, and one that cannot
// be printed is still written.
#include "app/base/ranks/collectively.hpp"
#include "app/bench/session.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

namespace memstencil {
namespace {

/// Standard output goes elsewhere while it lives.
class Redirected {
public:
  explicit Redirected(int to) : before_((std::fflush(stdout), dup(STDOUT_FILENO))) {
    dup2(to, STDOUT_FILENO);
    close(to);
  }
  ~Redirected() {
    std::fflush(stdout);
    std::clearerr(stdout);
    dup2(before_, STDOUT_FILENO);
    close(before_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

private:
  int before_;
};

struct DeliverTest : ::testing::Test {
  Communicator communicator;
  std::unique_ptr<TemporaryFolder> folder;
  CommonOptions common;
  Record record{{"n", 1}};
  std::string text = "the report\n";

  /// Rank 0's folder, for all.
  void SetUp() override {
    if (communicator.root()) folder = std::make_unique<TemporaryFolder>();
    if (communicator.root()) common.output = folder->file("result.h5");
    communicator.broadcast(common.output);
  }
  void TearDown() override { communicator.barrier(); }

  /// The line of the failure, which all ranks have.
  std::string failure(ExitCode code) {
    return refusal(code, [&] { deliver(communicator, common, {record, text}, "run"); });
  }
  /// What rank 0 printed; on the others what is expected of it.
  std::string printed_before_failure(ExitCode code, const std::string& why) {
    if (communicator.root()) ::testing::internal::CaptureStdout();
    EXPECT_TRUE(contains(failure(code), why));
    return communicator.root() ? ::testing::internal::GetCapturedStdout() : text;
  }
  std::string failure_of_standard_output(int to) {
    const Redirected redirected(to);
    return failure(ExitCode::Other);
  }
};

TEST_F(DeliverTest, AResultThatCannotBeWrittenIsPrinted) {
  common.output += "/none/result.h5";
  EXPECT_EQ(printed_before_failure(ExitCode::Other, "there is no folder"), text);
}

TEST_F(DeliverTest, AResultThatIsNotFiniteIsNeitherWrittenNorPrinted) {
  record["n"] = std::numeric_limits<double>::infinity();
  text = "";
  text = printed_before_failure(ExitCode::Verification, "nothing is reported");
  EXPECT_EQ(text, "");
  if (!communicator.root()) return;
  EXPECT_TRUE(folder->content().empty());
}

TEST_F(DeliverTest, AResultThatCannotBePrintedOrHasNoReaderIsWritten) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const int full = open("/dev/full", O_WRONLY);
  for (const auto& [to, why] : {std::pair{ends[1], "Broken pipe"}, {full, "No space left"}}) {
    if (to < 0) GTEST_SKIP() << "this system has no /dev/full";
    common.force = to == full;
    EXPECT_TRUE(contains(failure_of_standard_output(to), why));
    if (communicator.root()) {
      EXPECT_EQ(read_result(common.output)["n"], 1);
    }
  }
}

TEST_F(DeliverTest, AFileInAFolderIsNamedOnStderr) {
  if (communicator.root()) common.output = folder->path();
  communicator.broadcast(common.output);
  record["program"] = "himeno";
  if (communicator.root()) ::testing::internal::CaptureStderr();
  deliver(communicator, common, {record, text}, "run");
  if (!communicator.root()) return;
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "himeno: the result is " + folder->file("run-1.h5") + "\n");
}

TEST(Origin, IsTheLabelAndTheSiteWhereTheyAreGiven) {
  CommonOptions common;
  unsetenv("MEMSTENCIL_SITE");
  EXPECT_EQ(origin_of(common).label, std::nullopt);
  EXPECT_EQ(origin_of(common).site, std::nullopt);
  common.label = "new driver";
  setenv("MEMSTENCIL_SITE", "miyabi", 1);
  EXPECT_EQ(origin_of(common).label, "new driver");
  EXPECT_EQ(origin_of(common).site, "miyabi");
  unsetenv("MEMSTENCIL_SITE");
}

TEST(NameInFolder, HasProgramCaseMemoryAndTime) {
  Provenance provenance;
  provenance.record["started"] = "2026-11-24T03:15:12Z";
  EXPECT_EQ(name_in_folder({"himeno", "XL", "device"}, provenance),
            "himeno-XL-device-20261124T031512Z");
  EXPECT_EQ(name_in_folder({"membench", "link", ""}, provenance), "membench-link-20261124T031512Z");
  EXPECT_EQ(name_in_folder({"himeno", "S", "p=device,c/x"}, provenance),
            "himeno-S-p-device-c-x-20261124T031512Z");
}

}  // namespace
}  // namespace memstencil
