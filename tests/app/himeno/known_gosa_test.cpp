// Pins whole runs on the host to the original's gosa, for every kind of sweep.
#include "app/himeno/result.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace memstencil::himeno {
namespace {

RunResult run(const Options& options) { return run_once(plan_of(options), Communicator()); }

struct Case {
  const char* name;
  Triple extents;
  std::int64_t iterations;
  std::optional<std::uint64_t> seed;
  double gosa;  ///< the original's arithmetic, summed in double
};

class KnownCase : public testing::TestWithParam<Case> {};

TEST_P(KnownCase, HasTheOriginalsGosa) {
  const Case& c = GetParam();
  const Plan plan = plan_of(host_options(c.extents, c.iterations, c.seed));
  if (field_bytes(plan.subdomain.grid) * 1.2 >
      static_cast<double>(available_bytes(plan.placement.space)))
    GTEST_SKIP() << "too little memory here";
  const RunResult result = run(host_options(c.extents, c.iterations, c.seed));
  ASSERT_EQ(result.sums.size(), static_cast<std::size_t>(c.iterations));
  EXPECT_NEAR(result.sums.back(), c.gosa, 1e-9 * c.gosa);
  for (const double gosa : result.sums) EXPECT_GT(gosa, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Figures, KnownCase,
                         testing::Values(Case{"S3", {64, 64, 128}, 3, {}, 3.296793923e-03},
                                         Case{"S50", {64, 64, 128}, 50, {}, 2.515726157e-03},
                                         Case{"XS100", {32, 32, 64}, 100, {}, 2.317158902e-03},
                                         Case{"M3", {128, 128, 256}, 3, {}, 1.693458806e-03},
                                         Case{"L3", {256, 256, 512}, 3, {}, 8.606862309e-04},
                                         Case{"odd7", {37, 45, 83}, 7, {}, 7.071855410e-03},
                                         Case{"S3random1", {64, 64, 128}, 3, 1, 1.536936424e+00}),
                         [](const auto& test) { return test.param.name; });

TEST(FusedRun, HasTheSingleRunsGosaOfEverySweepAndItsField) {
  for (const std::optional<std::uint64_t>& seed : {std::optional<std::uint64_t>{}, {1}}) {
    Options options = host_options({37, 45, 83}, 7, seed);
    options.save_field = true;
    const RunResult single = run(options);
    for (const int fused : {2, 3, 4, 5, 7}) {
      options.sweep = sweep_of(fused);
      const RunResult result = run(options);
      EXPECT_TRUE(result.p == single.p) << "temporal:" << fused;
      ASSERT_EQ(result.sums.size(), single.sums.size());
      for (std::size_t n = 0; n < single.sums.size(); ++n)
        EXPECT_NEAR(result.sums[n], single.sums[n], 1e-12 * single.sums[n]) << "temporal:" << fused;
    }
  }
}

TEST(FusedRun, TakesTheKindThatAnswersTheQuestion) {
  Options options = host_options({37, 45, 83}, 8);
  for (const auto& [asked, got] :
       std::map<std::string, std::string>{{"single", "single:rows"},
                                          {"single:rows", "single:rows"},
                                          {"temporal", "temporal:2:strips"},
                                          {"temporal:strips", "temporal:2:strips"},
                                          {"temporal:5", "temporal:5:strips"},
                                          {"temporal:8:strips", "temporal:8:strips"},
                                          {"auto", "single:rows"}}) {
    options.sweep = parse_sweep(asked);
    const Plan plan = plan_of(options);
    EXPECT_EQ(full_name(plan.sweep.kind), got) << asked;
    EXPECT_EQ(plan.subdomain.halo, plan.sweep.kind.sweeps) << asked;
  }
  for (const char* missing : {"temporal:9", "temporal:2:16x64", "single:128x2x8"}) {
    options.sweep = parse_sweep(missing);
    const std::string line = refusal(ExitCode::Machine, [&] { plan_of(options); });
    EXPECT_TRUE(contains(line, missing)) << line;
    EXPECT_TRUE(contains(line, "temporal:8:strips")) << line;
  }
}

TEST(FusedRun, OfSecondsMakesAtLeastAPass) {
  Options options = host_options({64, 64, 128}, 100, {}, 8);
  options.seconds = 1e-3;  // less than such a pass takes
  EXPECT_GE(run_repeats(plan_of(options), Communicator()).at(0).sums.size(), 8U);
}

TEST(Run, KeepsATimeForEverySweepAndPhase) {
  const RunResult result = run(host_options({37, 45, 83}, 7, {}, 3));
  EXPECT_EQ(result.sweeps.seconds.size(), 7U);
  double sum = 0.0;
  for (const double seconds : result.sweeps.seconds) sum += seconds;
  EXPECT_NEAR(sum, result.phases.at("sweeps"), 1e-9);
  for (const char* phase : {"allocate", "initialise", "free"})
    EXPECT_GT(result.phases.at(phase), 0.0);
  // Alone a rank waits for nobody: between its phases there is next to nothing.
  const double solve = sum + result.phases.at("halo") + result.phases.at("reduce");
  double all = 0.0;
  for (const auto& [phase, seconds] : result.phases) all += seconds;
  EXPECT_GE(result.solve_seconds, solve - 1e-9);
  EXPECT_GE(result.total_seconds - result.solve_seconds, all - solve - 1e-9);
  EXPECT_GT(result.limit.gbs, 0.0);
  EXPECT_EQ(result.limit.kind, "read stream");
}

TEST(Run, ShowsItsProgressToTheEnd) {
  std::int64_t last = 0;
  run_once(plan_of(host_options({37, 45, 83}, 7)), Communicator(),
           [&](std::int64_t done, std::int64_t all) {
             EXPECT_GT(done, last);
             EXPECT_EQ(all, 7);
             last = done;
           });
  EXPECT_EQ(last, 7);
}

}  // namespace
}  // namespace memstencil::himeno
