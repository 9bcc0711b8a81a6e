// Pins what the probes of placement do and conclude, without the machine: numbering, order of
// operations, rates of migration.
#include "tests/app/membench/fake_arrays.hpp"

#include "app/common/runtime/failure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace migration_probe;
using namespace patterns_probe;

const Measurement& named(const ProbeResult& result, std::string_view name) {
  const auto found = std::find_if(result.measurements.begin(), result.measurements.end(),
                                  [&](const Measurement& m) { return m.name == name; });
  if (found == result.measurements.end())
    throw std::runtime_error("no measurement " + std::string(name));
  return *found;
}

TEST(Patterns, AreNumberedAsTheThesisText) {
  const auto& all = patterns();
  std::set<std::tuple<Executor, Executor, Executor>> kinds;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Pattern& p = all[n];
    EXPECT_EQ(p.number, static_cast<int>(n) + 1);
    EXPECT_EQ(p.executor, p.number <= 4 ? Executor::Host : Executor::Device);
    // (2), (3) and (5) to (7) have an array on the other side of the link.
    const bool at_home = p.source == p.executor && p.destination == p.executor;
    EXPECT_EQ(at_home, p.number == 1 || p.number == 8) << p.number;
    kinds.emplace(p.source, p.destination, p.executor);
  }
  EXPECT_EQ(kinds.size(), 8U);
  EXPECT_EQ(all[3].source, Executor::Device);
  EXPECT_EQ(all[3].destination, Executor::Device);
}

TEST(Patterns, TouchFirstThenCopyWithoutWarmUpThenVerify) {
  Operations operations;
  measure_patterns(settings_of(64, 2, 1), MemorySpace::Managed, 1,
                   making<MovingArrays>(operations));
  const Operations second{"make managed 64 none", "touch host device", "copy host", "copy host",
                          "verify host"};
  ASSERT_EQ(operations.size(), 8 * second.size());
  EXPECT_EQ(Operations(operations.begin() + 5, operations.begin() + 10), second);
}

