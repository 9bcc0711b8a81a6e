// Pins that a result does not depend on how the grid is divided: p to the bit, gosa to 1e-12.
#include "app/base/ranks/collectively.hpp"
#include "app/grid/halo.hpp"
#include "app/himeno/result.hpp"
#include "app/himeno/trial.hpp"
#include "tests/app/himeno/faulty_parts.hpp"
#include "tests/app/himeno/himeno_plan.hpp"
#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace memstencil::himeno {
namespace {

namespace reference = jacobi::reference;
using Seed = std::optional<std::uint64_t>;

constexpr Triple extents{19, 23, 37};
constexpr std::int64_t sweeps = 7;  // that neither 2, 3 nor 4 divides

const std::map<int, std::vector<std::array<int, 3>>> decompositions{
    {1, {{1, 1, 1}}},
    {2, {{2, 1, 1}, {1, 1, 2}}},
    {3, {{3, 1, 1}, {1, 1, 3}}},
    {4, {{2, 2, 1}, {4, 1, 1}, {1, 1, 4}}}};

struct Original {
  explicit Original(const Seed& seed) : whole(extents, seed) {
    for (std::int64_t n = 0; n < sweeps; ++n) gosa.push_back(whole.sweep());
  }
  reference::Whole whole;
  std::vector<double> gosa;
};

/// This rank's owned points that are not the original's.
double wrong_points(const Subdomain& subdomain, const std::vector<float>& p,
                    const reference::Whole& whole) {
  const Box& owned = subdomain.grid.owned;
  double wrong = 0;
  for (std::int64_t i = owned.lo[0]; i < owned.hi[0]; ++i)
    for (std::int64_t j = owned.lo[1]; j < owned.hi[1]; ++j)
      for (std::int64_t k = owned.lo[2]; k < owned.hi[2]; ++k) {
        const float got = p.at(subdomain.grid.row(i, j) + static_cast<std::size_t>(k));
        const float want = whole.arrays[jacobi::P][whole.at(
            subdomain.origin[0] + i, subdomain.origin[1] + j, subdomain.origin[2] + k)];
        wrong += std::memcmp(&got, &want, sizeof got) != 0 ? 1 : 0;
      }
  return wrong;
}

class HimenoRanks : public testing::TestWithParam<int> {
protected:
  Communicator communicator;

  void check(const Seed& seed) {
    const Original original(seed);
    for (const auto& ranks : decompositions.at(communicator.size())) {
      Options options = host_options(extents, sweeps, seed, GetParam());
      options.ranks = ranks;
      options.save_field = true;
      const Plan plan = plan_of(options);
      EXPECT_EQ(plan.subdomain.halo, GetParam());
      const RunResult result = run_once(plan, communicator);
      EXPECT_EQ(plan.sweep.kind.sweeps, GetParam());
      EXPECT_EQ(wrong_points(plan.subdomain, result.p, original.whole), 0.0) << ranks_text(ranks);
      EXPECT_EQ(result.sums.size(), original.gosa.size());
      for (std::size_t n = 0; n < std::min(result.sums.size(), original.gosa.size()); ++n)
        EXPECT_NEAR(result.sums[n], original.gosa[n], 1e-12 * original.gosa[n])
            << ranks_text(ranks) << ", sweep " << n + 1;
    }
  }
};

TEST_P(HimenoRanks, GiveTheOriginalsFieldWithStandardCoefficients) { check({}); }

TEST_P(HimenoRanks, GiveTheOriginalsFieldWithRandomCoefficientsAndObstacles) { check(1); }

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

/// Points of the local arrays, halo included, that are not alike in two results of this rank.
std::size_t different_points(const Grid& grid, const std::vector<float>& a,
                             const std::vector<float>& b) {
  std::size_t out = 0;
  const auto points = static_cast<std::size_t>(grid.extents[2]);
  for (std::int64_t i = 0; i < grid.extents[0]; ++i)
    for (std::int64_t j = 0; j < grid.extents[1]; ++j)
      for (std::size_t n = grid.row(i, j); n < grid.row(i, j) + points; ++n)
        out += std::memcmp(&a.at(n), &b.at(n), sizeof(float)) != 0 ? 1 : 0;
  return out;
}

/// Skipped where the ranks cannot use the transport here.
void expect_what_is_got_staged(Transport transport) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  if (const std::string why = why_not(transport, machine); !why.empty()) GTEST_SKIP() << why;
  const auto gpu = connect("--halo", transport, communicator);
  for (const auto& ranks : decompositions.at(communicator.size()))
    for (const int fused : {1, 2}) {
      Options options;
      options.extents = {66, 70, 130};
      options.iterations = sweeps;
      options.seed = 1;
      options.sweep = sweep_of(fused);
      options.ranks = ranks;
      options.save_field = true;
      const auto run = [&](Transport halo) {
        options.halo = halo;
        const Plan plan = make_plan(options, machine, communicator);
        return std::pair(plan,
                         run_once(plan, communicator, {}, halo == transport ? gpu : GpuPaths()));
      };
      const auto [plan, want] = run(Transport::Staged);
      const RunResult got = run(transport).second;
      EXPECT_EQ(different_points(plan.subdomain.grid, got.p, want.p), 0U)
          << ranks_text(ranks) << ", " << fused;
      EXPECT_EQ(got.sums, want.sums) << ranks_text(ranks) << ", " << fused;
    }
}

TEST(RanksOnGpus, GetByNcclWhatTheyGetStaged) { expect_what_is_got_staged(Transport::Nccl); }

TEST(RanksOnGpus, GetByStoresWhatTheyGetStaged) { expect_what_is_got_staged(Transport::Peer); }

TEST(RanksOnGpus, GetByMpiFromDeviceMemoryWhatTheyGetStaged) {
  expect_what_is_got_staged(Transport::Device);
}

TEST(HimenoTrial, CountsWhatASweepWaitsForItsHalo) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  if (communicator.size() != 2) GTEST_SKIP() << "two ranks are enough";
  Options options;
  options.extents = {18, 18, 34};
  options.sweep = {.name = "auto"};
  const Plan plan = make_plan(options, machine, communicator);
  if (plan.executor() == Executor::Device) GTEST_SKIP() << "MPI has to wait for the kernels";
  static constexpr double slow = 2e-3;
  const auto trial = try_sweeps(plan, machine, communicator, [](const std::string&) {},
                                {std::make_shared<ExchangeByMpi>([](std::span<const Message>) {
                                   std::this_thread::sleep_for(std::chrono::duration<double>(slow));
                                 }),
                                 nullptr});
  std::set<int> kinds;
  for (const TrialRow& row : trial.rows) {
    if (row.seconds.empty()) continue;
    kinds.insert(row.sweep.sweeps);
    EXPECT_GE(*std::min_element(row.seconds.begin(), row.seconds.end()), slow / row.sweep.sweeps)
        << name(row.sweep);
  }
  EXPECT_GE(kinds.size(), 2U) << "single sweeps and fused ones";
}

}  // namespace
}  // namespace memstencil::himeno
