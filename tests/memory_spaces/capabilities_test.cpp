// Pins what a machine says of itself: names, spaces served or the reason why not, memory there is.
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/system_reach.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace memstencil {
namespace {

TEST(Names, OfMemorySpacesAreReadAsTheyAreWrittenAndNoOthers) {
  for (const MemorySpace space : all_memory_spaces)
    EXPECT_EQ(memory_space_from_name(name(space)), space);
  for (const char* text : {"", "Device", "device ", "pinned", "auto", "?"})
    EXPECT_FALSE(memory_space_from_name(text)) << text;
}

TEST(SupportOf, HasAReasonWhereASpaceIsNotServed) {
  for (const Executor executor : all_executors)
    for (const MemorySpace space : all_memory_spaces) {
      const Support s = support(space, executor);
      EXPECT_EQ(s.served, s.reason.empty())
          << name(space) << " for " << name(executor) << ": " << s.reason;
      EXPECT_EQ(s.reason.find('\n'), std::string::npos);
      if (!s.served) continue;
      EXPECT_NE(s.allocation, "");
      EXPECT_NE(s.effective, "");
    }
}

TEST(HomeOf, TellsWhatMovesAndWhatTakesTheGpus) {
  EXPECT_EQ(home(MemorySpace::HostPinned), Home::Host);
  EXPECT_EQ(home(MemorySpace::Device), Home::Gpu);
  for (const MemorySpace space : all_memory_spaces) {
    EXPECT_EQ(touch_makes_pages(space), home(space) == Home::Migrates) << name(space);
    EXPECT_FALSE(reached_over_link(space, Executor::Host)) << name(space);
    EXPECT_EQ(memory_of(space, Executor::Host), Memory::Host) << name(space);
  }
}

TEST(AllocationsOf, ASpaceAreAllInTheBackendsTableOrNameThoseThatAre) {
  for (const MemorySpace space : all_memory_spaces)
    for (const Allocation allocation : all_allocations) {
      const MemoryKind kind(space, allocation);
      const std::string reason = why_not_allocation(kind);
      EXPECT_TRUE(reason.empty() || allocation != Allocation::Default) << reason;
      if (reason.empty()) continue;
      EXPECT_NE(reason.find("use --allocation default"), std::string::npos) << reason;
      EXPECT_EQ(support(kind, Executor::Host).served, false);
      EXPECT_THROW(Buffer(kind, 4096), UnsupportedSpace) << name(space) << name(allocation);
    }
}

TEST(TransferMemory, IsServedToItsExecutorAndReachedByTheHost) {
  for (const Executor executor : all_executors) {
    if (executor == Executor::Device && gpu_count() == 0) continue;
    const MemoryKind kind = transfer_memory(executor);
    EXPECT_TRUE(support(kind, executor).served);
    EXPECT_TRUE(Buffer(kind, 4096).host_accessible());
  }
}

TEST(AvailableBytes, AreWithinTheMachines) {
  const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double gpu = static_cast<double>(gpu_facts().total_bytes);
  for (const MemorySpace space : all_memory_spaces) {
    const auto available = static_cast<double>(available_bytes(space));
    EXPECT_GT(available, 1e6) << name(space);
    EXPECT_LE(available, std::max(physical, gpu)) << name(space);
  }
}

TEST(GpuFactsOf, AMachineAgreeWithItsCount) {
  std::string why;
  const int count = gpu_count(&why);
  const GpuFacts facts = gpu_facts();
  EXPECT_EQ(facts.name.empty(), count == 0);
  EXPECT_EQ(why.empty(), count > 0) << why;
  EXPECT_EQ(gpu_backend() == "none", !built_for_gpu());
}

TEST(SystemReachOf, AGpuFollowsFromItsThreeAttributes) {
  EXPECT_EQ(system_reach(false, false, -1), SystemReach::None);
  EXPECT_EQ(system_reach(true, false, -1), SystemReach::Hmm);
  EXPECT_EQ(system_reach(true, true, 1), SystemReach::Ats);
  EXPECT_EQ(system_reach(true, true, 0), SystemReach::Ats);
  EXPECT_EQ(system_reach(true, true, -1), SystemReach::AtsDriverManaged);
  EXPECT_EQ(name(system_reach(true, true, 0)), "ATS");
  EXPECT_EQ(name(system_reach(true, false, 0)), "HMM");
  EXPECT_EQ(name(system_reach(false, true, 0)), "none");
}

TEST(SystemMemory, IsNeitherPrefetchedNorAdvisedToMoveWhereNoPageCan) {
  for (const std::optional<Advice> advice :
       {std::optional<Advice>(), {Advice::Preferred}, {Advice::ReadMostly}, {Advice::AccessedBy}}) {
    EXPECT_EQ(why_not_system_moved(SystemReach::Ats, advice, "GH200"), "");
    EXPECT_EQ(why_not_system_moved(SystemReach::Hmm, advice, "H100"), "");
    EXPECT_TRUE(contains(why_not_system_moved(SystemReach::None, advice, "H100"),
                         "H100: cudaDevAttrPageableMemoryAccess is 0"));
    const std::string cdmm = why_not_system_moved(SystemReach::AtsDriverManaged, advice, "GH200");
    const bool moves = !advice || *advice == Advice::Preferred;
    EXPECT_EQ(contains(cdmm, "does not move to GH200: its memory is no NUMA node"), moves);
    EXPECT_EQ(contains(cdmm, advice ? "--advise preferred goes with --memspace managed"
                                    : "--prefetch goes with --memspace managed"),
              moves);
    EXPECT_EQ(cdmm.empty(), !moves);
  }
}

}  // namespace
}  // namespace memstencil
