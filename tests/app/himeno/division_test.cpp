// Pins how the grid is divided into ranks without --ranks: planes where they are
// cheap, neighbours on a node.
#include "app/himeno/division.hpp"

#include <gtest/gtest.h>

#include <array>

namespace memstencil::himeno {
namespace {

using Ranks = std::array<int, 3>;
constexpr Triple xl{512, 512, 1024};

Ranks best(const Triple& extents, int ranks, int ranks_of_node, int fused, Executor executor) {
  return divisions(extents, ranks, ranks_of_node,
                   {.fused = fused, .access = {executor, executor, false}})
      .front()
      .ranks;
}

TEST(Division, TakesPlanesForAFewGpus) {
  for (const int fused : {1, 3}) {
    EXPECT_EQ(best(xl, 2, 2, fused, Executor::Device), (Ranks{2, 1, 1}));
    EXPECT_EQ(best({256, 256, 512}, 2, 2, fused, Executor::Device), (Ranks{2, 1, 1}));
  }
  EXPECT_EQ(best(xl, 4, 4, 1, Executor::Device), (Ranks{4, 1, 1}));
}

TEST(Division, NeverCutsRowsOfKWhereAnotherDirectionIsLeft) {
  for (const int ranks : {2, 3, 4, 8, 16})
    for (const Executor executor : {Executor::Device, Executor::Host})
      EXPECT_EQ(best(xl, ranks, 4, 1, executor)[2], 1) << ranks;
}

TEST(Division, TakesTwoDirectionsWherePlanesBecomeFew) {
  const Ranks many = best(xl, 256, 4, 1, Executor::Device);
  EXPECT_GT(many[0], 1);
  EXPECT_GT(many[1] * many[2], 1);
}

TEST(Division, IsWhatTheGridAllows) {
  EXPECT_EQ(best({4, 100, 100}, 4, 4, 1, Executor::Host)[0], 1)
      << "two planes do not make four ranks";
  EXPECT_TRUE(divisions({4, 4, 4}, 64, 4, {.fused = 2, .access = {}}).empty());
  for (const Division& each : divisions({20, 20, 20}, 6, 6, {.fused = 3, .access = {}})) {
    EXPECT_EQ(each.ranks[0] * each.ranks[1] * each.ranks[2], 6);
    EXPECT_LE(each.ranks[0], 6);
  }
}

TEST(Division, CostsMoreBetweenNodesThanInOne) {
  const auto seconds = [](int ranks_of_node) {
    return divisions(xl, 4, ranks_of_node, {.access = {Executor::Device, Executor::Device, false}})
        .front()
        .seconds();
  };
  EXPECT_GT(seconds(1), seconds(4));
}

TEST(Division, DependsOnThePathOfTheMessages) {
  const model::HimenoCase like{.access = {Executor::Device, Executor::Device, false}};
  EXPECT_EQ(divisions(xl, 8, 8, like, "nccl").front().ranks, (Ranks{8, 1, 1}));
  EXPECT_EQ(divisions(xl, 8, 8, like, "staged").front().ranks, (Ranks{2, 2, 2}))
      << "at 3 GB/s bytes count, and not the packing";
}

TEST(Division, NamesTheChoiceAndTheNext) {
  EXPECT_EQ(choice_text({{{2, 1, 1}, {0.001}}, {{1, 2, 1}, {0.002}}}),
            "chosen by an estimated pass: 2x1x1 at 1.000 ms, next 1x2x1 at 2.000 ms");
}

}  // namespace
}  // namespace memstencil::himeno
