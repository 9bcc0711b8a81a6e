// Pins the single sweep on the host: the original's p to the bit, its
// gosa, and nothing else changed.
#include "kernels/jacobi/single_sweep.hpp"

#include "kernels/queue.hpp"
#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace memstencil::jacobi {
namespace {

using reference::Extents;
using reference::Seed;
using reference::Whole;

std::unique_ptr<Sweep<HostExec>> sweep_for(const Grid& grid) {
  return make_sweep(HostExec(), grid, {});
}

struct Case {
  Extents extents;
  Seed seed;
};

class SingleSweepOn : public testing::TestWithParam<Case> {};

TEST_P(SingleSweepOn, EqualsTheOriginalToTheBitOverSeveralSweeps) {
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
  local.for_each(
      [&](std::size_t at, bool owned, bool) { wrong += owned && !same_bits(got[at], want[at]); });
  EXPECT_EQ(wrong, 0U);
}

std::string case_name(const testing::TestParamInfo<Case>& test) {
  const Extents& e = test.param.extents;
  return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) +
         (test.param.seed ? "random" : "standard");
}

INSTANTIATE_TEST_SUITE_P(AnyExtents, SingleSweepOn,
                         testing::Values(Case{{3, 3, 3}, {}}, Case{{3, 3, 3}, 1},
                                         Case{{5, 4, 7}, {}}, Case{{5, 4, 7}, 2},
                                         Case{{3, 3, 300}, {}}, Case{{3, 3, 300}, 3},
                                         Case{{4, 150, 5}, 4}, Case{{37, 45, 83}, {}},
                                         Case{{37, 45, 83}, 5}, Case{{64, 64, 128}, {}},
                                         Case{{64, 64, 128}, 6}),
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
        EXPECT_EQ(local.wrong(whole), 0U) << "halo " << halo << ", owned from " << owned.lo[0]
                                          << ", " << owned.lo[1] << ", " << owned.lo[2];
      }
}

/// Owned boxes with every number of neighbours, larger and smaller than tiles.
const std::vector<Box> boxes_of_ranks{{{1, 1, 1}, {40, 17, 300}},   {{20, 1, 1}, {40, 17, 300}},
                                      {{9, 1, 1}, {31, 17, 300}},   {{1, 6, 1}, {40, 12, 300}},
                                      {{1, 1, 140}, {40, 17, 299}}, {{12, 5, 130}, {29, 13, 270}},
                                      {{7, 3, 33}, {8, 4, 34}}};

template <class Exec>
class SplitSweep : public testing::Test {};
TYPED_TEST_SUITE(SplitSweep, KernelSpaces);

TYPED_TEST(SplitSweep, LeavesTheBitsOfTheWholeOneInPAndGosa) {
  const Whole whole({41, 18, 301}, 3);
  const Queue<TypeParam> first(TypeParam{}), second, third;
  for (const Box& owned : boxes_of_ranks)
    for (const std::int64_t halo : {1, 3}) {
      const LocalProblem<TypeParam> local(whole, owned, halo);
      const double gosa = local.run(*make_sweep(TypeParam(), local.grid, {})).at(0);
      const std::vector<float> want = downloaded(local.next);
      Kokkos::deep_copy(local.next, untouched);

      const auto sweep = make_sweep(TypeParam(), local.grid, {}, EdgesFirst::Yes);
      const bool alone = reference::interior_of(whole.extents).points() == owned.points();
      ASSERT_EQ(sweep->edges(), alone ? Edges::Last : Edges::Apart);
      const auto residuals = uploaded<TypeParam>(std::vector<double>{-1.0});
      Kokkos::fence();
      sweep->update(first.exec(), local.pass(), 0, {&second.exec()});
      Kokkos::fence();
      sweep->add_up(third.exec(), 1, residuals.data());
      EXPECT_EQ(downloaded(residuals).at(0), gosa);
      const std::vector<float> got = downloaded(local.next);
      std::size_t different = 0;
      for (std::size_t n = 0; n < want.size(); ++n) different += same_bits(got[n], want[n]) ? 0 : 1;
      EXPECT_EQ(different, 0U) << "owned from " << owned.lo[0] << ", halo " << halo;
    }
}

