// Pins the scale of heat's figures by clocks that are given, each rank's its own.
#include "app/heat/problem.hpp"
#include "tests/app/base/given_clock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace memstencil::heat {
namespace {

TEST(HeatScale, RatesAndLimitAreOfAllRanksInTheTimeOfTheSlowest) {
  const Communicator ranks;
  GridOptions options;
  options.extents = {34, 40, 50};
  options.iterations = 6;
  options.executor = Executor::Host;
  options.memspace = MemorySpace::SystemAllocated;
  const Plan plan = make_plan(options, {}, ranks);
  EXPECT_EQ(plan.memory().arrays, 2 * 8 * plan.subdomain.grid.elements_wanted());
  const GivenClock clock(ranks.rank() + 1 == ranks.size() ? 3 : 1);
  const GridRun run = run_repeats(plan, ranks, ProgressLine(false, STDERR_FILENO)).at(0);
  const double updates = 32. * 38 * 48 * 6;
  EXPECT_NEAR(1e6 * run.mflops * run.solve_seconds / (9 * updates), 1, 1e-12);
  EXPECT_NEAR(1e9 * run.bandwidth_gbs * run.solve_seconds / (16 * updates), 1, 1e-12);
  // A copy of one array, between two looks at the clock.
  const double elements = ranks.sum(static_cast<double>(plan.subdomain.grid.elements()));
  EXPECT_EQ(run.limit.kind, "copy");
  EXPECT_NEAR(1e9 * run.limit.gbs * 3 / (2 * 8 * elements), 1, 1e-12);
}

}  // namespace
}  // namespace memstencil::heat
