// Pins the probes that are native CUDA, on a GPU: they run, verify themselves, and
// their figures are possible ones.
#include "app/membench/compute/atomics.hpp"
#include "app/membench/core/measuring.hpp"
#include "app/membench/hierarchy/coalescing.hpp"
#include "kernels/probes/issue.hpp"
#include "kernels/probes/registers.hpp"
#include "tests/app/membench/probe_named.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

/// One sample of everything, or so many. What is wrong with its data a
/// probe finds itself, and throws.
Settings quick(int repeats = 1) {
  Settings settings;
  settings.repeats = repeats;
  return settings;
}

/// Over all experiments.
double median_of(const ProbeResult& result, const std::string& name) {
  for (const Measurement& m : result.measurements)
    if (m.name == name) return median(m.samples);
  throw std::runtime_error("no measurement " + name);
}

std::map<std::string, double> first_samples(const ProbeResult& result) {
  std::map<std::string, double> samples;
  for (const Measurement& m : result.measurements) samples[m.name] = m.samples.values.at(0);
  return samples;
}

TEST(WarpProbe, SumsEveryWayAndTheHardwareIsTheFastestForIntegers) {
  std::map<std::string, double> samples = first_samples(probe_named("warp").run(quick()));
  // 2 scopes, 4 ways for integers and 3 for floats, alone and full; an FFT two ways, alone and
  // full.
  EXPECT_EQ(samples.size(), 28U + 4U);
  for (const auto& [name, value] : samples) EXPECT_GT(value, 0) << name;
  EXPECT_LT(samples["warp sum of int32 by hardware, alone"],
            samples["warp sum of int32 by shuffle, alone"]);
  EXPECT_LT(samples["warp sum of int32 by shuffle, alone"],
            samples["warp sum of int32 by shared memory, alone"]);
  EXPECT_GT(samples["FFT of 32 points by shuffle, alone"], 100);
}

TEST(WarpProbe, RatiosAreThoseOfTheMediansOverAllExperiments) {
  Settings settings = quick(3);
  settings.experiments = 2;
  const ProbeResult result = probe_named("warp").run(settings);
  const auto over = [&](const std::string& one, const std::string& other) {
    return median_of(result, one) / median_of(result, other);
  };
  EXPECT_EQ(result.derived["block, int32"]["CUB over shuffle"],
            over("block sum of int32 by CUB, alone", "block sum of int32 by shuffle, alone"));
  const Record& fft = result.derived["FFT of a warp"];
  EXPECT_EQ(fft["shared memory over shuffle"],
            over("FFT of 32 points by shared memory, alone", "FFT of 32 points by shuffle, alone"));
  EXPECT_EQ(
      fft["shuffle over shared memory, full SM"],
      over("FFT of 32 points by shuffle, full SM", "FFT of 32 points by shared memory, full SM"));
}

TEST(AtomicsProbe, MeasuresEveryCaseAndOneAddressIsNotFasterThanMany) {
  const ProbeResult result = probe_named("atomics").run(quick());
  std::map<std::string, double> samples = first_samples(result);
  EXPECT_EQ(samples.size(), atomics_probe::atomics_cases().size());
  EXPECT_LE(samples["xor 32-bit, shared, one"], samples["xor 32-bit, shared, spread"]);
  EXPECT_LE(samples["xor 32-bit, global, one"], samples["xor 32-bit, global, spread"]);
  for (const auto& [name, table] : result.tables.items())
    for (const auto& [column, values] : table.items()) {
      EXPECT_EQ(values.size(), 1U) << name << ": " << column;
      EXPECT_GT(values[0].get<double>(), 0) << name << ": " << column;
    }
  EXPECT_EQ(result.derived["per_clock"]["add 32-bit"]["global, one"],
            result.tables["per clock, global, one"]["add 32-bit"][0]);
}

/// `words` registers for the values.
void expect_spilled(const probes::RegistersFacts& facts, int words, int limit) {
  EXPECT_LE(facts.registers, limit);
  EXPECT_GT(facts.resident_warps, 0);
  // Besides the live values a thread has addresses and counters, up to 16.
  const std::string where = std::to_string(words) + " in " + std::to_string(limit);
  const bool must = limit <= words, may = limit < words + 16;
  EXPECT_LE(must, facts.spilled > 0) << where;
  EXPECT_LE(facts.spilled > 0, may) << where;
}

TEST(RegistersProbe, SpillsWhereTheLimitIsBelowTheLiveValuesAndOnlyThere) {
  for (const int limit : probes::register_limits) {
    for (const int live : probes::live_values<float>)
      expect_spilled(probes::registers_facts<float>(live, limit), live, limit);
    for (const int live : probes::live_values<double>)
      expect_spilled(probes::registers_facts<double>(live, limit), 2 * live, limit);
  }
}

