// Pins that verification passes what is right and refuses every single wrong element; with
// transposes of the test's own in the place of a variant, on the host.
#include "app/transpose/verify.hpp"

#include "app/base/runtime/failure.hpp"
#include "app/transpose/transposer.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <functional>
#include <utility>

namespace memstencil::transpose {
namespace {

using Doing = std::function<void(const Job<float>&)>;

/// The definition of every operation.
void right(const Job<float>& job) {
  for (std::int64_t r = 0; r < job.rows; ++r)
    for (std::int64_t c = 0; c < job.columns; ++c) {
      float& b = job.b[c * job.b_pitch + r];
      const float a = job.a[r * job.a_pitch + c];
      if (job.operation == Operation::InPlace) {
        if (r < c) job.b[r * job.b_pitch + c] = std::exchange(b, a);
      } else {
        b = job.operation == Operation::Accumulate ? b + a : a;
      }
    }
}

void right_copy(const Job<float>& job) {
  for (std::int64_t r = 0; r < job.rows; ++r)
    for (std::int64_t c = 0; c < job.columns; ++c) {
      float& b = job.b[r * job.b_pitch + c];
      const float a = job.a[r * job.a_pitch + c];
      b = job.operation == Operation::Accumulate ? b + a : a;
    }
}

struct Case {
  std::int64_t rows, columns;
  Operation operation;
};

/// The line of the refusal; empty where it passed.
std::string verify_with(const Case& c, Variant variant, const Doing& doing) {
  const Communicator communicator;
  Options options = options_for(Executor::Host);
  options.rows = c.rows;
  options.columns = c.columns;
  options.accumulate = c.operation == Operation::Accumulate;
  options.in_place = c.operation == Operation::InPlace;
  const Kokkos::DefaultHostExecutionSpace exec;
  const Plan plan = plan_of(options);
  const Distribution part = plan.part();
  Matrices<float> matrices(plan.placement, part, options.in_place);
  const Tiles<float> tiles(plan.placement.space, plan.parts(), 0);
  Phases phases({"initialise", "upload"});
  matrices.initialise(part, c.operation, phases);
  const Transposer transposer(exec, part, c.operation, matrices, tiles, communicator);
  const auto iterate = [&] {
    for (const Job<float>& job : transposer.own_jobs(variant)) doing(job);
  };
  try {
    // Twice, as the variants of a run follow each other.
    verify(exec, variant, c.operation, part, matrices, communicator, iterate);
    verify(exec, variant, c.operation, part, matrices, communicator, iterate);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification);
    return failure.what();
  }
  return "";
}

const std::vector<Case> cases{{1, 1, Operation::Plain},       {7, 40, Operation::Plain},
                              {40, 7, Operation::Plain},      {1, 1, Operation::Accumulate},
                              {40, 7, Operation::Accumulate}, {1, 1, Operation::InPlace},
                              {2, 2, Operation::InPlace},     {33, 33, Operation::InPlace}};

TEST(TransposeVerification, PassesWhatIsRight) {
  for (const Case& c : cases) {
    EXPECT_EQ(verify_with(c, Variant::Naive, right), "") << c.rows << "x" << c.columns;
    EXPECT_EQ(verify_with(c, Variant::Copy, right_copy), "") << c.rows << "x" << c.columns;
  }
}

TEST(TransposeVerification, RefusesEverySingleWrongElement) {
  for (std::int64_t r = 0; r < 5; ++r)
    for (std::int64_t c = 0; c < 3; ++c)
      for (const Operation operation : {Operation::Plain, Operation::Accumulate}) {
        const std::string line =
            verify_with({5, 3, operation}, Variant::Naive, [&](const Job<float>& job) {
              const float before = job.b[c * job.b_pitch + r];
              right(job);
              job.b[c * job.b_pitch + r] = before;
            });
        EXPECT_TRUE(contains(line, "verification failed: naive of 5x3: element (" +
                                       std::to_string(c) + ", " + std::to_string(r) + ") is "))
            << line;
        EXPECT_TRUE(contains(line, "1 of 15 elements are wrong")) << line;
      }
}

TEST(TransposeVerification, RefusesWhatDoesNothing) {
  const Doing nothing = [](const Job<float>&) {};
  for (const Case& c : cases) {
    const bool unmoved = c.operation == Operation::InPlace && c.rows == 1;
    EXPECT_EQ(verify_with(c, Variant::Naive, nothing).empty(), unmoved);
    EXPECT_FALSE(verify_with(c, Variant::Copy, nothing).empty());
  }
}

TEST(TransposeVerification, RefusesAChangeOfA) {
  const std::string line =
      verify_with({5, 3, Operation::Plain}, Variant::Naive, [](const Job<float>& job) {
        right(job);
        const_cast<float*>(job.a)[4 * job.a_pitch + 1] += 1.0F;
      });
  EXPECT_TRUE(contains(line, "naive of 5x3, in A: element (4, 1)")) << line;
}

TEST(TransposeVerification, RefusesRoundingThatIsNotOnce) {
  const std::string line =
      verify_with({5, 3, Operation::Accumulate}, Variant::Naive, [](const Job<float>& job) {
        right(job);
        for (std::int64_t c = 0; c < job.columns; ++c)
          for (std::int64_t r = 0; r < job.rows; ++r) job.b[c * job.b_pitch + r] *= 1.0F + 1e-7F;
      });
  EXPECT_TRUE(contains(line, "elements are wrong"));
}

}  // namespace
}  // namespace memstencil::transpose