TYPED_TEST(SplitSweep, AddsUpSeveralPassesAsEachByItself) {
  const Whole whole({41, 18, 301}, 3);
  const Queue<TypeParam> first(TypeParam{}), second, third;
  for (const Box& owned : boxes_of_ranks)
    for (const SweepOffer& offered :
         sweep_offers<TypeParam>(LocalProblem<TypeParam>(whole, owned, 4).grid)) {
      if (!offered.why_not.empty() || offered.kind.sweeps > 4) continue;
      const LocalProblem<TypeParam> local(whole, owned, offered.kind.sweeps);
      const auto alone = make_sweep(TypeParam(), local.grid, offered.kind);
      const auto kept = make_sweep(TypeParam(), local.grid, offered.kind, EdgesFirst::Yes);
      const int slots = kept->slots(), sweeps = kept->sweeps();
      const int passes = 2 * slots + 1;  // a round that is cut
      const std::vector<double> none(static_cast<std::size_t>(passes * sweeps), -1.0);
      const auto want = uploaded<TypeParam>(none), got = uploaded<TypeParam>(none);
      const auto pass_of = [&](int n) {
        // Every second pass reads another p: their residuals differ.
        const Arrays a = local.pointers();
        const bool odd = n % 2 != 0;
        return Pass{local.grid, a.coefficients, odd ? a.p_next : a.p, odd ? a.p : a.p_next};
      };
      const std::vector<float> p = downloaded(local.arrays[P]);
      const auto begin_again = [&] {
        Kokkos::deep_copy(local.arrays[P], uploaded<TypeParam>(p));
        Kokkos::deep_copy(local.next, uploaded<TypeParam>(p));
        Kokkos::fence();
      };
      begin_again();
      for (int n = 0; n < passes; ++n)
        alone->run(first.exec(), pass_of(n), want.data() + n * sweeps);
      Kokkos::fence();
      begin_again();
      for (int n = 0; n < passes; ++n) {
        const int slot = n % slots;
        kept->update(first.exec(), pass_of(n), slot, {&second.exec()});
        Kokkos::fence();
        if (slot + 1 < slots && n + 1 < passes) continue;
        kept->add_up(third.exec(), slot + 1, got.data() + (n - slot) * sweeps);
        Kokkos::fence();
      }
      Kokkos::fence();
      // By their bytes: random coefficients may grow out of all numbers.
      const std::vector<double> some = downloaded(got), all = downloaded(want);
      EXPECT_EQ(std::memcmp(some.data(), all.data(), all.size() * sizeof(double)), 0)
          << full_name(offered.kind);
      EXPECT_TRUE(std::isfinite(all.back())) << "another seed is needed";
    }
}

TYPED_TEST(SplitSweep, HasInItsEdgesWhatNeighboursGetAndReadsNoHaloInside) {
  const Whole whole({41, 18, 301}, 3);
  const Queue<TypeParam> first(TypeParam{}), second, third;
  for (const Box& owned : boxes_of_ranks)
    for (const std::int64_t halo : {1, 3}) {
      const LocalProblem<TypeParam> local(whole, owned, halo);
      const SingleSweep<TypeParam> sweep(local.grid, single_tiles.front(), EdgesFirst::Yes);
      if (sweep.edges() == Edges::Last) continue;
      sweep.update_edges(second.exec(), local.pass(), 0);
      const std::vector<float> edges = downloaded(local.next);
      // What an inner tile reads of the halo would show: it is no number.
      std::vector<float> p = downloaded(local.arrays[P]);
      local.for_each([&](std::size_t n, bool is_owned, bool interior) {
        if (interior && !is_owned) p[n] = std::numeric_limits<float>::quiet_NaN();
      });
      Kokkos::deep_copy(local.arrays[P], uploaded<TypeParam>(p));
      sweep.update_inner(first.exec(), local.pass(), 0);
      const std::vector<float> all = downloaded(local.next);
      Box inside = owned;
      for (int d = 0; d < 3; ++d) {
        inside.lo[d] =
            local.grid.owned.lo[d] + (local.grid.owned.lo[d] - local.grid.interior.lo[d]);
        inside.hi[d] =
            local.grid.owned.hi[d] - (local.grid.interior.hi[d] - local.grid.owned.hi[d]);
      }
      std::size_t missing = 0, poisoned = 0;
      for_points(local.grid.owned, [&](auto i, auto j, auto k) {
        const std::size_t at = local.grid.row(i, j) + static_cast<std::size_t>(k);
        const bool edge = !reference::contains(inside, i, j, k);
        missing += edge && same_bits(edges[at], untouched) ? 1 : 0;
        poisoned += std::isnan(all[at]) ? 1 : 0;
      });
      EXPECT_EQ(missing, 0U) << "owned from " << owned.lo[0] << ", halo " << halo;
      EXPECT_EQ(poisoned, 0U) << "owned from " << owned.lo[0] << ", halo " << halo;
    }
}

}  // namespace
}  // namespace memstencil::jacobi