TEST(RegistersProbe, GivesTheSameResultsAtEveryLimit) {
  const ProbeResult result = probe_named("registers").run(quick());
  EXPECT_EQ(result.measurements.size(),
            (probes::live_values<float>.size() + probes::live_values<double>.size()) *
                probes::register_limits.size());
  EXPECT_EQ(result.derived["224 live values"]["spills_from_limit"], 224);
  EXPECT_EQ(result.derived["112 live fp64 values"]["spills_from_limit"], 224);
}

TEST(IssueProbe, NoKindIsIssuedFasterThanOnceAClockByEachOfFourSchedulers) {
  const ProbeResult result = probe_named("issue").run(quick());
  ASSERT_EQ(result.derived.size(), probes::all_instructions.size());
  for (const auto& [kind, summary] : result.derived.items()) {
    EXPECT_GT(summary["peak_per_clock"].get<double>(), 0) << kind;
    EXPECT_LE(summary["peak_per_clock"].get<double>(), 4.01) << kind;
  }
  // 128 FP32 lanes an SM: one warp an instruction in each of its four parts.
  EXPECT_GT(result.derived["fp32 fma"]["peak_per_clock"].get<double>(), 3.5);
  const double one_part = result.derived["fp32 fma"]["one_quarter"]["peak_per_clock"];
  EXPECT_GT(one_part, 0.85);
  EXPECT_LE(one_part, 1.01) << "warps 0, 4, 8, ... of a block share a scheduler";
}

TEST(CopyProbe, CopiesEveryPatternRightlyAndCountsItsSectors) {
  Settings settings = quick(2);
  settings.bytes = 65536;
  const ProbeResult result = probe_named("copy").run(settings);
  EXPECT_EQ(result.measurements.size(), 3U + 2 * 32 + coalescing::all_cases().size());
  const Record& words = result.tables.at("coalescing, every eighth lane, 65536 bytes");
  EXPECT_EQ(words["word_bytes"], Record({1, 2, 4, 8, 16}));
  EXPECT_EQ(words["sectors"], Record({1, 2, 4, 4, 4}));
  EXPECT_EQ(result.derived["l2_gbs of 65536 bytes"]["every eighth lane"]["words of 16"],
            words["l2_gbs"][4]);
  for (const char* pattern : {"offset", "stride"}) {
    const Record& table = result.tables.at(std::string(pattern) + ", 128 x 128");
    ASSERT_EQ(table["gbs"].size(), 32U);
    for (std::size_t n = 0; n < 32; ++n) {
      const double gbs = table["gbs"][n], moved = table["l2_gbs"][n];
      EXPECT_GT(gbs, 0);
      EXPECT_NEAR(moved / gbs, table["sectors"][n].get<double>() / 4, 1e-9)
          << pattern << " " << n + 1;
    }
  }
}

TEST(LatencyProbe, FindsLevelsOneSlowerThanTheOther) {
  Settings settings = quick(2);
  settings.bytes = std::size_t{2} << 20;
  const ProbeResult result = probe_named("latency").run(settings);
  const Record& levels = result.derived["plateaus"]["global, device, random line"];
  const double l1 = levels["L1"]["cycles"], l2 = levels["L2"]["cycles"];
  EXPECT_GT(l1, 20);
  EXPECT_LT(l1, 60);
  EXPECT_GT(l2, 3 * l1);
  // No launch's first misses are timed: in L1 all footprints take the same.
  for (const char* chase :
       {"global, device", "global, managed", "global, host-pinned", "texture, device"}) {
    const Record& flat = result.derived["plateaus"][std::string(chase) + ", random line"]["L1"];
    EXPECT_LT(flat["highest"].get<double>(), 1.05 * flat["lowest"].get<double>()) << chase;
  }
  const Record& pinned = result.derived["plateaus"]["global, host-pinned, random line"];
  EXPECT_GE(pinned["memory"]["points"].get<int>(), 2);
  EXPECT_GT(pinned["memory"]["ns"].get<double>(), 200);
  const double shared =
      result.derived["plateaus"]["shared, shared, random line"]["shared"]["cycles"];
  EXPECT_GT(shared, 15);
  EXPECT_LT(shared, l1);
  const double local = result.derived["plateaus"]["local, local, random line"]["L1"]["cycles"];
  EXPECT_GT(local, 15);
  EXPECT_LT(local, 2 * l1);
}

TEST(OverlapProbe, HidesMostOfACopyBehindArithmetic) {
  const ProbeResult result = probe_named("overlap").run(quick(3));
  for (const char* direction : {"HtoD", "DtoH"}) {
    EXPECT_GT(result.derived[direction]["arithmetic"]["hidden"].get<double>(), 0.5) << direction;
    EXPECT_LT(result.derived[direction]["arithmetic"]["hidden"].get<double>(), 1.2) << direction;
  }
}

