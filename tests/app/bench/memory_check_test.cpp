// Pins what memory the requirements are held against, on machines that no test runs on: whose it
// is, how many ranks share it, and what a refusal says.
#include "app/bench/memory_check.hpp"

#include "app/base/machine/memory_notes.hpp"
#include "tests/app/base/fake_machines.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

constexpr double gigabyte = 1e9;

/// A node of four GH200 and 800 GB, with 90 GB free on each GPU, whose four ranks have one each.
MemoryThere four_gh200(const MachineFacts& machine = fake_machines::ats_with_node()) {
  return {.of_gpu = taken_from_gpu,
          .bytes = [](MemorySpace space) -> std::size_t {
            return taken_from_gpu(space) ? 90'000'000'000 : 800'000'000'000;
          },
          .ranks_of_gpu = 1,
          .ranks_of_node = 4,
          .note = [machine] { return page_cache_text(machine); }};
}

TEST(Shortage, OfSystemMemoryIsOverAllRanksOfTheNode) {
  using enum MemorySpace;
  EXPECT_EQ(shortage({{SystemAllocated, 190 * gigabyte}}, four_gh200()), "");
  EXPECT_EQ(shortage({{SystemAllocated, 240 * gigabyte}}, four_gh200()),
            "needs 960.0 GB of host memory for 4 ranks, and 800.0 GB are available here");
  EXPECT_NE(
      shortage({{SystemAllocated, 150 * gigabyte}, {HostPinned, 100 * gigabyte}}, four_gh200()), "")
      << "both come out of the node's";
}

TEST(Shortage, OfTheGpusMemoryIsOverTheRanksOfThatGpu) {
  using enum MemorySpace;
  for (const MemorySpace space : {Device, Managed}) {
    EXPECT_EQ(shortage({{space, 80 * gigabyte}, {SystemAllocated, 100 * gigabyte}}, four_gh200()),
              "");
    MemoryThere shared = four_gh200();
    shared.ranks_of_gpu = 2;
    EXPECT_EQ(shortage({{space, 80 * gigabyte}}, shared),
              "needs 160.0 GB of " + std::string(name(space)) +
                  " memory for 2 ranks, and 90.00 GB are available here");
  }
}

TEST(Shortage, NamesThePageCacheInTheGpusNode) {
  MachineFacts machine = fake_machines::ats_with_node();
  const auto lacks = [&](MemorySpace space) {
    return shortage({{space, 900 * gigabyte}}, four_gh200(machine));
  };
  EXPECT_FALSE(contains(lacks(MemorySpace::Device), "page cache"));
  machine.memory.numa_nodes[1].page_cache_bytes = 40'000'000'000;
  EXPECT_TRUE(contains(lacks(MemorySpace::Device),
                       "90.00 GB are available here (40.0 GB of page cache lie in the GPU's node "
                       "(NUMA node 1): cudaMemGetInfo counts them as taken"));
  EXPECT_FALSE(contains(lacks(MemorySpace::SystemAllocated), "page cache"));
  machine.gpu->numa_node.reset();
  EXPECT_FALSE(contains(lacks(MemorySpace::Device), "page cache"));
}

}  // namespace
}  // namespace memstencil
