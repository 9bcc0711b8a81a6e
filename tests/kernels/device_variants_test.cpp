// Pins every kind and tile of sweep of the device: p of all of them alike to the bit, and within
// what FMA may change of the original's.
#include "kernels/jacobi/sweep.hpp"

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

/// p after `sweeps` single sweeps with the default tile, and gosa of each.
struct Outcome {
  std::vector<float> p;
  std::vector<double> gosa;
};

Outcome single_sweeps(const Whole& whole, const Box& owned, int sweeps) {
  LocalProblem<Device> local(whole, owned, 1);
  local.next = uploaded<Device>(downloaded(local.arrays[P]));
  const auto sweep = make_sweep(Device(), local.grid, {});
  Outcome out;
  for (int n = 0; n < sweeps; ++n) {
    out.gosa.push_back(local.run(*sweep).at(0));
    local.swap();
  }
  out.p = downloaded(local.arrays[P]);
  return out;
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

void expect_near_the_original(const Whole& start, const Outcome& got, double gosa_tolerance) {
  Whole whole = start;
  for (const double gosa : got.gosa) {
    const double expected = whole.sweep();
    EXPECT_NEAR(gosa, expected, gosa_tolerance * expected);
  }
  const LocalProblem<HostExec> local(whole, reference::interior_of(whole.extents), 1);
  const std::vector<float> want = local.part_of(whole, whole.arrays[P]);
  double worst = 0.0;
  local.for_each([&](std::size_t n, bool owned, bool) {
    if (owned)
      worst =
          std::max(worst, std::abs(static_cast<double>(got.p[n]) - static_cast<double>(want[n])));
  });
  EXPECT_LE(worst, 1e-6);
}

/// All variants on the whole grid, against single sweeps with the default tile
/// and those against the host.
void expect_all_alike(const Extents& extents, const Seed& seed) {
  SCOPED_TRACE(testing::Message() << extents[0] << "x" << extents[1] << "x" << extents[2]);
  const Whole start(extents, seed);
  const Box all = reference::interior_of(extents);
  const LocalProblem<Device> shape(start, all, 1);
  const std::vector<SweepOffer> offered = sweep_offers<Device>(shape.grid);
  ASSERT_EQ(offered.front().kind.sweeps, 1);
  ASSERT_EQ(offered.front().why_not, "");
  expect_near_the_original(start, single_sweeps(start, all, 3), seed ? 1e-5 : 1e-2);
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
}

TEST(DeviceVariants, AgreeWhereAGridIsOneTileLessOneAndMore) {
  // Tiles are 16 to 256 points in k and 1 to 30 rows in j.
  for (const std::int64_t k : {31, 32, 33, 63, 64, 65, 129, 257})
    for (const std::int64_t j : {8, 15, 16, 17}) expect_all_alike({9, j + 2, k + 2}, 2);
}

TEST(DeviceVariants, AgreeWhereMorePlanesAreFusedThanThereAre) {
  for (const std::int64_t i : {3, 4, 5, 6}) expect_all_alike({i, 20, 70}, 3);
}

TEST(DeviceVariantsBehindALink, AgreeToTheBit) {
  using Link = Kokkos::SharedHostPinnedSpace;
  // Windows for the whole grid, and for a few planes at a time.
  for (const std::size_t window : {std::size_t{1} << 30, std::size_t{6} << 20})
    for (const Extents& e : {Extents{3, 3, 3}, {37, 45, 83}, {70, 20, 65}}) {
      SCOPED_TRACE(testing::Message()
                   << e[0] << "x" << e[1] << "x" << e[2] << ", window " << window);
      const Whole start(e, 2);
      const Box all = reference::interior_of(e);
      const LocalProblem<Link> shape(start, all, 1);
      int streamed = 0;
      for (const SweepOffer& each : sweep_offers<Device>(shape.grid, window)) {
        if (!each.why_not.empty() || each.seams == 0) continue;
        ++streamed;
        const LocalProblem<Device> device(start, all, 1);
        const Outcome want = single_sweeps(start, all, each.kind.sweeps);
        for (const Layout layout : all_layouts) {
          const LocalProblem<Link> local(start, all, 1, layout);
          SCOPED_TRACE(testing::Message() << full_name(each.kind) << ", " << name(layout));
          const auto sweep = each.make(Device());
          const std::vector<double> gosa = local.run(*sweep);
          const std::vector<float> next = downloaded(local.next);
          EXPECT_EQ(differing(device, next, want.p), 0U);
          for (std::size_t n = 0; n < gosa.size(); ++n)
            EXPECT_NEAR(gosa[n], want.gosa[n], 1e-12 * want.gosa[n]);
        }
      }
      EXPECT_GT(streamed, 0);
    }
}

TEST(DeviceVariants, UpdateTheOwnedPointsOfARankOnly) {
  const Box owned{{7, 5, 11}, {15, 29, 60}};
  const Whole start({23, 41, 97}, 4);
  const LocalProblem<Device> shape(start, owned, 1);
  for (const SweepOffer& one_wide : sweep_offers<Device>(shape.grid)) {
    const SweepKind& kind = one_wide.kind;
    const LocalProblem<Device> local(start, owned, kind.sweeps);
    // A tile may not run on this halo's grid.
    const std::vector<SweepOffer> here = sweep_offers<Device>(local.grid);
    const auto found = std::find_if(here.begin(), here.end(),
                                    [&](const SweepOffer& each) { return each.kind == kind; });
    if (!found->why_not.empty()) continue;
    SCOPED_TRACE(full_name(kind));
    const auto sweep = found->make(Device());
    local.run(*sweep);
    const std::vector<float> next = downloaded(local.next);
    EXPECT_EQ(touched(local, next), 0U);
    const Outcome whole = single_sweeps(start, reference::interior_of(start.extents), kind.sweeps);
    const LocalProblem<Device> all(start, reference::interior_of(start.extents), 1);
    std::size_t wrong = 0;
    local.for_each([&](std::size_t n, bool mine, bool) {
      if (!mine) return;
      const auto row = static_cast<std::int64_t>(n) / local.grid.pitch;
      const std::int64_t i = row / local.grid.extents[1] + local.origin[0] - all.origin[0];
      const std::int64_t j = row % local.grid.extents[1] + local.origin[1] - all.origin[1];
      const std::int64_t k =
          static_cast<std::int64_t>(n) % local.grid.pitch + local.origin[2] - all.origin[2];
      wrong += !same_bits(next[n], whole.p[all.grid.row(i, j) + static_cast<std::size_t>(k)]);
    });
    EXPECT_EQ(wrong, 0U);
  }
}

}  // namespace
}  // namespace memstencil::jacobi