TEST(Patterns, AllocateAfreshForEachExperimentAndKeepItsFirstRepeats) {
  Operations operations;
  const ProbeResult result = measure_patterns(
      settings_of(1'000'000'000, 3, 2), MemorySpace::Managed, 1, making<MovingArrays>(operations));
  EXPECT_EQ(std::count(operations.begin(), operations.end(), "make managed 1000000000 none"), 16);
  const Measurement& m = named(result, "(5) host to host by device");
  EXPECT_EQ(m.experiments, 2);
  EXPECT_TRUE(m.samples.warmup.empty());
  // 2 GB read + written; the first repeat of each experiment moves both arrays.
  const std::vector<double> expected{2.0 / 9, 2.0, 2.0, 2.0 / 9, 2.0, 2.0};
  EXPECT_EQ(m.samples.values, expected);
  const Record parameters{{"pattern", 5},         {"source", "host"},    {"destination", "host"},
                          {"executor", "device"}, {"memory", "managed"}, {"bytes", 1'000'000'000}};
  EXPECT_EQ(m.parameters, parameters);
}

TEST(Patterns, TakeThePapersSizesAndCounts) {
  Operations operations;
  Settings paper;
  paper.paper = true;
  paper.experiments = 1;
  const ProbeResult result =
      measure_patterns(paper, MemorySpace::Managed, 1, making<MovingArrays>(operations));
  ASSERT_EQ(result.measurements.size(), 16U);
  EXPECT_EQ(result.measurements.front().parameters["bytes"], 4'000'000'000);
  EXPECT_EQ(result.measurements.back().parameters["bytes"], 8'000'000'000);
  EXPECT_EQ(result.measurements.front().samples.values.size(), 200U);
}

TEST(Sizes, AreMeasuredOneAfterTheOtherAndWhatIsLostIsDerived) {
  Operations operations;
  Settings settings = settings_of(64, 4, 1);
  settings.sizes = {1'000'000'000, 2'000'000'000};
  // A copy takes 1 s whatever its size: twice the size gives twice the rate.
  const ProbeResult copies =
      measure_patterns(settings, MemorySpace::Managed, 1, making<MovingArrays>(operations));
  const std::string lost = "lost from 1000000000 bytes to 2000000000 bytes";
  EXPECT_DOUBLE_EQ(copies.derived[lost]["pattern 5"].get<double>(), -1.0);
  EXPECT_EQ(copies.derived[lost].size(), 8U);
  const ProbeResult moved = measure_migration(settings, plan_of({MemorySpace::Managed}),
                                              making<MovingArrays>(operations));
  EXPECT_DOUBLE_EQ(moved.derived[lost]["managed"]["plain"]["host"].get<double>(), -1.0);
  EXPECT_FALSE(moved.derived[lost]["managed"].contains("movement"));
}

TEST(Patterns, CountWholeDoubles) {
  EXPECT_EQ(array_sizes(settings_of(4099, 1, 1)), std::vector<std::size_t>{4096});
}

TEST(Migration, IsGpuThenHostThenGpuOnArraysOfBoth) {
  Operations operations;
  measure_migration(settings_of(64, 2, 1), plan_of({MemorySpace::Managed}),
                    making<MovingArrays>(operations));
  const Operations plain{"make managed 64 none", "touch host device", "copy device",  "copy device",
                         "verify device",        "copy host",         "copy host",    "verify host",
                         "copy device",          "copy device",       "verify device"};
  ASSERT_GT(operations.size(), plain.size());
  EXPECT_EQ(Operations(operations.begin(),
                       operations.begin() + static_cast<std::ptrdiff_t>(plain.size())),
            plain);
}

TEST(Migration, HelpsTheDriverAsItsModeSays) {
  Operations operations;
  measure_migration(settings_of(64, 1, 1), plan_of({MemorySpace::Managed}),
                    making<MovingArrays>(operations));
  Operations made;
  std::copy_if(operations.begin(), operations.end(), std::back_inserter(made),
               [](const std::string& operation) { return operation.starts_with("make"); });
  EXPECT_EQ(made,
            (Operations{"make managed 64 none", "make managed 64 none", "make managed 64 preferred",
                        "make managed 64 read-mostly", "make managed 64 accessed-by"}));
  const auto prefetch = std::find(operations.begin(), operations.end(), "prefetch device");
  ASSERT_NE(prefetch, operations.end());
  EXPECT_EQ(Operations(prefetch - 1, prefetch + 5),
            (Operations{"touch host device", "prefetch device", "copy device", "verify device",
                        "prefetch host", "copy host"}));
  EXPECT_EQ(std::count(operations.begin(), operations.end(), "prefetch device"), 2);
}

TEST(Migration, DerivesOneWayRatesFromTheFirstRepeats) {
  Operations operations;
  const ProbeResult result =
      measure_migration(settings_of(1'000'000'000, 8, 3), plan_of({MemorySpace::Managed}),
                        making<MovingArrays>(operations));
  const Record& movement = result.derived["1000000000 bytes"]["managed"]["movement"];
  // An array of 1 GB moves in 4 s by fault and in 2 s by prefetch, whichever way.
  for (const char* key :
       {"HtoD by fault, device 1, one way GB/s", "DtoH by fault, host, one way GB/s",
        "HtoD by fault, device 2, one way GB/s"})
    EXPECT_NEAR(movement.at(key).get<double>(), 0.25, 1e-12) << key;
  for (const char* key :
       {"HtoD by prefetch, device 1, one way GB/s", "DtoH by prefetch, host, one way GB/s",
        "HtoD by prefetch, device 2, one way GB/s"})
    EXPECT_NEAR(movement.at(key).get<double>(), 0.5, 1e-12) << key;
  const Record& plain = result.derived["1000000000 bytes"]["managed"]["plain"]["host"];
  EXPECT_NEAR(plain.at("first_gbs").get<double>(), 2.0 / 9, 1e-12);
  EXPECT_EQ(plain.at("steady_gbs"), 2.0);
  EXPECT_EQ(plain.at("steady_repeat"), 2);
  const Measurement& before =
      named(result, "managed prefetch, host, the prefetch before it, one way");
  EXPECT_EQ(before.samples.values, std::vector<double>(3, 0.5));
  EXPECT_EQ(before.parameters["phase"], "before host");
}

TEST(Migration, DerivesNoRateByFaultWherePagesNeedNotMove) {
  Operations operations;
  MigrationPlan plan = plan_of({MemorySpace::Managed});
  plan.managed_moves_by_fault = false;
  const ProbeResult result =
      measure_migration(settings_of(64, 4, 1), plan, making<MovingArrays>(operations));
  const Record& movement = result.derived["64 bytes"]["managed"]["movement"];
  EXPECT_EQ(movement.size(), 3U);
  EXPECT_FALSE(movement.contains("HtoD by fault, device 1, one way GB/s"));
}

TEST(Migration, LeavesOutWhatTheMachineRefusesAndSaysWhy) {
  Operations operations;
  MigrationPlan plan = plan_of({MemorySpace::Managed});
  plan.refuse = [](const MigrationMode& mode, MemorySpace) {
    return mode.prefetch ? std::string("it cannot prefetch") : std::string();
  };
  const ProbeResult result =
      measure_migration(settings_of(64, 1, 1), plan, making<MovingArrays>(operations));
  EXPECT_EQ(std::count(operations.begin(), operations.end(), "prefetch device"), 0);
  EXPECT_NE(std::find(result.notes.begin(), result.notes.end(),
                      "managed prefetch left out: it cannot prefetch"),
            result.notes.end());
}

TEST(Migration, IsThePapersPlainModeAloneWithPaper) {
  Operations operations;
  Settings paper;
  paper.paper = true;
  paper.experiments = 1;
  const ProbeResult result =
      measure_migration(paper, plan_of({MemorySpace::Managed}), making<MovingArrays>(operations));
  ASSERT_EQ(result.measurements.size(), 6U);
  for (const Measurement& m : result.measurements) {
    EXPECT_EQ(m.parameters["mode"], "plain");
    EXPECT_EQ(m.samples.values.size(), 100U);
  }
}

}  // namespace
}  // namespace memstencil::membench
