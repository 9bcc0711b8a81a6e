// Pins where pages are said to be: nowhere before the first touch, on a node after it.
#include "memory_spaces/residency.hpp"

#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/numa.hpp"

#include "tests/memory_spaces/each_space.hpp"

#include <cstring>

namespace memstencil {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

std::size_t present(const Residency& r) {
  std::size_t pages = 0;
  for (const auto& [node, count] : r.pages_on_node) {
    EXPECT_GE(node, 0);
    pages += count;
  }
  return pages;
}

using ResidencyIn = EachSpace;

TEST_P(ResidencyIn, AddsUpToThePagesAskedAbout) {
  const Buffer buffer(GetParam(), buffer_bytes);
  const Residency r = residency(buffer);
  if (!r.known) {
    EXPECT_NE(r.reason, "");
    return;
  }
  EXPECT_EQ(r.sampled, buffer_bytes / r.page_bytes);
  EXPECT_EQ(r.absent + present(r), r.sampled);
  const Residency few = residency(buffer, 10);
  EXPECT_EQ(few.sampled, 10U);
  EXPECT_EQ(few.absent + present(few), 10U);
}

INSTANTIATE_TEST_SUITE_P(Spaces, ResidencyIn, testing::ValuesIn(all_memory_kinds()),
                         space_test_name);

/// System-allocated memory: in every build what the operating system gives.
class SystemPages : public testing::Test {
protected:
  void SetUp() override {
    const Residency r = residency(Buffer(MemorySpace::SystemAllocated, 1));
    if (!r.known) GTEST_SKIP() << r.reason;
  }
};

TEST_F(SystemPages, AreNoneInANewBuffer) {
  for (int n = 0; n < 5; ++n) {
    const Buffer buffer(MemorySpace::SystemAllocated, buffer_bytes);
    const Residency r = residency(buffer);
    EXPECT_EQ(r.absent, r.sampled);
    EXPECT_TRUE(r.pages_on_node.empty());
    std::memset(buffer.data(), 1, buffer_bytes);  // the next one may be where this one was
  }
}

TEST_F(SystemPages, AreCountedOneByOne) {
  const Buffer buffer(MemorySpace::SystemAllocated, buffer_bytes);
  const std::size_t page = residency(buffer).page_bytes;
  // A touch may bring a huge page where the system is set so: at least what was touched is there.
  for (std::size_t at = 0; at < buffer_bytes / 2; at += page)
    static_cast<char*>(buffer.data())[at] = 1;
  const Residency r = residency(buffer);
  EXPECT_GE(present(r), buffer_bytes / 2 / page);
}

TEST(MemoryFromANode, LiesThereAndTheThreadsOwnRuleComesBack) {
  const auto touched = [] {
    const Buffer buffer(MemorySpace::SystemAllocated, buffer_bytes);
    std::memset(buffer.data(), 1, buffer.bytes());
    return residency(buffer);
  };
  const Residency before = touched();
  if (!before.known) GTEST_SKIP() << before.reason;
  const int node = before.pages_on_node.begin()->first;
  if (const MemoryFromNode from(node); from.error() == 0) {
    EXPECT_EQ(touched().pages_on_node.at(node), before.sampled);
    EXPECT_NE(MemoryFromNode(1023).error(), 0) << "no such node";
    EXPECT_EQ(touched().pages_on_node.at(node), before.sampled);
  } else {
    EXPECT_NE(MemoryFromNode(node).error(), 0) << "refused once, refused again";
  }
  EXPECT_EQ(touched().absent, 0U);
}

}  // namespace
}  // namespace memstencil
