// Pins whole runs on the host to the original's gosa, for every kind of sweep.
#include "app/himeno/result.hpp"
#include "app/himeno/verify.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace memstencil::himeno {
namespace {

TEST(Run, HasTheOriginalsGosa) {
  using Seed = std::optional<std::uint64_t>;
  for (const auto& [size, sweeps, seed] : {std::tuple{"S", 3, Seed()},
                                           {"S", 50, {}},
                                           {"XS", 100, {}},
                                           {"M", 3, {}},
                                           {"37x45x83", 7, {}},
                                           {"S", 3, 1}}) {
    const Options options = host_options(parse_size(size), sweeps, seed);
    const double known = known_gosa(options.extents, sweeps, seed, false).value();
    const std::vector<double> gosa = run_once(plan_of(options), Communicator()).sums;
    ASSERT_EQ(gosa.size(), static_cast<std::size_t>(sweeps));
    EXPECT_NEAR(gosa.back(), known, 1e-9 * known) << size;
    EXPECT_GT(*std::min_element(gosa.begin(), gosa.end()), 0.0);
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

}  // namespace
}  // namespace memstencil::himeno
