// Pins heat: p to the bit of a plain loop on any decomposition and in any memory, the decay of its
// eigenmode, that a result which was spoiled is not verified, and the scale of its figures.
#include "app/heat/problem.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/base/given_clock.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/grid/owned_points.hpp"
#include "tests/app/grid/swept.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace memstencil::heat {
namespace {

GridOptions host_options(const Triple& extents, std::int64_t iterations) {
  GridOptions options;
  options.extents = extents;
  options.iterations = iterations;
  options.executor = Executor::Host;
  options.memspace = MemorySpace::SystemAllocated;
  return options;
}

/// The eigenmode after so many sweeps of a plain loop over the whole grid.
std::vector<double> reference(const Triple& n, std::int64_t sweeps) {
  const Block whole(whole_grid(n));
  const auto sine = [](std::int64_t x, std::int64_t extent) {
    return std::sin(std::numbers::pi * static_cast<double>(x) / static_cast<double>(extent - 1));
  };
  const auto inside = [&](const auto& value) {
    return whole.values([&](auto i, auto j, auto k) {
      const bool fixed = i * j * k == 0 || i == n[0] - 1 || j == n[1] - 1 || k == n[2] - 1;
      return fixed ? 0.0 : value(i, j, k);
    });
  };
  auto p =
      inside([&](auto i, auto j, auto k) { return sine(i, n[0]) * sine(j, n[1]) * sine(k, n[2]); });
  const auto at = [&](auto i, auto j, auto k) {
    return p[static_cast<std::size_t>(whole.at(i, j, k))];
  };
  for (; sweeps > 0; --sweeps)
    p = inside([&](auto i, auto j, auto k) {
      const double along_i = at(i - 1, j, k) + at(i + 1, j, k);
      const double along_j = at(i, j - 1, k) + at(i, j + 1, k);
      const double along_k = at(i, j, k - 1) + at(i, j, k + 1);
      const double own = at(i, j, k);
      return own + diffusion * (((along_i + along_j) + along_k) - 6.0 * own);
    });
  return p;
}

GridRun run_of(const GridOptions& options) {
  const Communicator communicator;
  return run_repeats(make_plan(options, {}, communicator), communicator).front();
}

using HeatSwept = Swept<Problem<Kokkos::DefaultHostExecutionSpace>, Plan>;

/// After so many sweeps.
HeatSwept swept_of(const GridOptions& options) {
  return HeatSwept(make_plan(options, {}, Communicator()));
}

TEST(Heat, HasTheBitsOfAPlainLoopOnAnyDecomposition) {
  for (const Triple& extents : {Triple{19, 23, 37}, Triple{7, 8, 131}, Triple{64, 12, 12}}) {
    const Block whole(whole_grid(extents));
    const std::vector<double> after_seven = reference(extents, 7);
    for (std::size_t d = 0; d < 3; ++d) {
      GridOptions options = host_options(extents, 7);
      options.ranks = {1, 1, 1};
      options.ranks->at(d) = Communicator().size();
      HeatSwept swept = swept_of(options);
      const auto want = [&](auto i, auto j, auto k) {
        return after_seven[static_cast<std::size_t>(whole.at(i, j, k))];
      };
      EXPECT_EQ(wrong_points(swept.plan.subdomain, swept.arrays.arrays().p, want), 0U)
          << size_name(extents) << ranks_text(*options.ranks);
    }
  }
}

TEST(Heat, IsVerifiedInEveryMemory) {
  for (const MemorySpace space : all_memory_spaces) {
    if (!support(space, Executor::Host).served) continue;
    GridOptions options = host_options({19, 23, 37}, 7);
    options.memspace = space;
    const GridRun run = run_of(options);
    EXPECT_EQ(run.iterations, 7);
    EXPECT_EQ(run.scaling.has_value(), Communicator().size() > 1);
    EXPECT_NEAR(run.bandwidth_gbs / (run.mflops * 1e-3), 16.0 / 9.0, 1e-9);
  }
}

TEST(Heat, SmallestGridAndManySweepsAreVerified) {
  if (Communicator().size() > 1) GTEST_SKIP() << "one point is one rank's";
  for (const Triple& extents : {Triple{3, 3, 3}, Triple{3, 50, 4}})
    run_of(host_options(extents, 3000));
}

TEST(Heat, DecayIsThatOfTheDiscreteLaplacian) {
  EXPECT_DOUBLE_EQ(decay({3, 3, 3}, 1), 0.25);  // one point, all of its neighbours 0
  EXPECT_DOUBLE_EQ(decay({3, 3, 3}, 10), std::pow(0.25, 10));
  EXPECT_NEAR(decay({1001, 1001, 1001}, 1),
              1 - diffusion * 3 * std::pow(std::numbers::pi / 1000, 2), 1e-11);
}

std::string line_of(const HeatSwept::Doing& spoil) {
  HeatSwept swept = swept_of(host_options({19, 23, 37}, 7));
  spoil(swept);
  return refusal(ExitCode::Verification, [&] { swept.verify(); });
}

TEST(Heat, ResultThatIsSpoiledIsRefused) {
  for (const double change : {1e-11, std::nan("")})
    EXPECT_TRUE(contains(line_of([&](HeatSwept& swept) { swept.point() += change; }),
                         "after sweep 7 p of rank 0 is not what the last pass makes"));
  EXPECT_TRUE(contains(line_of([](HeatSwept& swept) { --swept.run.iterations; }),
                       "after sweep 6 p of rank 0 is up to"));
  if (Communicator().size() > 1) {
    EXPECT_TRUE(contains(line_of([](HeatSwept& swept) {
                           const Grid& grid = swept.plan.subdomain.grid;
                           swept.arrays.arrays().p[grid.row(grid.extents[0] - 1, 5) + 6] += 1e-9;
                         }),
                         "after sweep 7 rank 0 has a wrong halo above in i"));
  }
}

TEST(Heat, ModeMayBeOffByHalfOfTheAllowedRoundingAndNotByTwiceAndNowhereNaN) {
  HeatSwept swept = swept_of(host_options({19, 23, 37}, 7));
  const Grid& grid = swept.plan.subdomain.grid;
  const double allowed = (7 + 8) * 8 * 0x1p-53 * decay({19, 23, 37}, 7);
  const Box& owned = grid.owned;
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return grid.row(i, j) + static_cast<std::size_t>(k);
  };
  for (const std::size_t point :
       {at(owned.lo[0], owned.lo[1], owned.lo[2]),
        at((owned.lo[0] + owned.hi[0]) / 2, (owned.lo[1] + owned.hi[1]) / 2,
           (owned.lo[2] + owned.hi[2]) / 2),
        at(owned.hi[0] - 1, owned.hi[1] - 1, owned.hi[2] - 1)}) {
    double& value = swept.arrays.arrays().p[point];
    const double sound = value;
    const auto verify = [&](double changed) {
      value = changed;
      verify_mode(HeatSwept::Exec(), swept.plan.subdomain, 7, swept.arrays.arrays());
    };
    for (const double sign : {1., -1.}) {
      EXPECT_NO_THROW(verify(sound + sign * 0.5 * allowed)) << point;
      EXPECT_THROW(verify(sound + sign * 2 * allowed), Failure) << point;
    }
    EXPECT_THROW(verify(std::nan("")), Failure) << point;
    EXPECT_NO_THROW(verify(sound));
  }
}

TEST(HeatScale, RatesAndLimitAreOfAllRanksInTheTimeOfTheSlowest) {
  const Communicator ranks;
  const Plan plan = make_plan(host_options({34, 40, 50}, 6), {}, ranks);
  EXPECT_EQ(plan.memory().arrays, 2 * 8 * plan.subdomain.grid.elements_wanted());
  const GivenClock clock(ranks.rank() + 1 == ranks.size() ? 3 : 1);
  const GridRun run = run_repeats(plan, ranks).at(0);
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
