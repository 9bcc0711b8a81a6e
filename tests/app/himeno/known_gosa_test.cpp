// Pins whole runs on the host to the original's gosa, for every kind of sweep.
#include "app/himeno/result.hpp"
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
                                         Case{"odd7", {37, 45, 83}, 7, {}, 7.071855410e-03},
                                         Case{"S3random1", {64, 64, 128}, 3, 1, 1.536936424e+00}),
                         [](const auto& test) { return test.param.name; });

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

TEST(FusedRun, IsRefusedWhereItMakesMoreThanAsked) {
  const auto refused = [](ExitCode code, const Options& options) {
    return refusal(code, [&] { plan_of(options); });
  };
  EXPECT_TRUE(contains(refused(ExitCode::Usage, host_options({64, 64, 64}, 3, {}, 4)),
                       "--sweep temporal:4 makes 4 sweeps a pass: --iterations 3"));
  Options packed = host_options({64, 64, 64}, 4);
  packed.layout = jacobi::Layout::Packed;
  EXPECT_TRUE(contains(refused(ExitCode::Usage, packed), "--layout packed goes with fused sweeps"));
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
