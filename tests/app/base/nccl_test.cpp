// What a run says where NCCL is missing, broken, too old or does not start: against files of the
// test's own in its place. The loader looks for a name once, so that each case has a process of its
// own, by --gtest_filter, with the folder of its file in LD_LIBRARY_PATH.
#include "app/bench/gpu_exchange.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

/// The line of a run's start.
std::string start_refused() {
  const Communicator ranks;
  try {
    make_gpu_exchange(ranks);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Nccl, ThatIsNoLibraryIsRefused) {
  EXPECT_TRUE(starts_with(why_not_gpu_exchange(), "libnccl.so.2 cannot be loaded: "));
}

TEST(Nccl, ThatLacksAFunctionIsNamedWithIt) {
  EXPECT_EQ(why_not_gpu_exchange(), "");
  EXPECT_EQ(start_refused(), "libnccl.so.2 has no ncclCommGetAsyncError");
}

TEST(Nccl, ThatDoesNotStartSaysWhy) {
  EXPECT_EQ(why_not_gpu_exchange(), "");
  EXPECT_EQ(gpu_exchange_library(), "NCCL 2.10.5");
  EXPECT_EQ(start_refused(), "NCCL cannot start: unhandled system error");
}

TEST(Nccl, ThatIsNotThereIsNamedWithWhereToGetIt) {
  const std::string refused = why_not_gpu_exchange();
  if (refused.empty()) GTEST_SKIP() << "this machine has it";
  EXPECT_TRUE(starts_with(refused, "libnccl.so.2 is not found: load the module of NCCL"));
}

}  // namespace
}  // namespace memstencil
