// Pins the acts on placed arrays in real memory: both executors fill, copy and verify, errors are found; and
// the probes of placement as a whole, in small.
#include "app/membench/placement/placed_arrays.hpp"
#include "app/common/failure.hpp"
#include "app/common/record.hpp"
#include "app/membench/core/probes.hpp"
#include "kernels/probes/element_copy.hpp"
#include "kernels/probes/pattern.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace memstencil::membench {
namespace {

/// A space that both executors reach: managed with a GPU, host memory without one.
constexpr MemorySpace shared_space = MemorySpace::Managed;

TEST(DeviceCopy, CopiesEveryElementOfAnyNumber) {
  for (const std::size_t count : {1, 255, 100'003}) {
    const Buffer from(shared_space, (count + 1) * sizeof(double)),
        to(shared_space, (count + 1) * sizeof(double));
    auto* const source = static_cast<double*>(from.data());
    auto* const destination = static_cast<double*>(to.data());
    probes::host_pattern().write(source, count + 1, 1, 5);
    probes::device_pattern().write(destination, count + 1, 1, 6);
    probes::device_copy(destination, source, count);
    EXPECT_EQ(probes::host_pattern().wrong(destination, count, 1, 5), 0U);
    // Not one element more.
    EXPECT_NE(destination[count], source[count]);
  }
}

TEST(Patterns, FilledInRegionsAreThoseWrittenElementByElement) {
  const std::size_t region = (std::size_t{2} << 20) / sizeof(double);
  for (const std::size_t count : {std::size_t{1}, region - 1, region, 2 * region + 7})
    for (const auto* pattern : {&probes::host_pattern(), &probes::device_pattern()}) {
      const Buffer buffer(shared_space, (count + 1) * sizeof(double));
      auto* const data = static_cast<double*>(buffer.data());
      fill(data, 0xFF, buffer.bytes());
      pattern->fill(data, count, 5);
      EXPECT_EQ(pattern->wrong(data, count, 1, 5), 0U) << count;
      EXPECT_TRUE(std::isnan(data[count])) << count;  // not one element more
    }
}

TEST(PlacedArrays, AreTouchedCopiedAndVerifiedByBothExecutors) {
  for (const MemorySpace space : {MemorySpace::Managed, MemorySpace::SystemAllocated}) {
    if (!support(space, Executor::Host).served) continue;
    if (gpu_count() > 0 && !support(space, Executor::Device).served) continue;
    for (const Executor executor : all_executors) {
      const auto arrays = make_placed_arrays({space, 1 << 20, Advice::None});
      arrays->touch(Executor::Host, Executor::Device);
      EXPECT_GT(arrays->copy(executor), 0.0);
      EXPECT_NO_THROW(arrays->verify(executor));
    }
  }
}

TEST(PlacedArrays, FindASourceThatNobodyFilled) {
  const auto arrays = make_placed_arrays({shared_space, 1 << 20, Advice::None});
  EXPECT_THROW(arrays->verify(Executor::Host), Failure);
}

TEST(PlacedArrays, AreUntouchedWhenMadeAndWithTheHostOnceItHasTouchedThem) {
  const auto arrays = make_placed_arrays({MemorySpace::SystemAllocated, 1 << 20, Advice::None});
  const Residency before = arrays->source_residency();
  if (!before.known) GTEST_SKIP() << before.reason;
  EXPECT_EQ(before.absent, before.sampled);
  arrays->touch(Executor::Host, Executor::Host);
  EXPECT_EQ(arrays->source_residency().absent, 0U);
  EXPECT_EQ(arrays->destination_residency().absent, 0U);
}

TEST(PlacedArrays, GoWhereTheyArePrefetchedTo) {
  if (const std::string reason = refuse_prefetch(shared_space); !reason.empty()) GTEST_SKIP() << reason;
  const auto arrays = make_placed_arrays({shared_space, std::size_t{64} << 20, Advice::None});
  arrays->touch(Executor::Host, Executor::Device);
  EXPECT_GT(arrays->prefetch(Executor::Device), 0.0);
  EXPECT_NO_THROW(arrays->verify(Executor::Device));
  EXPECT_GT(arrays->prefetch(Executor::Host), 0.0);
  EXPECT_NO_THROW(arrays->verify(Executor::Host));
}

TEST(PlacedArrays, AreRefusedBeyondTheMemory) {
  try {
    make_placed_arrays({shared_space, std::size_t{1} << 50, Advice::None});
    FAIL() << "two arrays of 1 PiB were allocated";
  } catch (const OutOfMemory& refused) {
    EXPECT_NE(std::string(refused.what()).find("use a smaller --size"), std::string::npos);
  }
}

Settings small() {
  Settings s;
  s.bytes = std::size_t{1} << 20;
  s.repeats = 4;
  return s;
}

/// The whole probe in small: that its record can be written, too.
void check(const ProbeResult& result, std::size_t repeats) {
  for (const Measurement& m : result.measurements) {
    SCOPED_TRACE(m.name);
    EXPECT_EQ(m.samples.values.size(), m.samples.stopped == "one an experiment" ? 1U : repeats);
    for (const double value : m.samples.values) EXPECT_GT(value, 0.0);
  }
  EXPECT_NO_THROW(require_finite({{"tables", result.tables}, {"derived", result.derived}}));
}

TEST(Probes, MeasureAllPatternsInRealMemory) {
  const ProbeResult result = run_patterns(small());
  EXPECT_EQ(result.measurements.size(), 8U);
  check(result, 4);
}

TEST(Probes, MeasureAllPhasesOfAMigrationInRealMemory) {
  const ProbeResult result = run_migration(small());
  EXPECT_GE(result.measurements.size(), 3U);
  check(result, 4);
}

}  // namespace
}  // namespace memstencil::membench
