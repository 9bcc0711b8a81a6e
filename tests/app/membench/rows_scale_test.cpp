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

/// The rows, and those that follow from them.
struct Derived {
  Derived(const std::string& probe, std::vector<Row> given) : rows(std::move(given)) {
    the_probe(probe).derive(rows, more);
  }
  std::vector<Row> rows, more;
};

Row row_of(std::vector<std::pair<std::string, Value>> cells) { return {std::move(cells), {}}; }

TEST(ScaleOfRows, PagesOfTwoSizesHaveAStartInMicrosecondsAndACostInNanosecondsAByte) {
  std::vector<Row> rows;
  for (const double bytes : {1e6, 4e6, 16e6})
    rows.push_back(row_of({{"memory", "system"},
                           {"allocation", "default"},
                           {"pages", "default"},
                           {"act", "prefetch to device"},
                           {"bytes", bytes},
                           {"make_seconds", 3e-3 + 2e-9 * bytes}}));
  const Derived pages("pages", rows);
  ASSERT_EQ(pages.more.size(), 1U);
  EXPECT_NEAR(pages.more[0].number("start_us"), 3000, 1e-3);
  EXPECT_NEAR(pages.more[0].number("ns_per_byte"), 2, 1e-6);
}

TEST(ScaleOfRows, ReleaseOfWhatTheDeviceFilledIsItsOwn) {
  const Derived pages("pages", {row_of({{"memory", "managed"},
                                        {"allocation", "default"},
                                        {"pages", "default"},
                                        {"act", "first fill by device"},
                                        {"bytes", 1e6},
                                        {"make_seconds", 4e-3},
                                        {"allocate_seconds", 2e-3},
                                        {"free_seconds", 1e-3}})});
  ASSERT_EQ(pages.more.size(), 2U);
  EXPECT_DOUBLE_EQ(pages.more[0].number("ns_per_byte"), 4);
  EXPECT_EQ(pages.more[1].text("act"), "free after fill by device");
  EXPECT_DOUBLE_EQ(pages.more[1].number("ns_per_byte"), 1);
}

TEST(ScaleOfRows, EachProbeCountsItsBytes) {
  const auto counted = [](const char* probe, std::vector<std::pair<std::string, Value>> cells) {
    return the_probe(probe).counted_bytes(row_of(std::move(cells)));
  };
  for (const char* inside : {"host copy", "device copy"})
    EXPECT_EQ(counted("link", {{"bytes", 1600.}, {"direction", inside}}), 3200) << inside;
  for (const char* way :
       {"HtoD", "DtoH", "HtoD against DtoH", "DtoH against HtoD", "read", "write"})
    EXPECT_EQ(counted("link", {{"bytes", 1601.}, {"direction", way}}), 1600) << way;
  EXPECT_EQ(counted("copy", {{"side", 16385.}}), 2. * 4 * 16384 * 16384);
  for (const char* copies : {"patterns", "migration"})
    EXPECT_EQ(counted(copies, {{"bytes", 1601.}}), 3200) << copies;
  for (const char* one_way : {"peers", "gpus"})
    EXPECT_EQ(counted(one_way, {{"bytes", 1601.}}), 1600) << one_way;
  EXPECT_EQ(counted("l2", {{"dealt_bytes", 5e6}, {"footprint", 6e6}}), 5e6);
  const auto sent = [&](const char* pattern, double ranks) {
    return counted("exchange", {{"pattern", pattern}, {"ranks", ranks}, {"bytes", 1000.}});
  };
  EXPECT_EQ(sent("neighbours", 2), 1000);
  EXPECT_EQ(sent("neighbours", 5), 2 * 496);
  EXPECT_EQ(sent("all-to-all", 4), 3 * 328);
}

TEST(ScaleOfRows, AShiftedOrSpreadCopyMovesItsSectors) {
  const auto row = [](const char* access, double step, double side) {
    return row_of({{"side", side}, {"access", access}, {"step", step}, {"gbs", 100.}});
  };
  const std::vector<Row> rows =
      Derived("copy", {row("offset", 1, 16384), row("offset", 8, 16384), row("stride", 4, 16384),
                       row("stride", 32, 16384), row("stride", 1, 1024)})
          .rows;
  const double expected[][4]{
      {6, 150, 100, 100}, {4, 100, 100, 100}, {16, 400, 400, 600}, {32, 800, 800, 1200}};
  for (std::size_t n = 0; n < std::size(expected); ++n) {
    EXPECT_EQ(rows[n].number("sectors"), expected[n][0]) << n;
    EXPECT_EQ(rows[n].number("l2_gbs"), expected[n][1]) << n;
    EXPECT_EQ(rows[n].number("memory_gbs"), expected[n][2]) << n;
    EXPECT_EQ(rows[n].number("memory_with_refills_gbs"), expected[n][3]) << n;
  }
  EXPECT_FALSE(rows[4].has("memory_gbs"));
}

