// Pins the bytes that the limit of a link counts: those of one way.
#include "app/bench/limit.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memstencil {
namespace {

TEST(LinkLimit, IsOfATransferThatFillsItsTarget) {
  const MemorySpace space = gpu_count() > 0 ? MemorySpace::Device : MemorySpace::SystemAllocated;
  const Buffer target(space, 4096);
  const std::vector<char> source(5000, 7);
  const Ceiling link = link_ceiling(target, source.data());
  EXPECT_EQ(link.kind, "link");
  EXPECT_EQ(link.bytes, 4096);
  link.pass();
  std::vector<char> back(4096, 0);
  copy(back.data(), target.data(), back.size());
  EXPECT_EQ(back, std::vector<char>(4096, 7));
}

}  // namespace
}  // namespace memstencil
