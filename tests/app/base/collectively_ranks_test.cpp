// Errors on 1, 2 and 4 ranks: all ranks leave together, and one of them prints.
#include "app/base/ranks/collectively.hpp"
#include "memory_spaces/memory_space.hpp"
#include "tests/app/base/refusal.hpp"

#include <gtest/gtest.h>

#include <new>

namespace memstencil {
namespace {

struct AgreeTest : ::testing::Test {
  Communicator communicator;
  int last = communicator.size() - 1;

  /// The program's exit code and what this rank printed.
  std::pair<int, std::string> run(const std::function<ExitCode()>& body) {
    ::testing::internal::CaptureStderr();
    const int code = run_program("demo", communicator, body);
    return {code, ::testing::internal::GetCapturedStderr()};
  }
};

TEST_F(AgreeTest, PassesResultsOnWhereNoRankFails) {
  EXPECT_EQ(collectively(communicator, [&] { return communicator.rank() * 10; }),
            communicator.rank() * 10);
  int calls = 0;
  collectively(communicator, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST_F(AgreeTest, AllRanksThrowTheFailureOfTheLowestFailingRank) {
  const int lowest = last / 2;
  const std::string line = refusal(ExitCode::Machine, [&] {
    collectively(communicator, [&] {
      if (communicator.rank() >= lowest)
        throw Failure(ExitCode::Machine, "rank " + std::to_string(communicator.rank()) + " failed");
    });
  });
  EXPECT_EQ(line, "rank " + std::to_string(lowest) + " failed");
}

TEST_F(AgreeTest, OneRankPrintsAndAllReturnTheCode) {
  const auto [code, printed] = run([&]() -> ExitCode {
    collectively(communicator, [&] {
      if (communicator.rank() == last) throw Failure(ExitCode::Usage, "--size: what is that?");
    });
    return ExitCode::Good;
  });
  EXPECT_EQ(code, 2);
  EXPECT_EQ(printed, communicator.root() ? "demo: --size: what is that?\n" : "");
}

TEST_F(AgreeTest, ExceptionsAreMappedToExitCodes) {
  const auto code_of = [&](const std::function<void()>& step) {
    try {
      collectively(communicator, step);
    } catch (const CollectiveFailure& failure) {
      return failure.code();
    }
    return ExitCode::Good;
  };
  EXPECT_EQ(code_of([] { throw UnsupportedSpace("no"); }), ExitCode::Machine);
  EXPECT_EQ(code_of([] { throw OutOfMemory("no"); }), ExitCode::Machine);
  EXPECT_EQ(code_of([] { throw std::bad_alloc(); }), ExitCode::Machine);
  EXPECT_EQ(code_of([] { throw std::runtime_error("no"); }), ExitCode::Other);
  EXPECT_EQ(code_of([] { throw 3; }), ExitCode::Other);
}

TEST_F(AgreeTest, SeveralLinesBecomeOne) {
  const Failure failure =
      as_failure(std::make_exception_ptr(std::runtime_error("first\nsecond\n")));
  EXPECT_STREQ(failure.what(), "first second");
}

}  // namespace
}  // namespace memstencil
