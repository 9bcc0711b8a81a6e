// Pins the scale of the probes' figures: what a host measures by a clock that is given, so that a
// factor of 1.3 is noticed.
#include "app/base/machine/machine_facts.hpp"
#include "app/membench/core/memory.hpp"
#include "app/membench/core/program.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/numa.hpp"
#include "tests/app/base/given_clock.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace memstencil::membench {
namespace {

const Probe& probe_named(const std::string& name) {
  return *std::ranges::find(probes(), name, &Probe::name);
}

/// The probe's table with these values on its axes, two samples a point, where acts take these
/// seconds in turn.
Table taking(const std::vector<double>& steps, const std::string& probe,
             const std::vector<std::string>& axes) {
  Options options;
  options.probe = probe;
  options.axes = axes;
  const Chosen chosen = chosen_probes(options).front();
  const GivenClock clock(steps);
  return measure(*chosen.probe, chosen.axes, {.repeats = 2, .experiments = 2});
}

/// Where no probe runs: built for CUDA, and there is no GPU.
bool runs(const std::string& probe) { return why_not(probe_named(probe), nullptr).empty(); }

TEST(Scale, ACopyOfASecondMovesTwiceItsBytesAndAReadOrAWriteOnce) {
  struct Case {
    const char* probe;
    std::vector<std::string> axes;
    double times;
  };
  for (const auto& [probe, axes, times] :
       {Case{"link", {"memory=pageable", "direction=host copy", "by=vectorised,loop"}, 2},
        Case{"link", {"memory=pageable", "direction=read,write", "by=vectorised"}, 1},
        Case{"patterns", {"pattern=1,8"}, 2}}) {
    if (!runs(probe)) continue;
    std::vector<std::string> all = axes;
    all.push_back("bytes=1MiB");
    const Table table = taking({1}, probe, all);
    ASSERT_EQ(table.rows.size(), 2U);
    for (const Row& row : table.rows) {
      for (const double sample : row.samples.at("gbs").values)
        EXPECT_DOUBLE_EQ(sample, times * 1e-9 * mib) << probe;
      for (const char* share : {"in_place_before", "in_place_after"})
        EXPECT_TRUE(!row.has(share) || row.number(share) == 1) << share;
      if (probe != std::string("link")) continue;
      EXPECT_DOUBLE_EQ(row.number("gbs"), times * 1e-9 * mib);
      EXPECT_EQ(row.number("seconds"), 1);
      EXPECT_EQ(row.number("counted_bytes"), times * mib);
    }
  }
}

TEST(Scale, AReadOfANodesMemoryByItsCpusCountsItsBytesOnce) {
  if (!runs("link")) GTEST_SKIP() << "no GPU";
  const int node = memory_nodes().front();
  const std::string number = std::to_string(node);
  const auto once = [&] {
    return taking({1}, "link",
                  {"bytes=64KiB,1MiB", "memory=node " + number, "direction=read,write",
                   "by=CPUs of node " + number});
  };
  if (MemoryFromNode(node).error() != 0) {
    EXPECT_TRUE(contains(refusal(ExitCode::Machine, once), "gets no memory from it"));
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
  if (!why_not_pages({MemorySpace::SystemAllocated, Allocation::Default, Pages::Huge}).empty())
    GTEST_SKIP() << "no transparent huge pages";
  for (const auto& [probe, axes] : std::map<std::string, std::vector<std::string>>{
           {"link", {"bytes=1MiB", "memory=pageable huge", "by=vectorised"}},
           {"pages", {"bytes=1MiB", "memory=system", "pages=huge", "act=first touch by host"}}})
    EXPECT_TRUE(contains(refusal(ExitCode::Machine, [&] { taking({1}, probe, axes); }),
                         "huge pages: one has"));
}

TEST(Scale, AChaseOf4096MicrosecondsSays1000Nanoseconds) {
  if (!runs("latency")) GTEST_SKIP() << "no GPU";
  const Table table = taking({4096e-6}, "latency",
                             {"path=cpu", "memory=system", "touched=host",
                              "chain=random line,one a page", "footprint=1MiB"});
  ASSERT_EQ(table.rows.size(), 2U);
  for (const Row& row : table.rows) EXPECT_EQ(row.number("ns"), 1000) << row.text("chain");
}

TEST(Scale, AFirstTouchFaultsOnceForEachPage) {
  if (!runs("pages")) GTEST_SKIP() << "no GPU";
  const auto huge = first_line("/sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  if (huge.find("[always]") != std::string::npos) GTEST_SKIP() << "huge pages everywhere";
  const auto faults = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_minflt);
  };
  const double before = faults(), pages = 16. * mib / static_cast<double>(sysconf(_SC_PAGESIZE));
  const Table table = taking(
      {1}, "pages", {"bytes=16MiB", "memory=system", "pages=default", "act=first touch by host"});
  const double lives = 2 * (1 + 2);  // two experiments of a warm-up and two samples
  EXPECT_NEAR((faults() - before) / (lives * pages), 1, 0.2);
}

TEST(Scale, PagesAreCountedWholeAndEachActHasItsTime) {
  if (!runs("pages")) GTEST_SKIP() << "no GPU";
  const long page = sysconf(_SC_PAGESIZE);
  // An act is between two looks at the clock: allocation, first touch, release.
  const Table table = taking({0, 1, 0, 2, 0, 4}, "pages",
                             {"bytes=" + std::to_string(page * 7 / 4), "memory=system",
                              "pages=default", "act=first touch by host"});
  std::map<std::string, double> costs;
  for (const Row& row : table.rows)
    if (row.has("ns_per_byte"))
      costs[row.text("act")] = row.number("ns_per_byte") * 1e-9 * static_cast<double>(page);
  ASSERT_EQ(costs.size(), 3U);
  for (const auto& [act, column, seconds] : {std::tuple("allocate", "allocate_seconds", 1.),
                                             {"first touch by host", "make_seconds", 2.},
                                             {"free", "free_seconds", 4.}}) {
    EXPECT_DOUBLE_EQ(costs[act], seconds) << act;
    EXPECT_EQ(table.rows.at(0).number(column), seconds) << act;
  }
  EXPECT_EQ(table.rows.at(0).number("bytes"), static_cast<double>(page));
}

TEST(Scale, AProbesSecondsAreThoseThatItTakesAndItsRecordHasTheNotesOfItsChoice) {
  Probe probe = probe_named("pages");
  probe.derive = nullptr;
  probe.start = []() -> Point { return [](State&) { GivenClock::pass(2); }; };
  const GivenClock clock(0.25);
  const ProbeRecord record =
      run_probe({&probe, {names("memory", {"system"})}, {"kept"}}, {.experiments = 1}, {});
  EXPECT_EQ(record.rows.size(), 1U);
  EXPECT_GE(record.seconds, 2);
  EXPECT_LT(record.seconds, 2.6);
  EXPECT_EQ(std::ranges::count(record.notes, "kept"), 1);
}

}  // namespace
}  // namespace memstencil::membench
