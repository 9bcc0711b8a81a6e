// Pins which way the messages between ranks go, and why not another.
#include "app/placement/message_path.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/common/runtime/failure.hpp"
#include "app/placement/place.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/common/refusal.hpp"
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
  return refusal(ExitCode::Machine, [&] { message_path("--halo", asked, placement); });
}

TEST(MessagePath, OfTheHostsKernelsIsStaged) {
  const Placement host = placed_on(Executor::Host);
  EXPECT_EQ(message_path("--halo", MessagePath::Auto, host), MessagePath::Staged);
  EXPECT_EQ(message_path("--halo", MessagePath::Staged, host), MessagePath::Staged);
  EXPECT_EQ(
      agreed_path("--halo", MessagePath::Auto, MessagePath::Staged, host, Communicator()).path,
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

std::string fails(const Communicator&) { return "it fails"; }
std::string works(const Communicator&) { return {}; }

TEST(MessagePath, OfAnMpiWhoseClaimIsTrueIsFromDeviceMemory) {
  const AgreedPath agreed =
      agreed_path("--halo", MessagePath::Auto, MessagePath::Device, placed_on(Executor::Device),
                  Communicator(), MessagePath::Device, {works, fails});
  EXPECT_EQ(agreed.path, MessagePath::Device);
  EXPECT_EQ(agreed.note, "");
}

TEST(MessagePath, OfAnMpiWhoseClaimFailsIsAnotherAndSaysSo) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  // They share a GPU, so that it is not NCCL, wherever this runs.
  const AgreedPath agreed = agreed_path("--halo", MessagePath::Auto, MessagePath::Device,
                                        placed_on(Executor::Device, ranks.size()), ranks,
                                        MessagePath::Device, {fails, works});
  EXPECT_EQ(agreed.path, MessagePath::Staged);
  EXPECT_EQ(agreed.note, "MPI (" + Communicator::library() +
                             ") says that it takes device pointers, but it fails: staged messages "
                             "instead");
}

TEST(MessagePath, OfAnMpiWhoseClaimFailsIsRefusedWhereItWasAskedFor) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  try {
    agreed_path("--exchange", MessagePath::Device, MessagePath::Device, placed_on(Executor::Device),
                ranks, MessagePath::Device, {fails, works});
    FAIL() << "not refused";
  } catch (const CollectiveFailure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Machine);
    EXPECT_TRUE(starts_with(failure.what(), "--exchange device: MPI ("));
    EXPECT_TRUE(ends_with(failure.what(), "it fails; use --exchange nccl or --exchange staged"));
  }
}

TEST(MessagePath, IsNcclBeforeDeviceMessagesAreTriedWhereThatComesFirst) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  const auto path = [&](MessagePath first) {
    return agreed_path("--exchange", MessagePath::Auto, MessagePath::Device,
                       placed_on(Executor::Device), ranks, first, {works, fails})
        .path;
  };
  EXPECT_EQ(path(MessagePath::Device), MessagePath::Device);
  EXPECT_EQ(path(MessagePath::Nccl),
            refuse_gpu_exchange().empty() ? MessagePath::Nccl : MessagePath::Device);
}

TEST(MessagePath, IsByStoresWhereEachRankReachesTheOthersGpus) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  const auto path = [&](int ranks_of_gpu, const Proof& peer) {
    return agreed_path("--halo", MessagePath::Auto, MessagePath::Device,
                       placed_on(Executor::Device, ranks_of_gpu), ranks, MessagePath::Device,
                       {works, peer})
        .path;
  };
  EXPECT_EQ(path(1, works), MessagePath::Peer);
  EXPECT_EQ(path(1, fails), MessagePath::Device);
  EXPECT_EQ(path(2, works), MessagePath::Device) << "two ranks share a GPU";
}

TEST(MessagePath, ByStoresIsRefusedWhereItWasAskedForAndFails) {
  EXPECT_EQ(refusal_of(MessagePath::Peer, placed_on(Executor::Host)),
            "--halo peer: the kernels run on the host; use --halo staged");
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  try {
    agreed_path("--halo", MessagePath::Peer, MessagePath::Peer, placed_on(Executor::Device), ranks,
                MessagePath::Device, {works, fails});
    FAIL() << "not refused";
  } catch (const CollectiveFailure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Machine);
    EXPECT_STREQ(failure.what(), "--halo peer: it fails; use --halo nccl or --halo staged");
  }
}

TEST(MessagePath, GivesEachRankAGpuOfItsNode) {
  for (int rank = 0; rank < 6; ++rank) EXPECT_EQ(gpu_of_rank({}, 4, rank), rank % 4);
  EXPECT_EQ(gpu_of_rank(2, 4, 0), 2);
  EXPECT_EQ(gpu_of_rank({}, 0, 3), -1);
  EXPECT_THROW(gpu_of_rank(4, 4, 0), Failure);
}

}  // namespace
}  // namespace memstencil
