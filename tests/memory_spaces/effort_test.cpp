// Pins what is counted as a program's effort: each allocation in its space, and each movement.
#include "memory_spaces/effort.hpp"

#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"
#include "tests/memory_spaces/each_space.hpp"

#include <cstddef>
#include <vector>

namespace memstencil {
namespace {

using EffortIn = EachSpace;

TEST_P(EffortIn, CountsAllocationsInTheirSpaceAndTheirBytes) {
  const MemoryEffort before = memory_effort();
  {
    const Buffer one(GetParam(), 1000);
    Buffer two(GetParam(), 24);
    const Buffer moved(std::move(two));
  }
  const MemoryEffort taken = memory_effort() - before;
  for (const MemorySpace space : all_memory_spaces)
    EXPECT_EQ(taken.of(space), space == GetParam() ? (Calls{2, 1024}) : Calls{}) << name(space);
  EXPECT_EQ(taken.copies, Calls{});
}

TEST_P(EffortIn, CountsEveryCopyThatTheProgramMakes) {
  const Buffer buffer(GetParam(), 800);
  const std::vector<double> zeros(100);
  const MemoryEffort before = memory_effort();
  for (int n = 0; n < 3; ++n) copy(buffer.data(), zeros.data(), 800);
  EXPECT_EQ((memory_effort() - before).copies, (Calls{3, 2400}));
}

TEST_P(EffortIn, CountsPrefetchAndAdviceWhereTheyAreTaken) {
  const Buffer buffer(GetParam(), 4096);
  const MemoryEffort before = memory_effort();
  const bool moves = refuse_prefetch(GetParam()).empty() && !rehearsed();
  if (moves) prefetch(buffer, Executor::Device);
  advise(buffer, Advice::None, Executor::Device);
  const bool advised = refuse_advice(GetParam(), Advice::Preferred).empty() && !rehearsed();
  if (advised) advise(buffer, Advice::Preferred, Executor::Device);
  const MemoryEffort taken = memory_effort() - before;
  EXPECT_EQ(taken.prefetches, moves ? (Calls{1, 4096}) : Calls{});
  EXPECT_EQ(taken.advices, advised ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(Spaces, EffortIn, testing::ValuesIn(all_memory_spaces), space_test_name);

}  // namespace
}  // namespace memstencil
