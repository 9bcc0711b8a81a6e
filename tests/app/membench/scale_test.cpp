// Pins the scale of the probes' figures: what a host measures by a clock that is given, and what
// each probe counts and concludes, so that a factor of 1.3 is noticed.
#include "app/membench/core/memory.hpp"
#include "app/membench/core/program.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/numa.hpp"
#include "tests/app/base/given_clock.hpp"
#include "tests/app/base/refusal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

namespace memstencil::membench {
namespace {

const Probe& probe_named(const std::string& name) {
  return *std::ranges::find(probes(), name, &Probe::name);
}

/// The probe's table with these values on its axes, two samples a point, where every act takes so
/// many seconds, or one after the other so many.
Table taking(const std::vector<double>& steps, const std::string& probe,
             const std::vector<std::string>& axes) {
  Options options;
  options.probe = probe;
  options.axes = axes;
  const Chosen chosen = chosen_probes(options).front();
  const GivenClock clock(steps);
  return measure(*chosen.probe, chosen.axes, {.repeats = 2, .experiments = 2});
}
Table taking(double seconds, const std::string& probe, const std::vector<std::string>& axes) {
  return taking(std::vector{seconds}, probe, axes);
}

/// Where no probe runs: built for CUDA, and there is no GPU.
bool runs(const std::string& probe) { return why_not(probe_named(probe), nullptr).empty(); }

TEST(Scale, ACopyOfASecondMovesTwiceItsBytes) {
  if (!runs("link")) GTEST_SKIP() << "no GPU";
  const Table table = taking(
      1, "link", {"bytes=1MiB", "memory=pageable", "direction=host copy", "by=vectorised,loop"});
  ASSERT_EQ(table.rows.size(), 2U);
  for (const Row& row : table.rows) {
    EXPECT_DOUBLE_EQ(row.number("gbs"), 2e-9 * mib);
    EXPECT_EQ(row.number("seconds"), 1);
    EXPECT_EQ(row.number("counted_bytes"), 2. * mib);
    for (const double sample : row.samples.at("seconds").values) EXPECT_EQ(sample, 1);
  }
}

TEST(Scale, AReadOrAWriteOfASecondMovesItsBytesOnce) {
  if (!runs("link")) GTEST_SKIP() << "no GPU";
  const Table table =
      taking(1, "link", {"bytes=1MiB", "memory=pageable", "direction=read,write", "by=vectorised"});
  ASSERT_EQ(table.rows.size(), 2U);
  for (const Row& row : table.rows) {
    EXPECT_DOUBLE_EQ(row.number("gbs"), 1e-9 * mib);
    EXPECT_EQ(row.number("seconds"), 1);
    for (const char* share : {"in_place_before", "in_place_after"})
      EXPECT_TRUE(!row.has(share) || row.number(share) == 1) << share;
  }
}

TEST(Scale, AReadOfANodesMemoryByItsCpusCountsItsBytesOnce) {
  if (!runs("link")) GTEST_SKIP() << "no GPU";
  const int node = memory_nodes().front();
  const std::string number = std::to_string(node);
  const auto once = [&] {
    return taking(1, "link",
                  {"bytes=64KiB,1MiB", "memory=node " + number, "direction=read,write",
                   "by=CPUs of node " + number});
  };
  if (MemoryFromNode(node).error() != 0) {
    EXPECT_NE(refusal(ExitCode::Machine, once).find("gets no memory from it"), std::string::npos);
    return;
  }
  const Table table = once();
  ASSERT_EQ(table.rows.size(), 2U);  // of the larger size
  for (const Row& row : table.rows) EXPECT_DOUBLE_EQ(row.number("gbs"), 1e-9 * mib);
}

TEST(Scale, LinkHasNoPointThatIsNotItsMemorys) {
  for (const Row& row : probe_named("link").points(probe_named("link").axes(false))) {
    const std::string memory = row.text("memory"), direction = row.text("direction");
    const bool alone = direction == "read" || direction == "write";
    EXPECT_TRUE(memory != "device" || alone || direction == "device copy") << direction;
    EXPECT_TRUE(!memory.starts_with("node ") || alone) << direction;
    EXPECT_FALSE(row.is("by", "copy engine") && (alone || direction == "host copy")) << direction;
    EXPECT_TRUE(gpu_count() > 0 || !row.is("by", "kernel"));
  }
}

TEST(Scale, ANodeThatIsAskedForHasItsCpusWithoutMore) {
  Options options;
  options.probe = "link";
  options.axes = {"memory=node " + std::to_string(memory_nodes().front())};
  const Chosen link = chosen_probes(options).front();
  EXPECT_GE(link.probe->points(link.axes).size(), 2U);  // read and write
}

TEST(Scale, NoPointIsInHugePagesThatNoneFitsInto) {
  if (huge_page_bytes() == 0) GTEST_SKIP() << "no transparent huge pages";
  std::size_t huge = 0;
  for (const char* probe : {"link", "latency"}) {
    std::vector<Axis> axes = probe_named(probe).axes(false);
    for (Axis& axis : axes)
      if (axis.bytes) axis.values = {4. * kib, static_cast<double>(huge_page_bytes())};
    for (const Row& row : probe_named(probe).points(axes)) {
      if (!row.is("pages", "huge") && !row.text("memory").ends_with(" huge")) continue;
      ++huge;
      EXPECT_NE(std::max(row.number("bytes"), row.number("footprint")), 4. * kib) << probe;
    }
  }
  EXPECT_GT(huge, 0U);
}

TEST(Scale, AChaseOf4096MicrosecondsSays1000Nanoseconds) {
  if (!runs("latency")) GTEST_SKIP() << "no GPU";
  const Table table = taking(4096e-6, "latency",
                             {"path=cpu", "memory=system", "touched=host", "pages=default",
                              "chain=random line,one a page", "footprint=1MiB"});
  ASSERT_EQ(table.rows.size(), 2U);
  for (const Row& row : table.rows) EXPECT_EQ(row.number("ns"), 1000) << row.text("chain");
}

TEST(Scale, PagesThatTakeHalfASecondCostThatOverTheirBytes) {
  if (!runs("pages")) GTEST_SKIP() << "no GPU";
  const Table table = taking(
      0.5, "pages", {"bytes=16MiB", "memory=system", "pages=default", "act=first touch by host"});
  std::set<std::string> acts;
  for (const Row& row : table.rows)
    if (row.has("ns_per_byte")) {
      EXPECT_DOUBLE_EQ(row.number("ns_per_byte"), 0.5e9 / (16 * mib)) << row.text("act");
      acts.insert(row.text("act"));
    } else {
      for (const char* column : {"make_seconds", "allocate_seconds", "free_seconds"})
        EXPECT_EQ(row.number(column), 0.5) << column;
    }
  EXPECT_EQ(acts, (std::set<std::string>{"first touch by host", "allocate", "free"}));
}

TEST(Scale, PagesAreCountedWholeWhateverBytesAreAskedFor) {
  if (!runs("pages")) GTEST_SKIP() << "no GPU";
  const long page = sysconf(_SC_PAGESIZE);
  const Table table = taking(0.5, "pages",
                             {"bytes=" + std::to_string(page * 7 / 4), "memory=system",
                              "pages=default", "act=first touch by host"});
  EXPECT_EQ(table.rows.at(0).number("bytes"), static_cast<double>(page));
  for (const Row& row : table.rows)
    if (row.has("ns_per_byte")) {
      EXPECT_DOUBLE_EQ(row.number("ns_per_byte"), 0.5e9 / static_cast<double>(page));
    }
}

TEST(Scale, PagesOfEachActHaveItsTime) {
  if (!runs("pages")) GTEST_SKIP() << "no GPU";
  // An act is between two looks at the clock: allocation, first touch, release.
  const Table table =
      taking({0, 1, 0, 2, 0, 4}, "pages",
             {"bytes=16MiB", "memory=system", "pages=default", "act=first touch by host"});
  const std::map<std::string, double> seconds{
      {"allocate", 1}, {"first touch by host", 2}, {"free", 4}};
  for (const Row& row : table.rows)
    if (row.has("ns_per_byte")) {
      EXPECT_DOUBLE_EQ(row.number("ns_per_byte"), seconds.at(row.text("act")) * 1e9 / (16 * mib));
    } else {
      EXPECT_EQ(row.number("allocate_seconds"), 1);
      EXPECT_EQ(row.number("make_seconds"), 2);
      EXPECT_EQ(row.number("free_seconds"), 4);
    }
}

TEST(Scale, APatternsCopyOfASecondMovesTwiceItsBytes) {
  if (!runs("patterns")) GTEST_SKIP() << "no GPU";
  const Table table = taking(1, "patterns", {"bytes=1MiB", "pattern=1,8"});
  ASSERT_EQ(table.rows.size(), 2U);
  for (const Row& row : table.rows)
    for (const double sample : row.samples.at("gbs").values) EXPECT_DOUBLE_EQ(sample, 2e-9 * mib);
}

/// The rows, and those that follow from them.
struct Derived {
  Derived(const std::string& probe, std::vector<Row> given) : rows(std::move(given)) {
    probe_named(probe).derive(rows, more);
  }
  std::vector<Row> rows, more;
};

Row row_of(std::vector<std::pair<std::string, Value>> cells) { return {std::move(cells), {}}; }

TEST(Scale, PagesOfTwoSizesHaveAStartInMicrosecondsAndACostInNanosecondsAByte) {
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

TEST(Scale, EachProbeCountsItsBytes) {
  const auto counted = [](const char* probe, std::vector<std::pair<std::string, Value>> cells) {
    return probe_named(probe).counted_bytes(row_of(std::move(cells)));
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

TEST(Scale, AShiftedOrSpreadCopyMovesItsSectors) {
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

TEST(Scale, WhatFollowsFromSeveralRowsIsInTheirUnit) {
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
  const std::vector<Row> levels = Derived("l2", {stream(mib, 1), stream(2. * mib, 5000),
                                                 stream(4. * mib, 5200), stream(1e9, 3000)})
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
  const Derived hidden("issue", {issue(8, 2), issue(16, 3.9), issue(32, 4)});
  EXPECT_EQ(hidden.more.at(0).number("warps_to_hide"), 16);
  EXPECT_EQ(hidden.more.at(0).number("peak_per_clock"), 4);
}

TEST(Scale, LevelsOfAChaseAreThePlateausAndTranslationIsWhatAPageCostsMore) {
  const auto chase = [](const char* path, const char* chain, double footprint, double cycles) {
    return row_of({{"path", path},
                   {"memory", "device"},
                   {"touched", "device"},
                   {"chain", chain},
                   {"pages", "default"},
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
  EXPECT_EQ(latency.more[0].text("level"), "L2");
  const auto level = [&](double first, double cycles) {
    std::vector<Row> rows;
    for (const double times : {1., 2., 4.})
      rows.push_back(chase("global", "random line", times * first, cycles));
    return Derived("latency", rows).more.at(0).text("level");
  };
  EXPECT_EQ(level(8 * kib, 32), "L1");
  EXPECT_EQ(level(mib, 276), "plateau 1") << "no L1 was measured";
}

}  // namespace
}  // namespace memstencil::membench
