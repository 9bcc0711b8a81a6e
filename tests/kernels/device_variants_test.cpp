// Pins every kind and tile of sweep of the device: p of all of them alike to the bit, as Kokkos'
// own launch makes it, and as the original's terms give it with FMA.
#include "kernels/jacobi/stencil.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "kernels/jacobi/temporal_cuda.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace memstencil::jacobi {
namespace {

using reference::Extents;
using reference::Seed;
using reference::Whole;
using Device = Kokkos::DefaultExecutionSpace;

/// The portable twin of the device's single sweep: a thread for each point. gosa over `counted`.
double portable_sweep(const Pass& pass, const Box& counted) {
  const std::int64_t row = pass.grid.pitch, plane = row * pass.grid.extents[1];
  const auto& [lo, hi] = pass.grid.owned;
  double gosa = 0.0;
  Kokkos::parallel_reduce(
      "portable sweep",
      Kokkos::MDRangePolicy<Device, Kokkos::Rank<3>>({lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t k, double& sum) {
        const std::int64_t at = i * plane + j * row + k;
        const Neighbours around = neighbours_of(
            [&](int di, int dj, int dk) { return pass.p[at + di * plane + dj * row + dk]; });
        const float ss = residual(around, coefficients_at<Layout::Arrays>(pass.coefficients, at));
        pass.p_next[at] = updated(around.ooo, omega, ss);
        if (i >= counted.lo[0] && i < counted.hi[0] && j >= counted.lo[1] && j < counted.hi[1] &&
            k >= counted.lo[2] && k < counted.hi[2])
          sum += squared(ss);
      },
      gosa);
  return gosa;
}

/// p after `sweeps` portable sweeps, and gosa of each.
struct Outcome {
  std::vector<float> p;
  std::vector<double> gosa;
};

/// They make the halo, too, as far as later sweeps need it.
Outcome single_sweeps(const Whole& whole, const Box& owned, int sweeps) {
  LocalProblem<Device> local(whole, owned, sweeps);
  const Box counted = local.grid.owned;
  local.grid.owned = grown(counted, sweeps - 1, local.grid.interior);
  local.next = uploaded<Device>(downloaded(local.arrays[P]));
  Outcome out;
  for (int n = 0; n < sweeps; ++n) {
    out.gosa.push_back(portable_sweep(local.pass(), counted));
    local.swap();
  }
  out.p = downloaded(local.arrays[P]);
  return out;
}

/// The original's ss at a point with each product and sum in one rounding, written out once more so
/// that the test shares nothing with the code under test.
float fused_residual(const Whole& whole, const std::vector<float>& q, std::int64_t i,
                     std::int64_t j, std::int64_t k) {
  const auto p = [&](int di, int dj, int dk) { return q[whole.at(i + di, j + dj, k + dk)]; };
  const auto c = [&](ArrayId id) { return whole.arrays[id][whole.at(i, j, k)]; };
  float s = c(A0) * p(1, 0, 0);
  s = std::fma(c(A1), p(0, 1, 0), s);
  s = std::fma(c(A2), p(0, 0, 1), s);
  s = std::fma(c(B0), p(1, 1, 0) - p(1, -1, 0) - p(-1, 1, 0) + p(-1, -1, 0), s);
  s = std::fma(c(B1), p(0, 1, 1) - p(0, -1, 1) - p(0, 1, -1) + p(0, -1, -1), s);
  s = std::fma(c(B2), p(1, 0, 1) - p(-1, 0, 1) - p(1, 0, -1) + p(-1, 0, -1), s);
  s = std::fma(c(C0), p(-1, 0, 0), s);
  s = std::fma(c(C1), p(0, -1, 0), s);
  s = std::fma(c(C2), p(0, 0, -1), s) + c(WRK1);
  return std::fma(s, c(A3), -p(0, 0, 0)) * c(BND);
}

std::size_t differing(const LocalProblem<Device>& local, const std::vector<float>& a,
                      const std::vector<float>& b) {
  std::size_t count = 0;
  local.for_each(
      [&](std::size_t n, bool owned, bool) { count += owned && !same_bits(a[n], b[n]) ? 1 : 0; });
  return count;
}

/// Floats beside the owned points that a pass has changed.
std::size_t touched(const LocalProblem<Device>& local, const std::vector<float>& next) {
  std::size_t count = 0;
  local.for_each(
      [&](std::size_t n, bool owned, bool) { count += !owned && !same_bits(next[n], untouched); });
  return count;
}

/// Sweeps on the host over a whole grid give the same.
void expect_the_original_with_fma(Whole whole, const Outcome& got) {
  for (const double gosa : got.gosa) {
    const std::vector<float> before = whole.arrays[P];
    double expected = 0.0;
    for_points(reference::interior_of(whole.extents), [&](auto i, auto j, auto k) {
      const float ss = fused_residual(whole, before, i, j, k);
      whole.arrays[P][whole.at(i, j, k)] = std::fma(0.8F, ss, before[whole.at(i, j, k)]);
      expected += static_cast<double>(ss * ss);
    });
    EXPECT_NEAR(gosa, expected, 1e-12 * expected);
  }
  const LocalProblem<Device> local(whole, reference::interior_of(whole.extents), 1);
  EXPECT_EQ(differing(local, got.p, local.part_of(whole, whole.arrays[P])), 0U);
}

/// All variants on the whole grid, against portable sweeps, and those against the host.
void expect_all_alike(const Extents& extents, const Seed& seed) {
  SCOPED_TRACE(testing::Message() << extents[0] << "x" << extents[1] << "x" << extents[2]);
  const Whole start(extents, seed);
  const Box all = reference::interior_of(extents);
  const LocalProblem<Device> shape(start, all, 1);
  const std::vector<SweepOffer> offered = sweep_offers<Device>(shape.grid);
  ASSERT_EQ(offered.front().kind.sweeps, 1);
  ASSERT_EQ(offered.front().why_not, "");
  expect_the_original_with_fma(start, single_sweeps(start, all, 3));
  for (const SweepOffer& each : offered) {
    if (!each.why_not.empty()) continue;
    const SweepKind& kind = each.kind;
    const Outcome want = single_sweeps(start, all, kind.sweeps);
    std::vector<double> of_arrays;
    for (const Layout layout : all_layouts) {
      const LocalProblem<Device> local(start, all, 1, layout);
      const auto sweep = make_sweep(Device(), local.grid, kind);
      SCOPED_TRACE(testing::Message() << full_name(kind) << ", " << name(layout));
      const std::vector<double> gosa = local.run(*sweep);
      const std::vector<float> next = downloaded(local.next);
      EXPECT_EQ(differing(local, next, want.p), 0U);
      EXPECT_EQ(touched(local, next), 0U);
      for (std::size_t n = 0; n < gosa.size(); ++n)
        EXPECT_NEAR(gosa[n], want.gosa[n], 1e-12 * want.gosa[n]);
      if (layout == Layout::Arrays) of_arrays = gosa;
      EXPECT_EQ(gosa, of_arrays);
    }
  }
}

TEST(DeviceVariants, AgreeToTheBitAtOddExtents) {
  for (const Extents& e : {Extents{3, 3, 3}, {5, 4, 7}, {3, 3, 300}, {37, 45, 83}, {64, 64, 128}})
    for (const Seed& seed : {Seed{}, Seed{1}}) expect_all_alike(e, seed);
  for (const Extents& e : {Extents{30, 70, 259}, {67, 29, 509}, {6, 210, 620}})
    expect_all_alike(e, 1);  // the last has more tiles than a GPU has multiprocessors
}

TEST(DeviceVariants, AgreeWhereAGridIsOneTileLessOneAndMore) {
  // Tiles are 16 to 256 points in k and 1 to 30 rows in j.
  for (const std::int64_t k : {31, 32, 33, 61, 62, 63, 64, 65, 129, 257})
    for (const std::int64_t j : {8, 15, 16, 17, 19, 20, 21}) expect_all_alike({9, j + 2, k + 2}, 2);
}

TEST(DeviceVariants, AgreeWhereMorePlanesAreFusedThanThereAre) {
  for (const std::int64_t i : {3, 4, 5, 6}) expect_all_alike({i, 20, 70}, 3);
}

/// Passes of a streamed sweep with nothing between until some are left for a shorter one, and one
/// more, against single ones.
void expect_streamed(const Extents& extents, int sweeps, int fused, std::size_t ring_planes) {
  SCOPED_TRACE(testing::Message() << extents[0] << "x" << extents[1] << "x" << extents[2] << ", "
                                  << sweeps << " sweeps, fused " << fused << ", ring of at most "
                                  << ring_planes << " planes");
  const Whole start(extents, 2);
  const Box all = reference::interior_of(extents);
  LocalProblem<Kokkos::SharedHostPinnedSpace> local(start, all, 1);
  const auto shape =
      stream_shape(local.grid, sweeps, fused,
                   static_cast<double>(14 * sizeof(float) * ring_planes * local.grid.row(1, 0)));
  ASSERT_TRUE(shape);
  const auto sweep = make_streamed_sweep(Device(), local.grid, sweeps, *shape);
  Kokkos::deep_copy(local.next, local.arrays[P]);  // the fixed boundary, when both change places
  const ArrayOf<Device, double> sums("gosa", 4 * static_cast<std::size_t>(sweeps));
  int made = 0;
  for (const int left : {3 * sweeps - 1, 2 * sweeps - 1, sweeps - 1, 1}) {
    const int of_pass = sweep->next(left);
    EXPECT_EQ(of_pass, std::min(left, sweeps));
    sweep->update(Device(), local.pass(), 0, {});
    sweep->add_up(Device(), 1, sums.data() + made);
    made += of_pass;
    local.swap();
  }
  const Outcome want = single_sweeps(start, all, made);
  EXPECT_EQ(differing(LocalProblem<Device>(start, all, 1), downloaded(local.arrays[P]), want.p),
            0U);
  const std::vector<double> gosa = downloaded(sums);
  for (std::size_t n = 0; n < want.gosa.size(); ++n)
    EXPECT_NEAR(gosa[n], want.gosa[n], 1e-12 * want.gosa[n]) << n;
}

TEST(DeviceVariantsBehindALink, AgreeToTheBit) {
  for (const Extents& e : {Extents{3, 3, 3}, {37, 45, 83}, {70, 20, 65}, {150, 33, 130}}) {
    const Grid grid = LocalProblem<Device>(Whole(e, 2), reference::interior_of(e), 1).grid;
    for (const int fused : {1, stream_fuses(grid)})
      for (const int sweeps : {2, 5, 8, 33})
        for (const std::size_t more : {12, 300})  // steps of few planes, and of many
          expect_streamed(e, sweeps, fused, static_cast<std::size_t>(sweeps + fused) + more);
  }
}

TEST(DeviceVariantsBehindALink, AreOfferedForEveryNumberOfSweepsAndTriedForSome) {
  const Grid grid =
      LocalProblem<Device>(Whole({37, 45, 83}, 2), reference::interior_of({37, 45, 83}), 1).grid;
  std::vector<int> tried, offered;
  for (const SweepOffer& each : sweep_offers<Device>(grid, std::size_t{1} << 30)) {
    EXPECT_EQ(each.why_not, "") << full_name(each.kind);
    if (each.kind.name != "single") offered.push_back(each.kind.sweeps);
    if (each.tried) tried.push_back(each.kind.sweeps);
  }
  EXPECT_EQ(offered.size(), 255U);
  EXPECT_EQ(tried, (std::vector<int>{1, 16, 32, 64, 96, 128}));
}

TEST(DeviceVariantsBehindALink, BeginWithTilesThatMarch) {
  const Grid grid =
      LocalProblem<Device>(Whole({37, 45, 83}, 2), reference::interior_of({37, 45, 83}), 1).grid;
  const auto offers = sweep_offers<Device>(grid, std::size_t{1} << 30);
  EXPECT_EQ(full_name(offers.front().kind), "single:128x2x8");
}

void expect_owned_points_alone(const Whole& start, const Box& owned) {
  const LocalProblem<Device> shape(start, owned, 1);
  for (const SweepOffer& one_wide : sweep_offers<Device>(shape.grid))
    for (const Layout layout : all_layouts) {
      const SweepKind& kind = one_wide.kind;
      const LocalProblem<Device> local(start, owned, kind.sweeps, layout);
      // A tile may not run on this halo's grid.
      const std::vector<SweepOffer> here = sweep_offers<Device>(local.grid);
      const auto found = std::find_if(here.begin(), here.end(),
                                      [&](const SweepOffer& each) { return each.kind == kind; });
      if (!found->why_not.empty()) continue;
      SCOPED_TRACE(testing::Message()
                   << full_name(kind) << ", " << name(layout) << ", rows to " << owned.hi[1]);
      const auto sweep = found->make(Device());
      const std::vector<double> gosa = local.run(*sweep);
      const std::vector<float> next = downloaded(local.next);
      const Outcome want = single_sweeps(start, owned, kind.sweeps);
      EXPECT_EQ(touched(local, next), 0U);
      EXPECT_EQ(differing(local, next, want.p), 0U);
      for (std::size_t n = 0; n < gosa.size(); ++n)
        EXPECT_NEAR(gosa[n], want.gosa[n], 1e-12 * want.gosa[n]);
    }
}

TEST(DeviceVariants, UpdateTheOwnedPointsOfARankOnly) {
  expect_owned_points_alone(Whole({23, 41, 97}, 4), {{7, 5, 11}, {15, 29, 60}});
  expect_owned_points_alone(Whole({16, 19, 140}, 4), {{4, 5, 6}, {12, 15, 136}});
  // Their last rows are at another rank's: all tiles start lower, above the grid's first row.
  const Whole start({9, 84, 70}, 4);
  for (std::int64_t rows = 28; rows < 76; ++rows)
    expect_owned_points_alone(start, {{1, 1, 1}, {8, rows, 69}});
}

TEST(DeviceVariants, ThatFuseSweepsRefuseWhatTheyCannotIndex) {
  for (std::size_t tile = 0; tile < temporal_tiles.size(); ++tile) {
    Grid grid{{9, 9, 9}, std::int64_t{1} << 30, {{1, 1, 1}, {8, 8, 8}}, {{1, 1, 1}, {8, 8, 8}}};
    EXPECT_NE(why_not_temporal_cuda(grid, tile), "");
    grid.pitch = row_pitch(9);
    grid.owned.hi[2] = grid.owned.lo[2];
    EXPECT_NE(why_not_temporal_cuda(grid, tile), "");
  }
}

}  // namespace
}  // namespace memstencil::jacobi
