// Pins what the probes of placement say of the places of pages, and of the memory they chose.
#include "app/membench/core/report.hpp"
#include "app/membench/core/result.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/common/text_checks.hpp"
#include "tests/app/membench/fake_arrays.hpp"
#include "tests/app/membench/probe_named.hpp"

#include <gtest/gtest.h>

namespace memstencil::membench {
namespace {

using namespace migration_probe;
using namespace patterns_probe;

TEST(Patterns, ShowWherePagesWereBeforeAndAfter) {
  Operations operations;
  const ProbeResult result = measure_patterns(settings_of(64, 5, 1), MemorySpace::Managed, 1,
                                              making<MovingArrays>(operations));
  const Record& table = result.tables["residency"];
  ASSERT_EQ(table["pattern"].size(), 16U);
  EXPECT_EQ(table["after_repeats"][3], 5);
  // (2): source with the host, destination with the GPU; then both with the host.
  EXPECT_EQ(table["source_on_gpu"][2], 0.0);
  EXPECT_EQ(table["destination_on_gpu"][2], 1.0);
  EXPECT_EQ(table["destination_on_host"][3], 1.0);
}

TEST(Migration, ShowsWherePagesAreBeforeAndAfterEachRepeat) {
  Operations operations;
  const ProbeResult result = measure_migration(
      settings_of(64, 2, 1), plan_of({MemorySpace::Managed}), making<MovingArrays>(operations));
  const Record& table = result.tables["residency managed plain 64 bytes"];
  EXPECT_EQ(table["phase"], Record({1, 1, 1, 2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(table["after_repeats"], Record({0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(table["source_on_gpu"], Record({0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0}));
  EXPECT_EQ(table["destination_on_host"], Record({0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0}));
}

TEST(Residency, IsMarkedUnknownWithTheReason) {
  Operations operations;
  const ProbeResult result = measure_patterns(settings_of(64, 1, 1), MemorySpace::SystemAllocated,
                                              1, making<SilentArrays>(operations));
  EXPECT_FALSE(result.tables.contains("residency"));
  EXPECT_EQ(result.notes.back(), "residency is unknown: move_pages: Operation not permitted");
}

TEST(Patterns, SayWhyTheyAreInManagedMemory) {
  Operations operations;
  Settings settings = settings_of(64, 1, 1);
  const auto note = [&] {
    return notes_of(
        measure_patterns(settings, MemorySpace::Managed, 1, making<MovingArrays>(operations)));
  };
  EXPECT_TRUE(contains(note(), "managed memory, since this GPU does not reach"));
  settings.memspace = MemorySpace::Managed;
  EXPECT_TRUE(contains(note(), "managed memory, as chosen"));
}

TEST(SpacesToMeasure, AreAsChosenOrRefused) {
  Settings settings;
  settings.memspace = MemorySpace::SystemAllocated;
  const std::string reason = support(MemorySpace::SystemAllocated, Executor::Device).reason;
  if (reason.empty()) {
    EXPECT_EQ(spaces_to_measure(settings), std::vector{MemorySpace::SystemAllocated});
    return;
  }
  try {
    spaces_to_measure(settings);
    ADD_FAILURE() << "nothing was refused";
  } catch (const UnsupportedSpace& refused) {
    EXPECT_EQ(std::string(refused.what()), "--memspace system: " + reason);
  }
}

TEST(Residency, SaysInWhichSeriesNoPageMoved) {
  Operations operations;
  const std::string moving = notes_of(measure_patterns(
      settings_of(64, 2, 2), MemorySpace::SystemAllocated, 1, making<MovingArrays>(operations)));
  EXPECT_EQ(moving.find("no page moved"), std::string::npos) << moving;
  const std::string staying = notes_of(measure_patterns(
      settings_of(64, 2, 2), MemorySpace::SystemAllocated, 1, making<StayingArrays>(operations)));
  EXPECT_TRUE(contains(staying,
                       "no page moved to the host in (2) host to device by host, (3) device to "
                       "host by host, (4) device to device by host: it reached them"));
  EXPECT_TRUE(contains(staying,
                       "no page moved to the GPU in (5) host to host by device, (6) host to device "
                       "by device, (7) device to host by device: it reached them over the link"));
}

TEST(Residency, SaysThatNoPageMovedWhereTheGpusMemoryIsNoNode) {
  Operations operations;
  const std::string text = notes_of(measure_patterns(
      settings_of(64, 2, 1), MemorySpace::SystemAllocated, -1, making<PagesOfTheHost>(operations)));
  EXPECT_TRUE(contains(text, "(8) device to device by device: it reached them over the link"));
  EXPECT_EQ(text.find("moved to the host"), std::string::npos) << text;
}

ProbeRun run_giving(const ProbeResult& result) {
  return {.probe = &probe_named("patterns"), .skipped = {}, .seconds = 1.0, .result = result};
}

/// The line of a series in the text of a probe.
std::string line_of(const std::string& series, const ProbeResult& result) {
  const ProbeRun run = run_giving(result);
  const std::string text = text_report(make_result("patterns", {run}, {}, {}, {}));
  const std::size_t at = text.find("  pages of " + series);
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST(Residency, OfEachSeriesIsALineBeforeAndAfter) {
  Operations operations;
  const ProbeResult moved = measure_patterns(settings_of(64, 2, 2), MemorySpace::SystemAllocated, 1,
                                             making<MovingArrays>(operations));
  ASSERT_EQ(moved.residency.size(), 8U) << "a series is one line, over all experiments";
  EXPECT_TRUE(contains(line_of("(6) host to device by device, 64 B", moved),
                       ": before the repeats 50 % on the host and 50 % on the GPU, after them 100 "
                       "% on the GPU"));
  EXPECT_EQ(moved.residency[5].residency.moved, true);
  EXPECT_EQ(moved.residency[5].residency.pages, 32);
  const ProbeResult stayed = measure_patterns(settings_of(64, 2, 1), MemorySpace::SystemAllocated,
                                              -1, making<PagesOfTheHost>(operations));
  EXPECT_TRUE(ends_with(line_of("(8) device to device by device", stayed),
                        "before the repeats 100 % on the host, after them 100 % on the host; none "
                        "moved to the GPU: it reached them over the link in every repeat"));
  const ProbeResult by_fault = measure_patterns(settings_of(64, 2, 1), MemorySpace::SystemAllocated,
                                                -1, making<FaultingArrays>(operations));
  EXPECT_TRUE(ends_with(line_of("(5) host to host by device", by_fault),
                        "after them 100 % not mapped by the host (on the GPU)"));
  const ProbeResult silent = measure_patterns(settings_of(64, 2, 1), MemorySpace::SystemAllocated,
                                              1, making<SilentArrays>(operations));
  EXPECT_EQ(line_of("(1)", silent), "") << "a note says that they are unknown";
}

TEST(Residency, OfASeriesComesBackFromItsRecord) {
  Operations operations;
  const ProbeRun run = run_giving(measure_patterns(
      settings_of(64, 2, 1), MemorySpace::SystemAllocated, 1, making<MovingArrays>(operations)));
  const Record record = to_record(make_result("patterns", {run}, {}, {}, {}));
  const Record& first = record["probes"][0]["residency"][0];
  EXPECT_EQ(first["executor"], "host");
  EXPECT_EQ(first["bytes"], 64);
  EXPECT_EQ(first["before"]["on_host"], 1.0);
  EXPECT_EQ(to_record(from_record<Result>(record, "the record"))["probes"], record["probes"]);
}

TEST(Migration, HasALineForEachPhaseAndSize) {
  Operations operations;
  Settings settings = settings_of(64, 2, 1);
  settings.sizes = {64, 128};
  const ProbeResult result = measure_migration(settings, plan_of({MemorySpace::SystemAllocated}),
                                               making<MovingArrays>(operations));
  EXPECT_EQ(result.residency.size(), 3 * migration_modes.size() * 2);
  EXPECT_TRUE(contains(line_of("system plain, host, 128 B", result),
                       "before the repeats 100 % on the GPU, after them 100 % on the host"));
}

TEST(Migration, SaysInWhichPhasesNoPageMoved) {
  Operations operations;
  const MigrationPlan plan = plan_of({MemorySpace::SystemAllocated});
  const std::string staying =
      notes_of(measure_migration(settings_of(64, 2, 1), plan, making<StayingArrays>(operations)));
  EXPECT_TRUE(contains(staying,
                       "no page moved to the GPU in system plain, device 1, system plain, "
                       "device 2"));
  EXPECT_TRUE(contains(staying, "no page moved to the host in system plain, host"));
  const std::string moving =
      notes_of(measure_migration(settings_of(64, 2, 1), plan, making<MovingArrays>(operations)));
  EXPECT_EQ(moving.find("no page moved"), std::string::npos) << moving;
}

TEST(Residency, ClaimsNothingOfAGpuThatIsNoNumaNode) {
  Operations operations;
  MovingArrays arrays(operations, {MemorySpace::Managed, 64, Advice::None});
  ResidencyTable table(-1);
  table.observe(arrays, {{"repeat", 0}});
  EXPECT_TRUE(table.columns().contains("source_on_host"));
  EXPECT_FALSE(table.columns().contains("source_on_gpu"));
  EXPECT_NE(table.unknown().find("no NUMA node"), std::string::npos);
}

}  // namespace
}  // namespace memstencil::membench
