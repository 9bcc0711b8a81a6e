// Pins the fused sweeps on the host: bit for bit what single sweeps give, on any box of any grid.
#include "kernels/jacobi/temporal_host.hpp"

#include "kernels/queue.hpp"
#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace memstencil::jacobi {
namespace {

// The check of memory asks before the space has started.
TEST(HostThreads, AreThoseThatTheSpaceStarts) {
  EXPECT_EQ(host_threads(), HostExec().concurrency());
}

using reference::Extents;
using reference::interior_of;
using reference::Whole;

// Random coefficients, and more obstacles than --coefficients random has: a fifth of the points.
Whole noisy_grid(const Extents& e) {
  Whole whole(e, 7);
  std::uint64_t n = 0;
  for (float& bnd : whole.arrays[BND]) bnd = reference::splitmix64(n++) % 5 == 0 ? 0.0F : 1.0F;
  return whole;
}

// One fused pass over `owned` of a whole grid against `sweeps` naive sweeps over all of it.
void expect_single_sweeps(const Extents& e, const Box& owned, int sweeps, const HostTile* shape) {
  Whole whole = noisy_grid(e);
  const LocalProblem<HostExec> local(whole, owned, sweeps);
  const HostExec exec;
  TemporalHostSweep<HostExec> sweep(
      exec, local.grid, sweeps, shape ? *shape : host_tile(local.grid, sweeps, exec.concurrency()));
  const std::vector<double> gosa = local.run(sweep);
  EXPECT_EQ(local.run(sweep), gosa) << "the sums of a second run differ";

  for (std::size_t s = 0; s < gosa.size(); ++s) {
    const double expected = whole.sweep(owned);
    EXPECT_NEAR(gosa[s], expected, 1e-12 * expected) << "gosa of sweep " << s + 1;
  }
  EXPECT_EQ(local.wrong(whole), 0U)
      << e[0] << "x" << e[1] << "x" << e[2] << ", " << sweeps << " sweeps, " << sweep.describe();
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

TEST(TemporalHost, EqualsSingleSweepsOnAnyExtents) {
  for (const Extents& e :
       {Extents{3, 3, 3}, {5, 4, 7}, {3, 40, 5}, {40, 3, 19}, {17, 19, 23}, {37, 45, 83}})
    for (int sweeps = 1; sweeps <= 8; ++sweeps)
      expect_single_sweeps(e, interior_of(e), sweeps, nullptr);
}

TEST(TemporalHost, EqualsSingleSweepsForAnyTile) {
  const Extents e{19, 23, 37};
  for (const HostTile& shape : {HostTile{17, 21, 2},
                                {17, 21, 3},
                                {17, 21, 5},
                                {17, 21, 20},
                                {17, 21, 21},
                                {17, 21, 400},
                                {1, 1, 2},
                                {2, 3, 2},
                                {5, 7, 4},
                                {16, 20, 7}})
    for (const int sweeps : {1, 2, 3, 5, 8})
      expect_single_sweeps(e, interior_of(e), sweeps, &shape);
}

TEST(TemporalHost, EqualsSingleSweepsOnTheBoxOfARank) {
  const Extents e{21, 18, 43};
  for (const Box& owned : {Box{{1, 1, 1}, {10, 17, 42}},
                           {{10, 1, 1}, {20, 17, 42}},
                           {{7, 5, 11}, {12, 9, 30}},
                           {{1, 8, 20}, {20, 9, 42}},
                           {{4, 4, 20}, {5, 5, 21}},
                           {{6, 2, 2}, {9, 16, 41}}})
    for (const int sweeps : {1, 2, 3, 4, 7}) expect_single_sweeps(e, owned, sweeps, nullptr);
}

}  // namespace
}  // namespace memstencil::jacobi
