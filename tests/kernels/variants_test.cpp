// Pins which kinds of sweep a host offers, their memory, and how they are named and asked for.
#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/sweep.hpp"
#include "kernels/jacobi/temporal_host.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace memstencil::jacobi {
namespace {

using reference::Whole;

TEST(HostVariants, BeginWithTheSingleSweepAndOfferFusedOnes) {
  const LocalProblem<HostExec> local(Whole({5, 4, 7}, {}), reference::interior_of({5, 4, 7}), 1);
  const std::vector<SweepOffer> all = sweep_offers<HostExec>(local.grid);
  ASSERT_GE(all.size(), 4U);
  EXPECT_EQ(all.front().kind.sweeps, 1);
  std::set<int> sweeps;
  for (const SweepOffer& offered : all) sweeps.insert(offered.kind.sweeps);
  for (const int fused : {2, 3, 4}) EXPECT_TRUE(sweeps.contains(fused)) << fused;
  std::set<std::string> names;
  for (const SweepOffer& each : all) names.insert(full_name(each.kind));
  EXPECT_EQ(names.size(), all.size());
}

// The check of memory asks before the space has started.
TEST(HostThreads, AreThoseThatTheSpaceStarts) {
  EXPECT_EQ(host_threads(), HostExec().concurrency());
}

TEST(BytesOfRows, AreThoseThatTheThreadsOfFusedSweepsTake) {
  const int threads = HostExec().concurrency();
  const Box inside{{1, 1, 1}, {36, 44, 82}};
  const Grid grid{{37, 45, 83}, row_pitch(83), inside, inside};
  for (const SweepOffer& each : sweep_offers<HostExec>(grid)) {
    const int sweeps = each.kind.sweeps;
    const std::size_t floats = scratch_floats(grid, sweeps, host_tile(grid, sweeps, threads));
    EXPECT_EQ(each.bytes, sweeps == 1 ? 0 : 4.0 * threads * static_cast<double>(floats));
  }
}

TEST(TilesOfOnePlane, AreTheDefaultOnAnH100AndForSmallPartsOfADividedGrid) {
  constexpr double h100 = 3.35e12, h200 = 4.9e12;
  EXPECT_TRUE(plane_tiles_pay(h100, 100'000'000, true));
  EXPECT_FALSE(plane_tiles_pay(h200, 1'000'000, true));
  EXPECT_TRUE(plane_tiles_pay(h200, 1'000'000, false));
  EXPECT_FALSE(plane_tiles_pay(h200, 100'000'000, false));
}

TEST(SweepKinds, AnswerAQuestionThatLeavesOpenNumberOrTile) {
  const SweepKind fused{"temporal", 3, "16x64/8"};
  for (const SweepKind& asked : {fused, SweepKind{"temporal", 3, ""}, SweepKind{"temporal", 0, ""},
                                 SweepKind{"temporal", 0, "16x64/8"}})
    EXPECT_TRUE(fused.is(asked)) << full_name(asked);
  for (const SweepKind& asked :
       {SweepKind{}, SweepKind{"single", 3, ""}, SweepKind{"temporal", 2, ""},
        SweepKind{"temporal", 3, "16x64/16"}})
    EXPECT_FALSE(fused.is(asked)) << full_name(asked);
  EXPECT_EQ(name(SweepKind{}), "single");
  EXPECT_EQ(name(fused), "temporal:3");
  EXPECT_EQ(full_name(fused), "temporal:3:16x64/8");
}

TEST(SweepKinds, ThatAreNotOfferedAreNotMade) {
  const LocalProblem<HostExec> local(Whole({5, 4, 7}, {}), reference::interior_of({5, 4, 7}), 1);
  for (const SweepKind& kind : {SweepKind{"temporal", 2, "streamed"},
                                SweepKind{"single", 1, "128x2x8"}, SweepKind{"temporal", 99, ""}})
    EXPECT_THROW(make_sweep(HostExec(), local.grid, kind), std::invalid_argument)
        << full_name(kind);
}

}  // namespace
}  // namespace memstencil::jacobi
