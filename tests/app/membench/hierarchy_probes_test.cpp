// Pins probes copy, latency and shared on a GPU: they run, verify themselves, and their figures are possible
// ones.
#include "app/membench/core/probes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

Settings quick(int repeats) {
  Settings settings;
  settings.repeats = repeats;
  return settings;
}

TEST(CopyProbe, CopiesEveryPatternRightlyAndCountsItsSectors) {
  Settings settings = quick(2);
  settings.bytes = 65536;
  const ProbeResult result = run_copy(settings);
  EXPECT_EQ(result.measurements.size(), 3U + 2 * 32);
  for (const char* pattern : {"offset", "stride"}) {
    const Record& table = result.tables.at(std::string(pattern) + ", 128 x 128");
    ASSERT_EQ(table["gbs"].size(), 32U);
    for (std::size_t n = 0; n < 32; ++n) {
      const double gbs = table["gbs"][n], moved = table["l2_gbs"][n];
      EXPECT_GT(gbs, 0);
      EXPECT_NEAR(moved / gbs, table["sectors"][n].get<double>() / 4, 1e-9) << pattern << " " << n + 1;
    }
  }
}

TEST(LatencyProbe, FindsLevelsOneSlowerThanTheOther) {
  Settings settings = quick(2);
  settings.bytes = std::size_t{2} << 20;
  const ProbeResult result = run_latency(settings);
  const Record& levels = result.derived["plateaus"]["global, device, random line"];
  const double l1 = levels["L1"]["cycles"], l2 = levels["L2"]["cycles"];
  EXPECT_GT(l1, 20);
  EXPECT_LT(l1, 60);
  EXPECT_GT(l2, 3 * l1);
  // No launch's first misses are timed: in L1 all footprints take the same.
  for (const char* course : {"global, device", "global, managed", "global, host-pinned", "texture, device"}) {
    const Record& flat = result.derived["plateaus"][std::string(course) + ", random line"]["L1"];
    EXPECT_LT(flat["highest"].get<double>(), 1.05 * flat["lowest"].get<double>()) << course;
  }
  const Record& pinned = result.derived["plateaus"]["global, host-pinned, random line"];
  EXPECT_GE(pinned["memory"]["points"].get<int>(), 2);
  EXPECT_GT(pinned["memory"]["ns"].get<double>(), 200);
  const double shared = result.derived["plateaus"]["shared, shared, random line"]["shared"]["cycles"];
  EXPECT_GT(shared, 15);
  EXPECT_LT(shared, l1);
}

TEST(SharedProbe, MeasuresAllCombinationsAndBothModelsExplainThem) {
  const ProbeResult result = run_shared(quick(3));
  for (const char* word : {"32-bit loads", "64-bit loads"}) {
    const Record& table = result.tables.at(word);
    ASSERT_EQ(table["min"].size(), 32768U);
    // All warps, all loads, all lanes in one bank: a pass a cycle and no more.
    EXPECT_GE(table["min"][32767].get<double>(), 32768 * 0.99) << word;
    const Record& derived = result.derived[word];
    EXPECT_GT(derived["minimum_latency"].get<double>(), 15);
    EXPECT_LT(derived["minimum_latency"].get<double>(), 60);
    EXPECT_GT(derived["paper_fit"]["r_squared"].get<double>(), 0.9) << word;
    EXPECT_GT(derived["hopper_fit"]["r_squared"].get<double>(), 0.95) << word;
  }
  // One clock for all sub-partitions: otherwise the first begin and the last end could not be compared.
  EXPECT_LT(result.derived["subpartition_clock_difference"].get<double>(), 32);
}

}  // namespace
}  // namespace memstencil::membench