TEST(OverlapProbe, IsDerivedFromTheMediansOverAllExperiments) {
  Settings settings = quick(3);
  settings.experiments = 2;
  const ProbeResult result = probe_named("overlap").run(settings);
  for (const std::string direction : {"HtoD", "DtoH"})
    for (const std::string work : {"arithmetic", "memory"}) {
      const Record& derived = result.derived[direction][work];
      const std::string parts = direction + ", " + work + ", ";
      EXPECT_EQ(derived["copy_seconds"], median_of(result, direction + ", copy alone")) << parts;
      EXPECT_EQ(derived["kernel_seconds"], median_of(result, parts + "kernel alone")) << parts;
      EXPECT_EQ(derived["both_seconds"], median_of(result, parts + "both")) << parts;
    }
}

TEST(BlockProbe, PathsAddUpAndStridesMeetInBanks) {
  const ProbeResult result = probe_named("block").run(quick(3));
  const Record& paths = result.tables.at("divergence");
  EXPECT_NEAR(paths["of_one_path"][5].get<double>(), 32, 8);
  EXPECT_EQ(result.derived["of_one_path"]["32 paths in a warp"], paths["of_one_path"][5]);
  for (const char* kind : {"shared load", "shared store"}) {
    const Record& cycles = result.tables.at(kind)["cycles"];  // one address, strides 1, 2, 4, .. 32
    EXPECT_LT(cycles[0].get<double>(), 2) << kind;
    EXPECT_NEAR(cycles[6].get<double>() / cycles[1].get<double>(), 32, 8) << kind;
  }
  EXPECT_GT(result.tables.at("barrier")["cycles"][0].get<double>(), 1);
}

TEST(L2Probe, StreamsOverEveryFootprintAndFarIsNotFasterThanNear) {
  Settings settings = quick(2);
  settings.experiments = 2;
  settings.bytes = std::size_t{8} << 20;
  const ProbeResult result = probe_named("l2").run(settings);
  for (const Measurement& m : result.measurements) EXPECT_EQ(m.experiments, 2) << m.name;
  const bool clear = result.derived["topology"]["halves_told_apart"];
  // All, near and far of four operations, at 1 to 8 MiB by half octaves.
  for (const char* operation : {"read", "write", "copy", "triad"})
    for (const char* data : {"all", "near", "far"}) {
      const std::string kind = std::string(operation) + ", " + data;
      ASSERT_EQ(result.tables.contains(kind), clear || std::string(data) == "all") << kind;
      if (result.tables.contains(kind)) {
        EXPECT_EQ(result.tables[kind]["gbs"].size(), 7U) << kind;
      }
    }
  const Record& atomic = result.derived["cycles"]["atomic addition"];
  if (clear) {
    EXPECT_GT(atomic["far"].get<double>(), atomic["near"].get<double>());
    EXPECT_GE(result.derived["gbs"]["write, near"]["L2"].get<double>(),
              0.95 * result.derived["gbs"]["write, far"]["L2"].get<double>());
  }
  EXPECT_GT(result.derived["gbs"]["read, all"]["L2"].get<double>(), 1000);
}

TEST(SharedProbe, MeasuresAllCombinationsAndBothModelsExplainThem) {
  const ProbeResult result = probe_named("shared").run(quick(3));
  for (const char* word : {"32-bit loads", "64-bit loads"}) {
    const Record& table = result.tables.at(word);
    ASSERT_EQ(table["min"].size(), 32768U);
    // All warps, all loads, all lanes in one bank: a pass a cycle and no more.
    EXPECT_GE(table["min"][32767].get<double>(), 32768 * 0.99) << word;
    const Record& derived = result.derived[word];
    EXPECT_GT(derived["minimum_latency"].get<double>(), 15);
    EXPECT_LT(derived["minimum_latency"].get<double>(), 60);
    EXPECT_GE(derived["mean_latency"], derived["minimum_latency"]);
    EXPECT_GT(derived["paper_fit"]["r_squared"].get<double>(), 0.9) << word;
    EXPECT_GT(derived["hopper_fit"]["r_squared"].get<double>(), 0.95) << word;
  }
  const Record& printed = result.derived["64-bit loads, as printed"];
  ASSERT_EQ(result.tables.at("64-bit loads, as printed")["mean"].size(), 32768U);
  EXPECT_GT(printed["paper_fit"]["C1"].get<double>(), 0);
  EXPECT_LT(printed["minimum_latency"], result.derived["64-bit loads"]["minimum_latency"])
      << "nothing waits for the data";
  // One clock for all sub-partitions: otherwise the first begin and the
  // last end could not be compared.
  EXPECT_LT(result.derived["subpartition_clock_difference"].get<double>(), 32);
}

}  // namespace
}  // namespace memstencil::membench