TEST(ScaleOfRows, WhatFollowsFromSeveralRowsIsInTheirUnit) {
  const auto at_once = [](double gpu, double gbs) {
    return row_of(
        {{"bytes", 8.}, {"transfer", "device to host"}, {"gpus", 2.}, {"gpu", gpu}, {"gbs", gbs}});
  };
  const Derived both("gpus", {at_once(0, 50), at_once(1, 40)});
  EXPECT_EQ(both.more.at(0).number("sum_gbs"), 90);
  EXPECT_EQ(both.more.at(0).number("least_gbs"), 40);
  EXPECT_TRUE(Derived("gpus", {at_once(1, 40)}).more.empty()) << "one of two is no sum";

  const auto paths = [](double step, double cycles) {
    return row_of({{"kind", "paths"}, {"step", step}, {"cycles", cycles}});
  };
  EXPECT_EQ(Derived("block", {paths(1, 100), paths(4, 390)}).rows[1].number("of_one_path"), 3.9);

  const auto limited = [](double limit, double seconds) {
    return row_of({{"type", "fp32"}, {"live", 32.}, {"limit", limit}, {"seconds", seconds}});
  };
  EXPECT_EQ(Derived("registers", {limited(24, 3), limited(64, 2)}).rows[0].number("slowdown"), 1.5);

  const auto stream = [](double bytes, double gbs) {
    return row_of({{"operation", "read"},
                   {"data", "all"},
                   {"footprint", bytes},
                   {"dealt_bytes", bytes},
                   {"gbs", gbs}});
  };
  const std::vector<Row> levels =  // those of 30 to 400 MiB are neither in L2 nor free of its hits
      Derived("l2", {stream(mib, 1), stream(2. * mib, 5000), stream(4. * mib, 5200),
                     stream(30. * mib, 9000), stream(400. * mib, 3500), stream(1e9, 3000)})
          .more;
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[0].number("gbs"), 5100);
  EXPECT_EQ(levels[1].number("gbs"), 3000);

  const auto issue = [](double warps, double per_clock) {
    return row_of({{"instruction", "fp32 fma"},
                   {"placement", "spread"},
                   {"ilp", 1.},
                   {"warps", warps},
                   {"per_clock", per_clock}});
  };
  const Derived hidden("issue", {issue(8, 2), issue(12, 3.7), issue(16, 3.9), issue(32, 4)});
  EXPECT_EQ(hidden.more.at(0).number("warps_to_hide"), 16);
  EXPECT_EQ(hidden.more.at(0).number("peak_per_clock"), 4);
}

TEST(ScaleOfRows, LevelsOfAChaseAreThePlateausAndTranslationIsWhatAPageCostsMore) {
  const auto chase = [](const char* path, const char* chain, double footprint, double cycles) {
    return row_of({{"path", path},
                   {"memory", path == std::string("shared") ? "own" : "device"},
                   {"touched", "device"},
                   {"chain", chain},
                   {"footprint", footprint},
                   {"cycles", cycles},
                   {"ns", cycles / 2}});
  };
  const char* path = "global past L1";
  const Derived latency(
      "latency", {chase(path, "random line", 64 * kib, 270), chase(path, "random line", mib, 272),
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
    std::vector<Row> rows;
    for (const double times : {1., 2., 4.})
      rows.push_back(chase(of_path, "random line", times * first, cycles));
    return Derived("latency", rows).more.at(0).text("level");
  };
  EXPECT_EQ(level("global", 8 * kib, 32), "L1");
  EXPECT_EQ(level("global", mib, 276), "plateau 1") << "no L1 was measured";
  EXPECT_EQ(level("shared", kib, 23), "plateau 1") << "a path's own memory is no cache";
}

}  // namespace
}  // namespace memstencil::membench
