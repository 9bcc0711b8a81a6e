// Pins sweeps whose edges come first: the bits of whole ones, and edges that need no other point.
#include "kernels/jacobi/single_sweep.hpp"

#include "kernels/queue.hpp"
#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace memstencil::jacobi {
namespace {

using reference::Whole;

/// Owned boxes with every number of neighbours, larger and smaller than tiles.
const std::vector<Box> boxes_of_ranks{{{1, 1, 1}, {40, 17, 300}},   {{20, 1, 1}, {40, 17, 300}},
                                      {{9, 1, 1}, {31, 17, 300}},   {{1, 6, 1}, {40, 12, 300}},
                                      {{1, 1, 140}, {40, 17, 299}}, {{12, 5, 130}, {29, 13, 270}},
                                      {{7, 3, 33}, {8, 4, 34}}};

/// Rows' pads are no numbers, and random coefficients may grow out of all.
template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class Exec>
class SplitSweep : public testing::Test {};
TYPED_TEST_SUITE(SplitSweep, KernelSpaces);

TYPED_TEST(SplitSweep, LeavesTheBitsOfPassesThatEachAddUpByThemselves) {
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
      const auto after = [&] {
        return std::pair(downloaded(local.arrays[P]), downloaded(local.next));
      };
      begin_again();
      for (int n = 0; n < passes; ++n)
        alone->run(first.exec(), pass_of(n), want.data() + n * sweeps);
      const auto [p_of_alone, next_of_alone] = after();
      begin_again();
      for (int n = 0; n < passes; ++n) {
        const int slot = n % slots;
        kept->update(first.exec(), pass_of(n), slot, {&second.exec()});
        Kokkos::fence();
        if (slot + 1 < slots && n + 1 < passes) continue;
        kept->add_up(third.exec(), slot + 1, got.data() + (n - slot) * sweeps);
        Kokkos::fence();
      }
      const auto [p_of_kept, next_of_kept] = after();
      SCOPED_TRACE(testing::Message() << full_name(offered.kind) << " from " << owned.lo[0]);
      const std::vector<double> all = downloaded(want);
      EXPECT_TRUE(same_bytes(downloaded(got), all));
      EXPECT_TRUE(same_bytes(p_of_kept, p_of_alone));
      EXPECT_TRUE(same_bytes(next_of_kept, next_of_alone));
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
      const bool alone = reference::interior_of(whole.extents).points() == owned.points();
      ASSERT_EQ(sweep.edges(), alone ? Edges::Last : Edges::Apart);
      if (alone) continue;
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
