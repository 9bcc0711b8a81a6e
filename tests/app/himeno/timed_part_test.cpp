// Pins that what the timed sweeps alone did wrong is found after them: by their last pass made
// again, and in a small run by p itself.
#include "app/himeno/problem.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/grid/swept.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace memstencil::himeno {
namespace {

using HimenoSwept = Swept<Problem<Kokkos::DefaultHostExecutionSpace>, Plan>;

Plan plan_to_sweep(const Triple& size, int fused) {
  Options options = host_options(size, 6, 5, fused);  // sweeps that 4 does not divide
  options.save_field = true;
  return plan_of(options);
}

void nothing(HimenoSwept&) {}

/// Of a run whose values are changed before its sweeps, or after them.
std::string line_of(const Triple& size, int fused, const HimenoSwept::Doing& before,
                    const HimenoSwept::Doing& after) {
  HimenoSwept swept(plan_to_sweep(size, fused), before);
  after(swept);
  return refusal(ExitCode::Verification, [&] { swept.verify(); });
}

// Of four ranks each has 16 planes: none of the middle ones is sent at 4 sweeps a pass.
constexpr Triple small{66, 34, 40}, large{90, 82, 82};

class TimedPart : public testing::TestWithParam<int> {};

TEST_P(TimedPart, ThatIsSoundIsVerified) {
  for (const Triple& size : {small, large})
    EXPECT_NO_THROW(HimenoSwept(plan_to_sweep(size, GetParam())).verify());
}

TEST_P(TimedPart, WhoseLastPassWasLostOrWrongIsRefused) {
  const auto swapped = [](HimenoSwept& swept) {
    std::swap(swept.arrays.arrays().p, swept.arrays.arrays().p_next);
  };
  const auto one_point = [](HimenoSwept& swept) { swept.point() += 1e-5F; };
  for (const auto& fault : {HimenoSwept::Doing(swapped), HimenoSwept::Doing(one_point)})
    EXPECT_TRUE(contains(line_of(small, GetParam(), nothing, fault),
                         "after sweep 6 p of rank 0 is not what the last pass makes"));
}

TEST_P(TimedPart, ThatStartedFromOtherValuesIsRefusedWhereItIsSmall) {
  const std::string line = line_of(
      small, GetParam(), [](HimenoSwept& swept) { swept.point() += 1e-3F; }, nothing);
  EXPECT_TRUE(contains(line, "verification failed: p(")) << line;
  EXPECT_TRUE(contains(line, " after 6 sweeps, evaluated on the host ")) << line;
}

TEST_P(TimedPart, WhosePIsAnotherAfterItsDownloadIsRefused) {
  const auto fault = [](HimenoSwept& swept) {
    const Grid& grid = swept.plan.subdomain.grid;
    swept.run.p[grid.row(grid.owned.lo[0], grid.owned.hi[1] - 1) + 5] = 0.0F;
  };
  EXPECT_TRUE(contains(line_of(small, GetParam(), nothing, fault),
                       "p of rank 0 is another after its download"));
}

INSTANTIATE_TEST_SUITE_P(Fused, TimedPart, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace memstencil::himeno
