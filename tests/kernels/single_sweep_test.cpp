// Pins the single sweep on the host: the original's p to the bit, its gosa, and nothing else changed.
#include "kernels/jacobi/sweep.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace memstencil::jacobi {
namespace {

using reference::Extents;
using reference::Seed;
using reference::Whole;

std::unique_ptr<Sweep> sweep_for(const Grid& grid) { return make_sweep(HostExec(), grid, {}); }

struct Case {
  Extents extents;
  Seed seed;
};

class SingleSweep : public testing::TestWithParam<Case> {};

TEST_P(SingleSweep, EqualsTheOriginalToTheBitOverSeveralSweeps) {
  Whole whole(GetParam().extents, GetParam().seed);
  const Box all = reference::interior_of(whole.extents);
  LocalProblem<HostExec> local(whole, all, 1);
  const auto sweep = sweep_for(local.grid);
  EXPECT_EQ(sweep->sweeps(), 1);
  for (int n = 1; n <= 5; ++n) {
    const double gosa = local.run(*sweep).at(0);
    const double expected = whole.sweep();
    EXPECT_NEAR(gosa, expected, 1e-12 * expected) << "sweep " << n;
    if (n == 1) {
      ASSERT_EQ(local.wrong(whole), 0U);
      // The time loop starts with two copies of p: from here on next has the boundary, too.
      local.next = uploaded<HostExec>(local.part_of(whole, whole.arrays[P]));
    }
    local.swap();
  }
  const std::vector<float> want = local.part_of(whole, whole.arrays[P]);
  const std::vector<float> got = downloaded(local.arrays[P]);
  std::size_t wrong = 0;
  local.for_each([&](std::size_t at, bool owned, bool) { wrong += owned && !same_bits(got[at], want[at]); });
  EXPECT_EQ(wrong, 0U);
}

std::string case_name(const testing::TestParamInfo<Case>& test) {
  const Extents& e = test.param.extents;
  return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) +
         (test.param.seed ? "random" : "standard");
}

INSTANTIATE_TEST_SUITE_P(AnyExtents, SingleSweep,
                         testing::Values(Case{{3, 3, 3}, {}}, Case{{3, 3, 3}, 1}, Case{{5, 4, 7}, {}},
                                         Case{{5, 4, 7}, 2}, Case{{3, 3, 300}, {}}, Case{{3, 3, 300}, 3},
                                         Case{{4, 150, 5}, 4}, Case{{37, 45, 83}, {}}, Case{{37, 45, 83}, 5},
                                         Case{{64, 64, 128}, {}}, Case{{64, 64, 128}, 6}),
                         case_name);

TEST(SingleSweepOfARank, UpdatesTheOwnedPointsAndNothingElse) {
  for (const Seed& seed : {Seed{}, Seed{9}})
    for (const Box& owned :
         {Box{{1, 1, 1}, {10, 17, 42}}, Box{{10, 1, 1}, {20, 17, 42}}, Box{{7, 5, 11}, {12, 9, 30}},
          Box{{1, 8, 20}, {20, 9, 42}}, Box{{4, 4, 20}, {5, 5, 21}}, Box{{6, 2, 2}, {9, 16, 41}}})
      for (const std::int64_t halo : {1, 2, 4}) {
        Whole whole({21, 18, 43}, seed);
        const LocalProblem<HostExec> local(whole, owned, halo);
        const auto sweep = sweep_for(local.grid);
        const double gosa = local.run(*sweep).at(0);
        const double expected = whole.sweep(owned);
        EXPECT_NEAR(gosa, expected, 1e-12 * expected);
        EXPECT_EQ(local.wrong(whole), 0U) << "halo " << halo << ", owned from " << owned.lo[0] << ", "
                                          << owned.lo[1] << ", " << owned.lo[2];
      }
}

TEST(SingleSweepSums, AreTheSameAtEveryRun) {
  const Whole whole({37, 45, 83}, 1);
  const LocalProblem<HostExec> local(whole, reference::interior_of(whole.extents), 1);
  const auto sweep = sweep_for(local.grid);
  const double first = local.run(*sweep).at(0);
  for (int n = 0; n < 10; ++n) EXPECT_NEAR(local.run(*sweep).at(0), first, 1e-14 * first);
}

TEST(SingleSweepSums, AreTheKnownOnesOfTheStandardProblem) {
  const Whole whole({64, 64, 128}, {});
  LocalProblem<HostExec> local(whole, reference::interior_of(whole.extents), 1);
  local.next = uploaded<HostExec>(downloaded(local.arrays[P]));
  const auto sweep = sweep_for(local.grid);
  double gosa = 0.0;
  for (int n = 1; n <= 50; ++n) {
    gosa = local.run(*sweep).at(0);
    local.swap();
    if (n == 3) {
      EXPECT_NEAR(gosa, 3.296793923e-03, 1e-9 * gosa);
    }
  }
  EXPECT_NEAR(gosa, 2.515726157e-03, 1e-9 * gosa);
}

}  // namespace
}  // namespace memstencil::jacobi
