// Pins which paths a halo cannot take.
#include "app/grid/plan.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

TEST(Halo, OfRanksThatShareAGpuIsNotPeer) {
  const auto refused = [](Executor executor, int ranks_of_gpu) {
    const Placement placement{.space = MemorySpace::Device,
                              .pages = Pages::Default,
                              .advice = Advice::None,
                              .prefetch = false,
                              .first_touch = executor,
                              .executor = executor,
                              .ranks_of_gpu = ranks_of_gpu};
    return refuse_halo(MessagePath::Peer, placement, Communicator());
  };
  EXPECT_TRUE(starts_with(refused(Executor::Device, 2), "ranks share a GPU"));
  EXPECT_FALSE(contains(refused(Executor::Device, 1), "share a GPU"));
  EXPECT_EQ(refused(Executor::Host, 2), "the kernels run on the host");
}

}  // namespace
}  // namespace memstencil
