// Pins the sweeps of a GPU over arrays behind a link: the original's p to the bit; and which of
// its sweeps are offered.
#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "kernels/jacobi/temporal_cuda.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace memstencil::jacobi {
namespace {

using reference::Extents;
using reference::Whole;
using Device = Kokkos::DefaultExecutionSpace;

/// Passes of a streamed sweep with nothing between until some are left for a shorter one, and one
/// more, against the original's.
void expect_streamed(const Whole& start, Original& original, int sweeps, int fused,
                     std::size_t ring_planes) {
  SCOPED_TRACE(testing::Message() << start.extents[0] << "x" << start.extents[1] << "x"
                                  << start.extents[2] << ", " << sweeps << " sweeps, fused "
                                  << fused << ", ring of at most " << ring_planes << " planes");
  LocalProblem<Kokkos::SharedHostPinnedSpace> local(start, original.owned, 1);
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
  const std::vector<double> gosa = downloaded(sums);
  original.go_on_to(static_cast<std::size_t>(made));
  for (std::size_t n = 0; n < original.gosa.size(); ++n)
    EXPECT_NEAR(gosa[n], original.gosa[n], 1e-12 * original.gosa[n]) << n;
  local.swap();  // the result is in next, and the boundary in p
  EXPECT_EQ(local.wrong(original.whole, true), 0U);
}

TEST(DeviceVariantsBehindALink, AgreeToTheBit) {
  for (const Extents& e : {Extents{3, 3, 3}, {37, 45, 83}, {70, 20, 65}, {150, 33, 130}}) {
    const Whole start = start_of<Device>(e, 2);
    Original original{start, reference::interior_of(e)};
    const Grid grid = LocalProblem<Device>(start, original.owned, 1).grid;
    for (const int sweeps : {2, 5, 8, 33})
      for (const int fused : {1, stream_fuses(grid)})
        for (const std::size_t more : {12, 300})  // steps of few planes, and of many
          expect_streamed(start, original, sweeps, fused,
                          static_cast<std::size_t>(sweeps + fused) + more);
  }
}

TEST(DeviceVariantsBehindALink, AreOfferedForEveryNumberOfSweepsAndTriedForSome) {
  const Grid grid =
      LocalProblem<Device>(Whole({37, 45, 83}, 2), reference::interior_of({37, 45, 83}), 1).grid;
  std::vector<int> tried, offered;
  const std::vector<SweepOffer> all = sweep_offers<Device>(grid, std::size_t{1} << 30);
  EXPECT_EQ(full_name(all.front().kind), "single:128x2x8") << "tiles that march come first";
  for (const SweepOffer& each : all) {
    EXPECT_EQ(each.why_not, "") << full_name(each.kind);
    if (each.kind.name != "single") offered.push_back(each.kind.sweeps);
    if (each.tried) tried.push_back(each.kind.sweeps);
  }
  EXPECT_EQ(offered.size(), 255U);
  EXPECT_EQ(tried, (std::vector<int>{1, 16, 32, 64, 96, 128}));
}

TEST(DeviceVariants, BeginWithTilesOfOnePlaneOnlyIfTheyPay) {
  const Grid grid =
      LocalProblem<Device>(Whole({37, 45, 83}, 2), reference::interior_of({37, 45, 83}), 1).grid;
  const bool plane = plane_tiles_pay(memory_bandwidth(), grid.owned.points(), true);
  EXPECT_EQ(full_name(sweep_offers<Device>(grid, 0).front().kind),
            plane ? "single:128x4x1" : "single:128x2x8");
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
