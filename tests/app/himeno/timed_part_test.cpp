// Pins that what the timed sweeps alone did wrong is found after them: by their last pass made
// again, and in a small run by p itself.
#include "app/himeno/problem.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <utility>

namespace memstencil::himeno {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

constexpr std::int64_t timed_sweeps = 6;  // that 4 does not divide

Options options_of(const Triple& size, int fused) {
  Options options = host_options(size, timed_sweeps, 5, fused);
  options.save_field = true;
  return options;
}

/// The program's parts after its timed sweeps.
struct Swept {
  using Doing = std::function<void(Swept&)>;

  Swept(const Triple& size, int fused, const Doing& before)
      : plan(plan_of(options_of(size, fused))),
        phases(phases_of(plan.options)),
        arrays(Exec(), Problem<Exec>(plan), communicator, {}, phases),
        solver(arrays.solver(timed_sweeps)) {
    before(*this);
    solver->run(timed_sweeps);
    run.iterations = timed_sweeps;
    run.sums = solver->sums();
    communicator.sum(run.sums);
    arrays.problem().downloaded(run, p());
  }
  float* p() { return arrays.arrays().p; }
  void verify() { arrays.problem().verify(arrays, *solver, run); }
  /// In the middle of the rank's, from where no message is sent.
  float& point() {
    const Box& owned = plan.subdomain.grid.owned;
    const auto middle = [&](int d) { return (owned.lo[d] + owned.hi[d]) / 2; };
    return p()[plan.subdomain.grid.row(middle(0), middle(1)) + static_cast<std::size_t>(middle(2))];
  }

  Communicator communicator;
  Plan plan;
  Phases phases;
  RankArrays<Exec, Problem<Exec>> arrays;
  std::unique_ptr<Solver<Exec>> solver;
  RunResult run;
};

void nothing(Swept&) {}

/// Of a run whose values are changed before its sweeps, or after them.
std::string line_of(const Triple& size, int fused, const Swept::Doing& before,
                    const Swept::Doing& after) {
  Swept swept(size, fused, before);
  after(swept);
  return refusal(ExitCode::Verification, [&] { swept.verify(); });
}

// Of four ranks each has 16 planes: none of the middle ones is sent at 4 sweeps a pass.
constexpr Triple small{66, 34, 40}, large{90, 82, 82};

class TimedPart : public testing::TestWithParam<int> {};

TEST_P(TimedPart, ThatIsSoundIsVerified) {
  for (const Triple& size : {small, large}) {
    Swept swept(size, GetParam(), nothing);
    EXPECT_NO_THROW(swept.verify());
  }
}

TEST_P(TimedPart, WhoseLastPassWasLostOrWrongIsRefused) {
  const auto swapped = [](Swept& swept) {
    std::swap(swept.arrays.arrays().p, swept.arrays.arrays().p_next);
  };
  const auto one_point = [](Swept& swept) { swept.point() += 1e-5F; };
  for (const auto& fault : {Swept::Doing(swapped), Swept::Doing(one_point)})
    EXPECT_TRUE(contains(line_of(small, GetParam(), nothing, fault),
                         "after sweep 6 p of rank 0 is not what the last pass makes"));
}

TEST_P(TimedPart, ThatStartedFromOtherValuesIsRefusedWhereItIsSmall) {
  const std::string line = line_of(
      small, GetParam(), [](Swept& swept) { swept.point() += 1e-3F; }, nothing);
  EXPECT_TRUE(contains(line, "verification failed: p(")) << line;
  EXPECT_TRUE(contains(line, " after 6 sweeps, evaluated on the host ")) << line;
}

TEST_P(TimedPart, WhosePIsAnotherAfterItsDownloadIsRefused) {
  const auto fault = [](Swept& swept) {
    const Grid& grid = swept.plan.subdomain.grid;
    swept.run.p[grid.row(grid.owned.lo[0], grid.owned.hi[1] - 1) + 5] = 0.0F;
  };
  EXPECT_TRUE(contains(line_of(small, GetParam(), nothing, fault),
                       "p of rank 0 is another after its download"));
}

INSTANTIATE_TEST_SUITE_P(Fused, TimedPart, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace memstencil::himeno
