// Pins that a result does not depend on how the grid is divided: p to the bit, gosa to 1e-12.
#include "app/himeno/result.hpp"
#include "tests/app/grid/owned_points.hpp"
#include "tests/app/himeno/himeno_plan.hpp"
#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace memstencil::himeno {
namespace {

namespace reference = jacobi::reference;

constexpr Triple extents{19, 23, 37};
constexpr std::int64_t sweeps = 7;  // that neither 2, 3 nor 4 divides

const std::map<int, std::vector<std::array<int, 3>>> decompositions{
    {1, {{1, 1, 1}}},
    {2, {{2, 1, 1}, {1, 1, 2}}},
    {3, {{3, 1, 1}, {1, 1, 3}}},
    {4, {{2, 2, 1}, {4, 1, 1}, {1, 1, 4}}}};

class HimenoRanks : public testing::TestWithParam<int> {};

TEST_P(HimenoRanks, GiveTheOriginalsFieldWithRandomCoefficientsAndObstacles) {
  const Communicator communicator;
  reference::Whole whole(extents, 1);
  std::vector<double> gosa;
  for (std::int64_t n = 0; n < sweeps; ++n) gosa.push_back(whole.sweep());
  const auto want = [&](auto i, auto j, auto k) {
    return whole.arrays[jacobi::P][whole.at(i, j, k)];
  };
  for (const auto& ranks : decompositions.at(communicator.size())) {
    Options options = host_options(extents, sweeps, 1, GetParam());
    options.ranks = ranks;
    options.save_field = true;
    const Plan plan = plan_of(options);
    EXPECT_EQ(plan.subdomain.halo, GetParam());
    const RunResult result = run_once(plan, communicator);
    EXPECT_EQ(plan.sweep.kind.sweeps, GetParam());
    EXPECT_EQ(wrong_points(plan.subdomain, result.p.data(), want), 0U) << ranks_text(ranks);
    ASSERT_EQ(result.sums.size(), gosa.size());
    for (std::size_t n = 0; n < gosa.size(); ++n)
      EXPECT_NEAR(result.sums[n], gosa[n], 1e-12 * gosa[n])
          << ranks_text(ranks) << ", sweep " << n + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Fused, HimenoRanks, testing::Values(1, 2, 3, 4));

TEST(HimenoRanksAlone, AreDividedWithoutTheOption) {
  const Communicator communicator;
  const Plan plan = plan_of(host_options({64, 64, 128}, 3));
  EXPECT_EQ(plan.decomposition.empty(), communicator.size() == 1);
  EXPECT_EQ(plan.subdomain.ranks[0] * plan.subdomain.ranks[1] * plan.subdomain.ranks[2],
            communicator.size());
  const RunResult result = run_once(plan, communicator);
  EXPECT_NEAR(result.sums.back(), 3.296793923e-03, 1e-9 * 3.3e-03);
  EXPECT_TRUE(result.p.empty()) << "kept without --save-field";
}

TEST(HimenoRanksAlone, KeepOnePOfAllRepeats) {
  const Communicator communicator;
  Options options = host_options(extents, sweeps);
  options.save_field = true;
  const RunResult once = run_once(plan_of(options), communicator);
  options.repeat = 3;
  const auto repeats = run_repeats(plan_of(options), communicator);
  ASSERT_EQ(repeats.size(), 3U);
  EXPECT_TRUE(repeats[0].p.empty());
  EXPECT_TRUE(repeats[1].p.empty());
  EXPECT_EQ(repeats[2].p, once.p);
}

}  // namespace
}  // namespace memstencil::himeno
