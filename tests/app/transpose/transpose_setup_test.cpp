// Pins what a run is resolved to: variants by executor, shapes, memory; and what is refused with which code.
#include "app/common/failure.hpp"
#include "app/common/record.hpp"
#include "tests/app/common/text_checks.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::transpose {
namespace {

Failure refusal(const Options& options) {
  try {
    setup_of(options);
  } catch (const Failure& failure) {
    return failure;
  }
  return {ExitCode::Good, "nothing was refused"};
}

TEST(TransposeSetup, TimesTunedOnAGpuAndPortableOnAHost) {
  for (const Executor executor : executors())
    EXPECT_EQ(setup_of(options_for(executor)).variants,
              std::vector<std::string>{executor == Executor::Device ? "tuned" : "portable"});
}

TEST(TransposeSetup, ForAllTimesOrSkipsEveryNameOfTheCommandLine) {
  for (const Executor executor : executors()) {
    Options options = options_for(executor);
    options.variant = all_name;
    const auto setup = setup_of(options);
    std::vector<std::string> names = setup.variants;
    for (const Skipped& each : setup.skipped) {
      EXPECT_FALSE(each.reason.empty()) << each.name;
      names.push_back(each.name);
    }
    std::sort(names.begin(), names.end());
    std::vector<std::string> expected(variant_names.begin(), variant_names.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(names, expected);
    EXPECT_EQ(setup.variants.size(), executor == Executor::Device ? 9U - setup.skipped.size() : 3U);
  }
}

TEST(TransposeSetup, RefusesAVariantThatTheExecutorHasNotAndNamesThoseItHas) {
  Options options = options_for(Executor::Host);
  options.variant = "tuned";
  const Failure failure = refusal(options);
  EXPECT_EQ(failure.code(), ExitCode::Machine);
  EXPECT_TRUE(contains(failure.what(), "--variant tuned: needs a GPU"));
  EXPECT_TRUE(contains(failure.what(), "copy, naive, portable"));
}

TEST(TransposeSetup, RefusesToTurnWhatIsNotSquareInPlace) {
  Options options = options_for(Executor::Host);
  options.in_place = true;
  options.rows = 5;
  const Failure failure = refusal(options);
  EXPECT_EQ(failure.code(), ExitCode::Usage);
  EXPECT_TRUE(contains(failure.what(), "--in-place needs a square matrix, and 5x8192 is none"));
}

TEST(TransposeSetup, HasTheSizesOfARange) {
  Options options = options_for(Executor::Host);
  options.sizes = SizeRange{100, 170, 32};
  options.in_place = true;
  const auto setup = setup_of(options);
  ASSERT_EQ(setup.shapes.size(), 3U);
  EXPECT_EQ(setup.shapes.front().rows, 100);
  EXPECT_EQ(setup.shapes.back().columns, 164);
}

TEST(TransposeSetup, CountsTheMemoryOfBothMatricesWithoutOverflow) {
  const Communicator alone;
  Options options = options_for(Executor::Host);
  options.rows = 1000;
  options.columns = 33;
  EXPECT_EQ(demands(setup_of(options), alone).front().bytes,
            2 * 1000 * 64 * 4.0);  // the copy writes A's layout into B
  // Two times of the variant and of the copy, and the two of the copy again as its limit in the record.
  const auto of = demands(setup_of(options), alone);
  EXPECT_EQ(of[of.size() - 2].bytes, 2 * 2 * 8.0);
  EXPECT_EQ(of.back().bytes, 3 * 2 * bytes_of_number);
  options.repeat = 3;
  EXPECT_EQ(demands(setup_of(options), alone).back().bytes, (3 + 3 * 2) * 2 * bytes_of_number);
  options.type = ElementType::Double;
  options.rows = options.columns = 2147483647;
  EXPECT_GT(demands(setup_of(options), alone).front().bytes, 7e19);
  options.in_place = true;
  EXPECT_LT(demands(setup_of(options), alone).front().bytes, 4e19);
}

}  // namespace
}  // namespace memstencil::transpose
