// Pins which way the messages between ranks go, and why not another.
#include "app/placement/message_path.hpp"

#include "app/common/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

Placement placed_on(Executor executor, int ranks_of_gpu = 1) {
  return {.space = MemorySpace::SystemAllocated,
          .pages = Pages::Default,
          .advice = Advice::None,
          .prefetch = false,
          .first_touch = executor,
          .executor = executor,
          .ranks_of_gpu = ranks_of_gpu};
}

std::string refusal_of(MessagePath asked, const Placement& placement) {
  try {
    message_path("--halo", asked, placement);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Machine);
    return failure.what();
  }
  return "not refused";
}

TEST(MessagePath, OfTheHostsKernelsIsStaged) {
  const Placement host = placed_on(Executor::Host);
  EXPECT_EQ(message_path("--halo", MessagePath::Auto, host), MessagePath::Staged);
  EXPECT_EQ(message_path("--halo", MessagePath::Staged, host), MessagePath::Staged);
  EXPECT_EQ(agreed_path(MessagePath::Auto, MessagePath::Staged, host, Communicator()),
            MessagePath::Staged);
  EXPECT_EQ(refusal_of(MessagePath::Device, host),
            "--halo device: the kernels run on the host; use --halo staged");
  EXPECT_EQ(refusal_of(MessagePath::Nccl, host),
            "--halo nccl: the kernels run on the host; use --halo staged");
}

TEST(MessagePath, OfRanksThatShareAGpuIsNotNccl) {
  const std::string line = refusal_of(MessagePath::Nccl, placed_on(Executor::Device, 2));
  EXPECT_TRUE(starts_with(line, "--halo nccl: 2 ranks share a GPU"));
  EXPECT_TRUE(ends_with(line, "--halo staged"));
}

TEST(MessagePath, OfABuildWithoutNcclIsNotNccl) {
  if (built_for_gpu()) GTEST_SKIP() << "this build may have it";
  EXPECT_EQ(refusal_of(MessagePath::Nccl, placed_on(Executor::Device)),
            "--halo nccl: this program is built without NCCL; otherwise use --halo staged");
}

TEST(MessagePath, NamesTheOptionThatAskedForIt) {
  try {
    message_path("--exchange", MessagePath::Nccl, placed_on(Executor::Host));
    FAIL() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(std::string(failure.what()),
              "--exchange nccl: the kernels run on the host; use --exchange staged");
  }
}

}  // namespace
}  // namespace memstencil
