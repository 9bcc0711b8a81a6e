// Pins that verification passes what is right and refuses every single wrong element; with
// transposes of the test's own in the place of a variant, on the host.
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

/// The definition.
void right(const Job<float>& job) {
  for (std::int64_t r = 0; r < job.rows; ++r)
    for (std::int64_t c = 0; c < job.columns; ++c)
      job.b[c * job.b_pitch + r] = job.a[r * job.a_pitch + c];
}

void right_copy(const Job<float>& job) {
  for (std::int64_t r = 0; r < job.rows; ++r)
    for (std::int64_t c = 0; c < job.columns; ++c)
      job.b[r * job.b_pitch + c] = job.a[r * job.a_pitch + c];
}

/// The line of the refusal; empty where it passed.
/// @param timed the iteration before
std::string verify_with(const Shape& c, Variant variant, const Doing& doing, const Doing& timed) {
  const Communicator communicator;
  Options options = options_for(Executor::Host);
  options.rows = c.rows;
  options.columns = c.columns;
  const Kokkos::DefaultHostExecutionSpace exec;
  const Plan plan = plan_of(options);
  Phases phases({"allocate", "initialise", "upload"});
  Transposer<Kokkos::DefaultHostExecutionSpace, float> transposer(exec, plan, communicator, {},
                                                                  phases);
  const auto each = [&](const Doing& its) { its(transposer.own_job(variant)); };
  const auto iterate = [&](const std::function<void()>& spoil) {
    each(doing);
    spoil();
    each(doing);
  };
  each(timed);
  try {
    // Twice, as the variants of a run follow each other.
    verify(exec, variant, plan.part(), transposer.matrices(), communicator, iterate);
    verify(exec, variant, plan.part(), transposer.matrices(), communicator, iterate);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification);
    return failure.what();
  }
  return "";
}

std::string verify_with(const Shape& c, Variant variant, const Doing& doing) {
  return verify_with(c, variant, doing, variant == Variant::Copy ? right_copy : right);
}

const std::vector<Shape> cases{{1, 1}, {7, 40}, {40, 7}, {33, 33}};

TEST(TransposeVerification, PassesWhatIsRight) {
  for (const Shape& c : cases) {
    EXPECT_EQ(verify_with(c, Variant::Naive, right), "") << c.rows << "x" << c.columns;
    EXPECT_EQ(verify_with(c, Variant::Copy, right_copy), "") << c.rows << "x" << c.columns;
  }
}

TEST(TransposeVerification, RefusesEverySingleWrongElement) {
  for (std::int64_t r = 0; r < 5; ++r)
    for (std::int64_t c = 0; c < 3; ++c) {
      const std::string line = verify_with({5, 3}, Variant::Naive, [&](const Job<float>& job) {
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

TEST(TransposeVerification, RefusesAFaultOfAnyIteration) {
  const Doing nothing = [](const Job<float>&) {};
  const Doing nothing_a_second_time = [first = true](const Job<float>& job) mutable {
    if (std::exchange(first, false)) right(job);
  };
  const Doing wrong = [](const Job<float>& job) {
    right(job);
    job.b[2 * job.b_pitch + 4] += 1.0F;
  };
  const Doing changes_a = [n = 0](const Job<float>& job) mutable {
    right(job);
    if (++n == 2) const_cast<float*>(job.a)[4 * job.a_pitch + 1] += 1.0F;
  };
  struct Fault {
    Variant variant;
    Doing doing, timed;
    const char* part_of_line;
  };
  for (const Fault& each :
       {Fault{Variant::Copy, nothing, right_copy, "15 of 15 elements are wrong"},
        Fault{Variant::Naive, nothing_a_second_time, right, "15 of 15 elements are wrong"},
        Fault{Variant::Naive, right, wrong, "naive of 5x3, timed: element (2, 4) is "},
        Fault{Variant::Naive, changes_a, right, "naive of 5x3, in A: element (4, 1)"}}) {
    const std::string line = verify_with({5, 3}, each.variant, each.doing, each.timed);
    EXPECT_TRUE(contains(line, each.part_of_line)) << line;
  }
}

}  // namespace
}  // namespace memstencil::transpose
