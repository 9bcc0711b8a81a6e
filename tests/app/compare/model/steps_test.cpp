// Pins the steps of a prediction: what is asked of them does not depend on how alike they are.
#include "app/compare/model/himeno_model.hpp"
#include "app/compare/model/transpose_model.hpp"
#include "tests/app/compare/model/model_checks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memstencil::model {
namespace {

Steps steps_of(const std::vector<double>& seconds) {
  Steps steps;
  for (const double each : seconds) steps.add(TimeByCause(Cause::Link, each));
  return steps;
}

TEST(Steps, AreInTheirOrder) {
  Steps steps = steps_of({3, 1, 1, 2});
  steps.add(TimeByCause(Cause::Link, 2), 3);
  ASSERT_EQ(steps.size(), 7);
  EXPECT_EQ(steps.front().total(), 3);
  EXPECT_EQ(steps[2].total(), 1);
  EXPECT_EQ(steps[6].total(), 2);
  EXPECT_EQ(steps.back().total(), 2);
  EXPECT_EQ(steps.sum().total(), 13);
  EXPECT_THROW(steps[7], std::logic_error);
}

TEST(Steps, HaveTheMedianOfTheFirst) {
  const Steps steps = steps_of({9, 1, 1, 4, 5, 5, 5});
  EXPECT_EQ(steps.median_of_first(1), 9);
  EXPECT_EQ(steps.median_of_first(2), 5);  // between 1 and 9
  EXPECT_EQ(steps.median_of_first(3), 1);
  EXPECT_EQ(steps.median_of_first(4), 2.5);
  EXPECT_EQ(steps.median_of_first(7), 5);
  EXPECT_EQ(steps.median_of_first(100), 5);
}

/// As many as the command line takes; a list of them would be 56 GB.
constexpr std::int64_t billion = 1'000'000'000;

const std::vector<Translation> translations{
    {.kind = "none"}, {.kind = "ATS"}, {.kind = "ATS", .counters = true}};

TEST(Steps, OfABillionSweepsAreThoseOfAThousandAndTheLastOneOnAndOn) {
  for (const Translation& translation : translations)
    for (const MemorySpace space : all_memory_spaces)
      for (const int fused : {1, 3}) {
        MachineRates rates = round_rates();
        rates.translation = translation;
        HimenoCase run;
        run.extents = {66, 66, 1024};
        run.points = 64.0 * 64 * 1022;
        run.fused = fused;
        run.access.first_touch = Executor::Host;
        run.p = run.coefficients = space;
        run.iterations = 999;
        const Steps few = predict_sweeps(run, rates);
        run.iterations = billion - 1;  // 3 divides both
        const Steps many = predict_sweeps(run, rates);
        EXPECT_EQ(many.size(), billion - 1);
        EXPECT_EQ(many.front(), few.front());
        EXPECT_EQ(many.back(), few.back());
        const double more = static_cast<double>(billion - 1000) * few.back().total();
        EXPECT_NEAR(many.sum().total(), few.sum().total() + more, 1e-9 * more) << name(space);
      }
}

TEST(Steps, OfABillionTransposesAreThoseOfAThousandAndTheLastOneOnAndOn) {
  for (const Translation& translation : translations)
    for (const MemorySpace space : all_memory_spaces) {
      MachineRates rates = round_rates();
      rates.translation = translation;
      TransposeCase run;
      run.a_bytes = run.b_bytes = 1e8;
      run.variants = {{"padded", 2.5e8, 2e8}};
      run.access.first_touch = Executor::Host;
      run.space = space;
      run.iterations = 1000;
      const Steps few = predict(run, rates).sweeps;
      run.iterations = billion;
      const Steps many = predict(run, rates).sweeps;
      EXPECT_EQ(many.size(), billion);
      EXPECT_EQ(many.back(), few.back());
      const double more = static_cast<double>(billion - 1000) * few.back().total();
      EXPECT_NEAR(many.sum().total(), few.sum().total() + more, 1e-9 * more) << name(space);
    }
}

}  // namespace
}  // namespace memstencil::model
