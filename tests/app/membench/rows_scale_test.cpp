// Pins the scale of what probes count, and of the rows that follow from measured ones, so that a
// factor of 1.3 is noticed.
#include "app/membench/core/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::membench {
namespace {

const Probe& the_probe(const std::string& name) {
  return *std::ranges::find(probes(), name, &Probe::name);
}

/// Rows with the same columns.
using Lines = std::vector<std::vector<Value>>;
std::vector<Row> table(const std::vector<std::string>& columns, const Lines& lines) {
  std::vector<Row> rows(lines.size());
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t c = 0; c < columns.size(); ++c) rows[n].set(columns[c], lines[n].at(c));
  return rows;
}

/// The rows, and those that follow from them.
struct Derived {
  Derived(const std::string& probe, const std::vector<std::string>& columns, const Lines& lines)
      : rows(table(columns, lines)) {
    the_probe(probe).derive(rows, more);
  }
  std::vector<Row> rows, more;
};

TEST(ScaleOfRows, PagesHaveAStartInMicrosecondsAndACostInNanosecondsAByte) {
  Lines lines;
  for (const double bytes : {1e6, 4e6, 16e6})
    lines.push_back(
        {"system", "default", "default", "prefetch to device", bytes, 3e-3 + 2e-9 * bytes, 0., 0.});
  lines.push_back({"managed", "default", "default", "first fill by device", 1e6, 4e-3, 2e-3, 1e-3});
  const Derived pages("pages",
                      {"memory", "allocation", "pages", "act", "bytes", "make_seconds",
                       "allocate_seconds", "free_seconds"},
                      lines);
  ASSERT_EQ(pages.more.size(), 3U);
  EXPECT_NEAR(pages.more[0].number("start_us"), 3000, 1e-3);
  EXPECT_NEAR(pages.more[0].number("ns_per_byte"), 2, 1e-6);
  EXPECT_DOUBLE_EQ(pages.more[1].number("ns_per_byte"), 4);
  EXPECT_EQ(pages.more[2].text("act"), "free after fill by device");
  EXPECT_DOUBLE_EQ(pages.more[2].number("ns_per_byte"), 1);
}

TEST(ScaleOfRows, EachProbeCountsItsBytes) {
  const auto counted = [](const char* probe, const std::vector<std::string>& columns,
                          const std::vector<Value>& cells) {
    return the_probe(probe).counted_bytes(table(columns, {cells}).front());
  };
  for (const char* inside : {"host copy", "device copy"})
    EXPECT_EQ(counted("link", {"bytes", "direction"}, {1600., inside}), 3200) << inside;
  for (const char* way :
       {"HtoD", "DtoH", "HtoD against DtoH", "DtoH against HtoD", "read", "write"})
    EXPECT_EQ(counted("link", {"bytes", "direction"}, {1601., way}), 1600) << way;
  EXPECT_EQ(counted("copy", {"side"}, {16385.}), 2. * 4 * 16384 * 16384);
  for (const char* copies : {"patterns", "migration"})
    EXPECT_EQ(counted(copies, {"bytes"}, {1601.}), 3200) << copies;
  for (const char* one_way : {"peers", "gpus"})
    EXPECT_EQ(counted(one_way, {"bytes"}, {1601.}), 1600) << one_way;
  EXPECT_EQ(counted("l2", {"dealt_bytes", "footprint"}, {5e6, 6e6}), 5e6);
  const auto sent = [&](const char* pattern, double ranks) {
    return counted("exchange", {"pattern", "ranks", "bytes"}, {pattern, ranks, 1000.});
  };
  EXPECT_EQ(sent("neighbours", 2), 1000);
  EXPECT_EQ(sent("neighbours", 5), 2 * 496);
  EXPECT_EQ(sent("all-to-all", 4), 3 * 328);
}

TEST(ScaleOfRows, AShiftedOrSpreadCopyMovesItsSectors) {
  const Derived copy("copy", {"access", "step", "side", "gbs"},
                     {{"offset", 1., 16384., 100.},
                      {"offset", 8., 16384., 100.},
                      {"stride", 4., 16384., 100.},
                      {"stride", 32., 16384., 100.},
                      {"stride", 1., 1024., 100.}});
  const double expected[][4]{
      {6, 150, 100, 100}, {4, 100, 100, 100}, {16, 400, 400, 600}, {32, 800, 800, 1200}};
  const char* const columns[]{"sectors", "l2_gbs", "memory_gbs", "memory_with_refills_gbs"};
  for (std::size_t n = 0; n < std::size(expected); ++n)
    for (std::size_t c = 0; c < std::size(columns); ++c)
      EXPECT_EQ(copy.rows[n].number(columns[c]), expected[n][c]) << n << columns[c];
  EXPECT_FALSE(copy.rows[4].has("memory_gbs"));
}

TEST(ScaleOfRows, AllGpusTogetherHaveTheSumOfTheirRates) {
  const std::vector<std::string> columns{"bytes", "transfer", "gpus", "gpu", "gbs"};
  const std::vector<Value> first{8., "device to host", 2., 0., 50.},
      second{8., "device to host", 2., 1., 40.};
  const Derived both("gpus", columns, {first, second});
  EXPECT_EQ(both.more.at(0).number("sum_gbs"), 90);
  EXPECT_EQ(both.more.at(0).number("least_gbs"), 40);
  EXPECT_TRUE(Derived("gpus", columns, {second}).more.empty()) << "one of two is no sum";
}

TEST(ScaleOfRows, PathsAndLimitedRegistersAreRelativeToTheFastest) {
  const Derived paths("block", {"kind", "step", "cycles"},
                      {{"paths", 1., 100.}, {"paths", 4., 390.}});
  EXPECT_EQ(paths.rows[1].number("of_one_path"), 3.9);
  const Derived limited("registers", {"type", "live", "limit", "seconds"},
                        {{"fp32", 32., 24., 3.}, {"fp32", 32., 64., 2.}});
  EXPECT_EQ(limited.rows[0].number("slowdown"), 1.5);
}

