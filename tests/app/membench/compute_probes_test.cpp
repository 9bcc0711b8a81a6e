// Pins probes warp, atomics, registers and issue on a GPU: they run, verify themselves, and their figures are
// possible ones.
#include "app/membench/compute/atomics_cases.hpp"
#include "app/membench/core/probes.hpp"
#include "kernels/probes/issue.hpp"
#include "kernels/probes/registers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

/// One sample of everything. What is wrong with its data a probe finds itself, and throws.
Settings quick() {
  Settings settings;
  settings.repeats = 1;
  return settings;
}

std::map<std::string, double> first_samples(const ProbeResult& result) {
  std::map<std::string, double> samples;
  for (const Measurement& m : result.measurements) samples[m.name] = m.samples.values.at(0);
  return samples;
}

TEST(WarpProbe, SumsEveryWayAndTheHardwareIsTheFastestForIntegers) {
  std::map<std::string, double> samples = first_samples(run_warp(quick()));
  EXPECT_EQ(samples.size(), 28U);  // 2 scopes, 4 ways for integers and 3 for floats, alone and full
  for (const auto& [name, value] : samples) EXPECT_GT(value, 0) << name;
  EXPECT_LT(samples["warp sum of int32 by hardware, alone"], samples["warp sum of int32 by shuffle, alone"]);
  EXPECT_LT(samples["warp sum of int32 by shuffle, alone"],
            samples["warp sum of int32 by shared memory, alone"]);
}

TEST(AtomicsProbe, MeasuresEveryCaseAndOneAddressIsNotFasterThanMany) {
  const ProbeResult result = run_atomics(quick());
  std::map<std::string, double> samples = first_samples(result);
  EXPECT_EQ(samples.size(), atomics_cases().size());
  EXPECT_LE(samples["xor 32-bit, shared, one"], samples["xor 32-bit, shared, spread"]);
  EXPECT_LE(samples["xor 32-bit, global, one"], samples["xor 32-bit, global, spread"]);
  for (const auto& [name, table] : result.tables.items())
    for (const auto& [column, values] : table.items()) {
      EXPECT_EQ(values.size(), 1U) << name << ": " << column;
      EXPECT_GT(values[0].get<double>(), 0) << name << ": " << column;
    }
}

TEST(RegistersProbe, SpillsWhereTheLimitIsBelowTheLiveValuesAndOnlyThere) {
  for (const int live : probes::live_values)
    for (const int limit : probes::register_limits) {
      const probes::RegistersFacts facts = probes::registers_facts(live, limit);
      EXPECT_LE(facts.registers, limit);
      EXPECT_GT(facts.resident_warps, 0);
      // Besides the live values a thread has addresses and counters, up to 16.
      const std::string where = std::to_string(live) + " in " + std::to_string(limit);
      const bool must = limit <= live, may = limit < live + 16;
      EXPECT_LE(must, facts.spilled > 0) << where;
      EXPECT_LE(facts.spilled > 0, may) << where;
    }
}

TEST(RegistersProbe, GivesTheSameResultsAtEveryLimit) {
  const ProbeResult result = run_registers(quick());
  EXPECT_EQ(result.measurements.size(), probes::live_values.size() * probes::register_limits.size());
  EXPECT_EQ(result.derived["224 live values"]["spills_from_limit"], 224);
}

TEST(IssueProbe, NoKindIsIssuedFasterThanOnceAClockByEachOfFourSchedulers) {
  const ProbeResult result = run_issue(quick());
  ASSERT_EQ(result.derived.size(), probes::all_instructions.size());
  for (const auto& [kind, summary] : result.derived.items()) {
    EXPECT_GT(summary["peak_per_clock"].get<double>(), 0) << kind;
    EXPECT_LE(summary["peak_per_clock"].get<double>(), 4.01) << kind;
  }
  // 128 FP32 lanes an SM: one warp an instruction in each of its four parts.
  EXPECT_GT(result.derived["fp32 fma"]["peak_per_clock"].get<double>(), 3.5);
}

}  // namespace
}  // namespace memstencil::membench
