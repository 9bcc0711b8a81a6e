// Pins that a wrong result is found: sweeps that forget a point, stop early
// or round wrongly do not pass.
#include "app/himeno/verify.hpp"

#include "app/base/runtime/failure.hpp"
#include "app/himeno/code.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/faulty_parts.hpp"
#include "tests/app/himeno/himeno_plan.hpp"
#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <functional>
#include <vector>

namespace memstencil::himeno {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Damage = FaultySweep::After;

/// The line that a sweep is refused with whose result is damaged; empty where it passes.
std::string verify(const Triple& extents, int fused, const Damage& damage,
                   jacobi::Layout layout = jacobi::Layout::Arrays) {
  Options options = host_options(extents, fused, 1, fused);
  options.layout = layout;
  const Plan plan = plan_of(options);
  const Communicator communicator;
  Phases phases = phases_of(plan.options);
  RankArrays<Exec, Code<Exec>> arrays(Exec(), Code<Exec>(plan), communicator, nullptr, phases);
  FaultySweep sweep(plan.sweep.make(Exec()), damage);
  EXPECT_EQ(sweep.sweeps(), fused);
  std::vector<double> residuals(static_cast<std::size_t>(fused));
  try {
    verify_samples(Exec(), plan.part, arrays.arrays(), sweep, residuals.data());
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification);
    return failure.what();
  }
  return "";
}

/// Applies `change` to p_next at (i, j, k) of every owned point that `chosen` names.
Damage at(const std::function<bool(std::int64_t, std::int64_t, std::int64_t)>& chosen,
          const std::function<float(float was, float is)>& change) {
  return [=](const jacobi::Pass& pass) {
    const Box& owned = pass.grid.owned;
    for (std::int64_t i = owned.lo[0]; i < owned.hi[0]; ++i)
      for (std::int64_t j = owned.lo[1]; j < owned.hi[1]; ++j)
        for (std::int64_t k = owned.lo[2]; k < owned.hi[2]; ++k)
          if (chosen(i, j, k)) {
            const std::size_t n = pass.grid.row(i, j) + static_cast<std::size_t>(k);
            pass.p_next[n] = change(pass.p[n], pass.p_next[n]);
          }
  };
}

float forgotten(float was, float) { return was; }

bool everywhere(std::int64_t, std::int64_t, std::int64_t) { return true; }
void nothing(const jacobi::Pass&) {}

void expect_refused(const std::string& line) {
  EXPECT_TRUE(contains(line, "verification failed: p("));
  EXPECT_TRUE(contains(line, " of rank 0 is "));
}

class Verification : public testing::TestWithParam<int> {};

TEST_P(Verification, PassesAResultThatIsRight) {
  for (const Triple& extents : {Triple{3, 3, 3}, Triple{5, 4, 7}, Triple{37, 45, 83}})
    EXPECT_EQ(verify(extents, GetParam(), nothing), "") << size_name(extents);
}

TEST_P(Verification, ReadsPackedCoefficientsToo) {
  if (GetParam() == 1) GTEST_SKIP() << "of fused sweeps alone";
  const auto packed = jacobi::Layout::Packed;
  EXPECT_EQ(verify({37, 45, 83}, GetParam(), nothing, packed), "");
  expect_refused(verify({37, 45, 83}, GetParam(),
                        at(everywhere, [](float, float is) { return is + 1e-5F; }), packed));
}

TEST_P(Verification, RefusesASweepThatForgetsOnePointOfASmallGrid) {
  for (std::int64_t i = 1; i < 4; ++i)
    for (std::int64_t k = 1; k < 6; ++k) {
      const auto one = [=](std::int64_t a, std::int64_t b, std::int64_t c) {
        return a == i && b == 2 && c == k;
      };
      // An obstacle keeps its value: forgetting it is no error.
      const float u = jacobi::reference::initial(jacobi::BND, {5, 4, 7}, 1, i, 2, k);
      if (u == 0.0F) continue;
      EXPECT_NE(verify({5, 4, 7}, GetParam(), at(one, forgotten)), "") << i << ", 2, " << k;
    }
}

TEST_P(Verification, RefusesASweepThatForgetsAPlaneOfALargeGrid) {
  for (const std::size_t direction : {0U, 1U, 2U}) {
    const auto plane = [=](std::int64_t i, std::int64_t j, std::int64_t k) {
      return Triple{i, j, k}[direction] == 20;
    };
    expect_refused(verify({37, 45, 83}, GetParam(), at(plane, forgotten)));
  }
}

TEST_P(Verification, RefusesASweepThatWritesNothing) {
  expect_refused(verify({3, 3, 3}, GetParam(), at(everywhere, forgotten)));
  expect_refused(verify({37, 45, 83}, GetParam(), at(everywhere, forgotten)));
}

TEST_P(Verification, RefusesErrorsOf1e5) {
  expect_refused(
      verify({37, 45, 83}, GetParam(), at(everywhere, [](float, float is) { return is + 1e-5F; })));
}

INSTANTIATE_TEST_SUITE_P(Fused, Verification, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace memstencil::himeno