TEST(ScaleOfRows, LevelsOfStreamsLeaveOutFootprintsThatTheL2HoldsInPart) {
  Lines lines;
  for (const auto& [bytes, gbs] : std::map<double, double>{{mib, 1},
                                                           {2. * mib, 5000},
                                                           {4. * mib, 5200},
                                                           {30. * mib, 9000},
                                                           {400. * mib, 3500},
                                                           {1e9, 3000}})
    lines.push_back({"read", "all", bytes, bytes, gbs});
  const Derived l2("l2", {"operation", "data", "footprint", "dealt_bytes", "gbs"}, lines);
  ASSERT_EQ(l2.more.size(), 2U);
  EXPECT_EQ(l2.more[0].number("gbs"), 5100);
  EXPECT_EQ(l2.more[1].number("gbs"), 3000);
}

TEST(ScaleOfRows, LatencyIsHiddenByTheFewestWarpsThatReachThePeak) {
  Lines lines;
  for (const auto& [warps, per_clock] :
       std::map<double, double>{{8, 2}, {12, 3.7}, {16, 3.9}, {32, 4}})
    lines.push_back({"fp32 fma", "spread", 1., warps, per_clock});
  const Derived hidden("issue", {"instruction", "placement", "ilp", "warps", "per_clock"}, lines);
  EXPECT_EQ(hidden.more.at(0).number("warps_to_hide"), 16);
  EXPECT_EQ(hidden.more.at(0).number("peak_per_clock"), 4);
}

TEST(ScaleOfRows, OverlapHidesWhatBothTakeLessThanOneAfterTheOtherWhateverTheWork) {
  const Derived overlap("overlap", {"bytes", "direction", "work", "part", "seconds"},
                        {{8., "HtoD", "memory", "copy alone", 4.},
                         {8., "HtoD", "memory", "kernel alone", 5.},
                         {8., "HtoD", "memory", "both", 6.},
                         {8., "HtoD", "arithmetic", "both", 6.}});
  ASSERT_EQ(overlap.more.size(), 1U);
  EXPECT_EQ(overlap.more[0].text("work"), "memory");
  EXPECT_EQ(overlap.more[0].number("hidden"), 0.75);
}

TEST(ScaleOfRows, FitsNeedSeveralNumbersOfWarpsAndCountWordsOf8BytesByHalvesOfAWarp) {
  const auto fits = [](double bits, const std::vector<double>& numbers_of_warps) {
    Lines lines;
    for (const double congestion : {1., 8., 16., 24., 32.})
      for (double loads = 1; loads <= 16; ++loads)
        for (const double warps : numbers_of_warps) {
          const double halves = congestion > 16 ? congestion : congestion + 1;
          const double passes = loads * warps * (bits == 64 ? halves : congestion);
          lines.push_back({bits, loads, warps, congestion,
                           bits == 64 ? 3 * passes + 5 * warps + 100 : passes + 100});
        }
    return Derived("shared", {"word_bits", "loads", "warps", "congestion", "cycles"}, lines).more;
  };
  EXPECT_TRUE(fits(32, {2}).empty());
  EXPECT_NEAR(fits(32, {2, 4}).at(0).number("C1"), 1, 1e-9);
  const Row hopper = fits(64, {2, 4}).at(1);
  EXPECT_NEAR(hopper.number("C1"), 3, 1e-9);
  EXPECT_NEAR(hopper.number("C2"), 5, 1e-9);
  EXPECT_NEAR(hopper.number("C3"), 100, 1e-9);
}

TEST(ScaleOfRows, LevelsOfAChaseAreThePlateausAndTranslationIsWhatAPageCostsMore) {
  const std::vector<std::string> columns{"path",      "memory", "touched", "chain",
                                         "footprint", "cycles", "ns"};
  const auto chase = [](const char* path, const char* chain, double footprint, double cycles) {
    const char* const memory = path == std::string("shared") ? "own" : "device";
    return std::vector<Value>{path, memory, "device", chain, footprint, cycles, cycles / 2};
  };
  const char* path = "global past L1";
  const Derived latency(
      "latency", columns,
      {chase(path, "random line", 64 * kib, 270), chase(path, "random line", mib, 272),
       chase(path, "random line", 2 * mib, 274), chase(path, "one a page", gib, 281)});
  EXPECT_EQ(latency.rows[3].number("translation_cycles"), 11);
  ASSERT_EQ(latency.more.size(), 1U);
  EXPECT_EQ(latency.more[0].number("cycles"), 272);
  EXPECT_EQ(latency.more[0].number("ns"), 136);
  EXPECT_EQ(latency.more[0].number("from_bytes"), 64. * kib);
  EXPECT_EQ(latency.more[0].number("to_bytes"), 2. * mib);
  EXPECT_EQ(latency.more[0].number("holds_bytes"), 2. * mib);
  EXPECT_EQ(latency.more[0].text("level"), "L2");
  const auto level = [&](const char* of_path, double first, double cycles) {
    Lines lines;
    for (const double times : {1., 2., 4.})
      lines.push_back(chase(of_path, "random line", times * first, cycles));
    return Derived("latency", columns, lines).more.at(0).text("level");
  };
  EXPECT_EQ(level("global", 8 * kib, 32), "L1");
  EXPECT_EQ(level("global", mib, 276), "plateau 1") << "no L1 was measured";
  EXPECT_EQ(level("shared", kib, 23), "plateau 1") << "a path's own memory is no cache";
}

}  // namespace
}  // namespace memstencil::membench
