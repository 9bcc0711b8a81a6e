// Pins what a machine says of itself: names, spaces served or the reason why not, memory there is.
#include "memory_spaces/capabilities.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>

namespace memstencil {
namespace {

TEST(Names, OfMemorySpacesAreReadAsTheyAreWritten) {
  std::set<std::string> names;
  for (const MemorySpace space : all_memory_spaces) {
    names.insert(std::string(name(space)));
    EXPECT_EQ(memory_space_from_name(name(space)), space);
  }
  EXPECT_EQ(names, (std::set<std::string>{"host-pinned", "device", "managed", "system"}));
}

TEST(Names, OfAllMemorySpacesAreListedForAHelp) {
  EXPECT_EQ(memory_space_names("|"), "host-pinned|device|managed|system");
}

TEST(Names, ThatAreNotSpacesAreNone) {
  for (const char* text : {"", "Device", "device ", "pinned", "auto", "?"})
    EXPECT_FALSE(memory_space_from_name(text)) << text;
}

TEST(Names, OfOthersAreTheCommandLines) {
  EXPECT_EQ(name(Executor::Host), "host");
  EXPECT_EQ(name(Executor::Device), "device");
  EXPECT_EQ(name(Pages::Default), "default");
  EXPECT_EQ(name(Pages::Huge), "huge");
  EXPECT_EQ(name(Advice::None), "none");
  EXPECT_EQ(name(Advice::Preferred), "preferred");
  EXPECT_EQ(name(Advice::ReadMostly), "read-mostly");
  EXPECT_EQ(name(Advice::AccessedBy), "accessed-by");
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

TEST(SupportOf, HasScratchForEveryExecutor) {
  EXPECT_TRUE(support(scratch_space(Executor::Host), Executor::Host).served);
  if (gpu_count() > 0) {
    EXPECT_TRUE(support(scratch_space(Executor::Device), Executor::Device).served);
  }
}

TEST(SupportOf, NeverRefusesDefaults) {
  for (const MemorySpace space : all_memory_spaces) {
    EXPECT_EQ(why_not_pages(space, Pages::Default), "");
    EXPECT_EQ(why_not_advice(space, Advice::None), "");
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
  EXPECT_EQ(facts.count, count);
  EXPECT_EQ(facts.name.empty(), count == 0);
  EXPECT_EQ(why.empty(), count > 0) << why;
  EXPECT_EQ(gpu_backend() == "none", !built_for_gpu());
}

}  // namespace
}  // namespace memstencil
