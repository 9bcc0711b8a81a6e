// Pins what a run is resolved to: variants by executor, shapes, memory; and what
// is refused with which code.
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::transpose {
namespace {

std::string refusal_of(ExitCode code, const Options& options) {
  return refusal(code, [&] { plan_of(options); });
}

TEST(TransposePlan, TimesPortableWithoutAVariant) {
  for (const Executor executor : executors())
    EXPECT_EQ(plan_of(options_for(executor)).variants, std::vector{Variant::Portable});
}

TEST(TransposePlan, OfAllVariantsTimesOrSkipsEach) {
  for (const Executor executor : executors()) {
    Options options = options_for(executor);
    options.variant.reset();
    const Plan plan = plan_of(options);
    std::vector<Variant> found = plan.variants;
    for (const OfferedVariant& each : plan.skipped) {
      EXPECT_FALSE(each.why_not.empty()) << name(each.variant);
      found.push_back(each.variant);
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, std::vector<Variant>(all_variants.begin(), all_variants.end()));
    EXPECT_EQ(plan.variants.size(), executor == Executor::Device ? 8U - plan.skipped.size() : 3U);
  }
}

TEST(TransposePlan, RefusesAVariantOfTheOtherExecutorAndTilesWithoutAChoice) {
  Options padded = options_for(Executor::Host), tiled = padded;
  padded.variant = Variant::Padded;
  const std::string line = refusal_of(ExitCode::Machine, padded);
  EXPECT_TRUE(contains(line, "--variant padded: needs a GPU"));
  EXPECT_TRUE(contains(line, "copy, naive, portable"));
  tiled.tile = 16;
  EXPECT_TRUE(contains(refusal_of(ExitCode::Machine, tiled),
                       "--tile 16: portable has no choice of tiles here"));
}

TEST(TransposePlan, CountsTheMemoryWithoutOverflow) {
  Options options = options_for(Executor::Host);
  options.rows = 1000;
  options.columns = 33;
  EXPECT_EQ(memory_requirements(plan_of(options)).at(Memory::Host),
            2 * 1001 * 64 * 4.0);  // the copy writes A's layout into B; a row to spare
  options.type = ElementType::Double;
  options.rows = options.columns = 2147483647;
  EXPECT_GT(memory_requirements(plan_of(options)).at(Memory::Host), 7e19);
}

TEST(TransposePlan, CountsTheGpusMemoryThatALinkIsMeasuredWith) {
  for (const Executor executor : executors()) {
    Options options = options_for(executor);
    options.memspace = MemorySpace::HostPinned;
    options.rows = options.columns = 1000;
    EXPECT_EQ(memory_requirements(plan_of(options))[Memory::Gpu],
              executor == Executor::Device ? 1001 * 1024 * 4.0 : 0.0);
  }
}

}  // namespace
}  // namespace memstencil::transpose
