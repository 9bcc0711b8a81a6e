// Pins what memory the requirements are held against, on machines that no test runs on: whose it
// is, how many ranks share it, and what a refusal says.
#include "app/bench/memory_check.hpp"

#include "app/base/machine/report_head.hpp"
#include "tests/app/base/fake_machines.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

constexpr double gigabyte = 1e9;

/// A node of four GH200 and 800 GB, with 90 GB free on each GPU, whose four ranks have one each.
MemoryThere four_gh200(const MachineFacts& machine = fake_machines::ats_with_node()) {
  return {.host = 800 * gigabyte,
          .gpu = 90 * gigabyte,
          .ranks_of_node = 4,
          .ranks_of_gpu = 1,
          .note = [machine] { return page_cache_text(machine); }};
}

TEST(Shortage, OfTheHostIsOverTheRanksOfTheNode) {
  EXPECT_EQ(shortage({{Memory::Host, 190 * gigabyte}}, four_gh200()), "");
  EXPECT_EQ(shortage({{Memory::Host, 240 * gigabyte}}, four_gh200()),
            "needs 960.0 GB of host memory for 4 ranks, and 800.0 GB are available here");
}

TEST(Shortage, OfTheGpuIsOverItsRanks) {
  EXPECT_EQ(shortage({{Memory::Gpu, 80 * gigabyte}, {Memory::Host, 100 * gigabyte}}, four_gh200()),
            "");
  MemoryThere shared = four_gh200();
  shared.ranks_of_gpu = 2;
  EXPECT_EQ(shortage({{Memory::Gpu, 80 * gigabyte}}, shared),
            "needs 160.0 GB of the GPU's memory for 2 ranks, and 90.00 GB are available here");
}

TEST(Shortage, OfAnOversubscribedGpuIsTheHosts) {
  MemoryThere there = four_gh200();
  there.ranks_of_node = 1;
  EXPECT_NE(shortage({{Memory::Gpu, 100 * gigabyte}}, there), "");
  there.oversubscribe = true;
  EXPECT_EQ(shortage({{Memory::Gpu, 880 * gigabyte}}, there), "");
  EXPECT_EQ(shortage({{Memory::Gpu, 880 * gigabyte}, {Memory::Host, 30 * gigabyte}}, there),
            "needs 820.0 GB of host memory, and 800.0 GB are available here");
}

TEST(Shortage, NamesTheLimitOfTheProcess) {
  MemoryThere there = four_gh200();
  there.of_process = 5 * gigabyte;
  EXPECT_TRUE(contains(shortage({{Memory::Host, 6 * gigabyte}}, there), "ulimit -v"));
  EXPECT_EQ(shortage({{Memory::Gpu, 6 * gigabyte}}, there), "");
}

TEST(Shortage, NamesThePageCacheInTheGpusNode) {
  MachineFacts machine = fake_machines::ats_with_node();
  const auto lacks = [&](Memory memory) {
    return shortage({{memory, 900 * gigabyte}}, four_gh200(machine));
  };
  EXPECT_FALSE(contains(lacks(Memory::Gpu), "page cache"));
  machine.record["memory"]["numa_nodes"][1]["page_cache_bytes"] = 40'000'000'000;
  EXPECT_TRUE(contains(lacks(Memory::Gpu),
                       "90.00 GB are available here (40.0 GB of page cache lie in the GPU's node "
                       "(NUMA node 1): cudaMemGetInfo counts them as taken"));
  EXPECT_FALSE(contains(lacks(Memory::Host), "page cache"));
  machine.record["gpu"]["numa_node"] = nullptr;
  EXPECT_FALSE(contains(lacks(Memory::Gpu), "page cache"));
}

TEST(WhatHelps, IsASmallerProblemAndTheOtherMemoryIfTheProblemFitsIt) {
  const Remedies remedies{"a smaller --size"};
  MemoryThere there = four_gh200();
  there.gpu_computes = there.may_exceed = true;
  const auto help = [&](double arrays, Memory memory = Memory::Gpu) {
    Requirements needed{{memory, arrays * gigabyte}};
    needed[Memory::Host] += gigabyte;
    return what_helps(remedies, needed, there);
  };
  EXPECT_EQ(help(1e7), "a smaller --size or more nodes");
  EXPECT_EQ(help(120), "a smaller --size or more nodes or another --memspace or --oversubscribe");
  EXPECT_EQ(help(300, Memory::Host), "a smaller --size or more nodes");
  there.gpu_computes = there.may_exceed = false;
  EXPECT_EQ(help(120), "a smaller --size or more nodes");
}

}  // namespace
}  // namespace memstencil
