// Pins every kind and tile of sweep of a host and of a GPU: the original's p to the bit, with one
// rounding on a GPU, its gosa, and nothing else changed.
#include "kernels/jacobi/sweep.hpp"
#include "kernels/jacobi/temporal_host.hpp"
#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace memstencil::jacobi {
namespace {

using reference::Extents;
using reference::interior_of;
using reference::Seed;

/// Passes of a sweep against as many sweeps of the original as it makes.
/// @return gosa of each
template <class Exec>
std::vector<double> expect_the_originals(const LocalProblem<Exec>& local, Sweep<Exec>& sweep,
                                         Original& original) {
  const std::vector<double> gosa = local.run(sweep);
  EXPECT_EQ(local.run(sweep), gosa) << "the sums of a second run differ";
  original.go_on_to(gosa.size());
  EXPECT_EQ(local.wrong(original.whole), 0U);
  for (std::size_t n = 0; n < gosa.size(); ++n)
    EXPECT_NEAR(gosa[n], original.gosa[n], 1e-12 * original.gosa[n]) << "sweep " << n + 1;
  return gosa;
}

/// One pass of a kind over the owned points, with a halo of this width.
template <class Exec>
void expect_kind(const SweepKind& kind, const reference::Whole& start, std::int64_t width,
                 Original& original) {
  std::vector<double> of_arrays;
  for (const Layout layout : all_layouts) {
    if (of_host<Exec> && layout == Layout::Packed) continue;
    const LocalProblem<Exec> local(start, original.owned, width, layout);
    // A tile may not run on this halo's grid.
    const std::vector<SweepOffer> here = sweep_offers<Exec>(local.grid);
    const auto found = std::ranges::find(here, kind, &SweepOffer::kind);
    if (!found->why_not.empty()) continue;
    SCOPED_TRACE(testing::Message() << full_name(kind) << ", " << name(layout) << ", " << width);
    const auto sweep = found->make(Exec());
    const std::vector<double> gosa = expect_the_originals(local, *sweep, original);
    if (layout == Layout::Arrays) of_arrays = gosa;
    EXPECT_EQ(gosa, of_arrays);
  }
}

template <class Exec>
void expect_all_kinds(const Extents& e, const Seed& seed, const Box& owned) {
  SCOPED_TRACE(testing::Message() << e[0] << "x" << e[1] << "x" << e[2] << " from " << owned.lo[0]
                                  << ", rows to " << owned.hi[1]);
  const reference::Whole start = start_of<Exec>(e, seed);
  Original original{start, owned};
  std::vector<SweepOffer> kinds = sweep_offers<Exec>(LocalProblem<Exec>(start, owned, 1).grid);
  std::ranges::stable_sort(kinds, {}, [](const SweepOffer& each) { return each.kind.sweeps; });
  for (const SweepOffer& each : kinds) {
    expect_kind<Exec>(each.kind, start, each.kind.sweeps, original);
    // They also make the sweeps that fused ones leave over.
    if (each.kind.sweeps == 1) expect_kind<Exec>(each.kind, start, 4, original);
  }
  EXPECT_GE(original.gosa.size(), 1U) << "no kind can run";
}

template <class Exec>
class Sweeps : public testing::Test {};
TYPED_TEST_SUITE(Sweeps, KernelSpaces);

TYPED_TEST(Sweeps, EqualTheOriginalOnAnyExtents) {
  for (const Extents& e : {Extents{3, 3, 3},
                           {5, 4, 7},
                           {3, 40, 5},
                           {40, 3, 19},
                           {3, 3, 300},
                           {17, 19, 23},
                           {37, 45, 83}})
    for (const Seed& seed : {Seed{}, Seed{1}}) expect_all_kinds<TypeParam>(e, seed, interior_of(e));
  for (const Extents& e :
       {Extents{4, 150, 5}, {64, 64, 128}, {3, 20, 70}, {4, 20, 70}, {6, 20, 70}})
    expect_all_kinds<TypeParam>(e, 3, interior_of(e));
}

TYPED_TEST(Sweeps, EqualTheOriginalByAnyNumberOfAGpusTiles) {
  if (of_host<TypeParam>) GTEST_SKIP() << "rows are its tiles";
  std::vector<Extents> all{{30, 70, 259}, {67, 29, 509}, {6, 210, 620}};
  // Tiles are 16 to 256 points in k and 1 to 30 rows in j; {6, 210, 620} has more of them than a
  // GPU has multiprocessors.
  for (const std::int64_t k : {31, 32, 33, 61, 62, 63, 64, 65, 129, 257})
    for (const std::int64_t j : {8, 15, 16, 17, 19, 20, 21}) all.push_back({9, j + 2, k + 2});
  for (const Extents& e : all) expect_all_kinds<TypeParam>(e, 2, interior_of(e));
}

TYPED_TEST(Sweeps, UpdateTheOwnedPointsOfARankAndNothingElse) {
  for (const Seed& seed : {Seed{}, Seed{9}})
    for (const Box& owned :
         {Box{{1, 1, 1}, {10, 17, 42}}, Box{{10, 1, 1}, {20, 17, 42}}, Box{{7, 5, 11}, {12, 9, 30}},
          Box{{1, 8, 20}, {20, 9, 42}}, Box{{4, 4, 20}, {5, 5, 21}}, Box{{6, 2, 2}, {9, 16, 41}}})
      expect_all_kinds<TypeParam>({21, 18, 43}, seed, owned);
  expect_all_kinds<TypeParam>({23, 41, 97}, 4, {{7, 5, 11}, {15, 29, 60}});
  expect_all_kinds<TypeParam>({16, 19, 140}, 4, {{4, 5, 6}, {12, 15, 136}});
  // Their last rows are at another rank's: all tiles of a GPU start lower, above the first row.
  for (std::int64_t rows = 28; rows < 76; rows += of_host<TypeParam> ? 16 : 1)
    expect_all_kinds<TypeParam>({9, 84, 70}, 4, {{1, 1, 1}, {8, rows, 69}});
}

TEST(TemporalHost, EqualsSingleSweepsForAnyTile) {
  const auto start = start_of<HostExec>({19, 23, 37}, 7);
  const LocalProblem<HostExec> local(start, interior_of(start.extents), 1);
  const HostExec exec;
  for (const HostTile& shape : {HostTile{17, 21, 2},
                                {17, 21, 3},
                                {17, 21, 5},
                                {17, 21, 20},
                                {17, 21, 21},
                                {17, 21, 400},
                                {1, 1, 2},
                                {2, 3, 2},
                                {5, 7, 4},
                                {16, 20, 7}}) {
    Original original{start, interior_of(start.extents)};
    for (const int sweeps : {1, 2, 3, 5, 8}) {
      TemporalHostSweep<HostExec> sweep(exec, local.grid, sweeps, shape);
      SCOPED_TRACE(sweep.describe());
      expect_the_originals(local, sweep, original);
    }
  }
}

}  // namespace
}  // namespace memstencil::jacobi
