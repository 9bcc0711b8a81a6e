// Pins the record of membench, its CSV lines and its text.
#include "app/membench/core/result.hpp"

#include "app/common/runtime/failure.hpp"
#include "app/membench/core/options.hpp"
#include "app/membench/core/report.hpp"
#include "tests/app/common/fake_machines.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

const Probe& some_probe() {
  static const Probe probe{.name = "link",
                           .summary = "copies",
                           .source = "thesis",
                           .counted = "bytes",
                           .refused = {},
                           .run = {}};
  return probe;
}

ProbeRun run_of(const std::string& skipped) {
  ProbeRun run{.probe = &some_probe(), .skipped = skipped, .seconds = 1.5, .result = {}};
  run.result.measurements.push_back(
      {.name = "HtoD",
       .parameters = {{"direction", "HtoD"}, {"bytes", 1024}},
       .unit = "GB/s",
       .samples = {.warmup = {1.0}, .values = {10.0, 12.0, 11.0}, .stopped = "limit of 3 reached"},
       .experiments = 1});
  run.result.tables["sizes"] = {{"bytes", {1, 2}}, {"gbs", {0.5, 0.75}}};
  run.result.derived = {{"fit", {{"slope", 1.25}, {"curve", {1, 2}}}}};
  run.result.notes = {"read me"};
  return run;
}

TEST(MembenchRecord, HasRawSamplesAndTheirStatistics) {
  const Record record = to_record(make_result("link", {run_of("")}, {{"paper", false}}, {}, {}));
  EXPECT_EQ(record["program"], "membench");
  const Record& probe = record["probes"][0];
  EXPECT_EQ(probe["verified"], true);
  EXPECT_FALSE(probe.contains("skipped"));
  const Record& m = probe["measurements"][0];
  EXPECT_EQ(m["samples"], (Record{10.0, 12.0, 11.0}));
  EXPECT_EQ(m["warmup"], Record::array({1.0}));
  EXPECT_EQ(m["median"], 11.0);
  EXPECT_EQ(m["mean"], 11.0);
  // Half-width: t(2) / sqrt(3) = 4.302652729911 / 1.732050807569, with a deviation of 1.
  EXPECT_NEAR(m["ci95"][1].get<double>() - 11.0, 2.484137712, 1e-8);
  EXPECT_NEAR(m["relative_half_width"].get<double>(), 2.484137712 / 11.0, 1e-9);
  EXPECT_EQ(probe["tables"]["sizes"]["gbs"], (Record{0.5, 0.75}));
}

TEST(MembenchRecord, OfASkippedProbeHasTheReasonAndNoFigures) {
  const Result result = make_result("all", {run_of("no GPU")}, Record::object(), {}, {});
  const Record record = to_record(result);
  const Record& probe = record["probes"][0];
  EXPECT_EQ(probe["skipped"], "no GPU");
  EXPECT_EQ(probe["verified"], false);
  EXPECT_FALSE(probe.contains("measurements"));
  EXPECT_TRUE(measurement_rows(result).empty());
}

/// The notes of a probe on arrays in the space, a line each.
std::string notes_on(const MachineFacts& machine, const char* memory) {
  ProbeRun run = run_of("");
  run.result.measurements.front().parameters["memory"] = memory;
  const Result result = make_result("link", {run}, {}, machine, {});
  std::string text;
  for (const std::string& note : result.probes.front().notes) text += note + "\n";
  return text;
}

TEST(MembenchRecord, NotesWhatTheMachineDoesWithPagesThatCanMove) {
  using namespace fake_machines;
  EXPECT_EQ(notes_on(ats_without_node(), "device"), "read me\n");
  EXPECT_EQ(notes_on(ats_with_node(), "system"),
            "read me\nmemory system: ATS, GPU memory is NUMA node 1, migration by access counters "
            "on, pages of 64 KiB, transparent huge pages madvise, NUMA balancing off, "
            "init_on_alloc off\n");
  EXPECT_TRUE(contains(notes_on(ats_without_node(), "system"),
                       "memory system: ATS, GPU memory is no NUMA node (CDMM)"));
  EXPECT_TRUE(contains(notes_on(ats_without_node(), "system"),
                       "stay in the CPU's memory, also those that the GPU touches first"));
  EXPECT_TRUE(
      contains(notes_on(migration_switched_off(), "system"), "access counters move no pages here"));
  EXPECT_TRUE(contains(notes_on(hmm(), "system"), "by HMM: pages move by fault"));
  EXPECT_TRUE(contains(notes_on(out_of_reach(), "managed"),
                       "memory system: the GPU does not reach system-allocated memory"));
}

TEST(MembenchCsv, IsALineForEachMeasurement) {
  const Record rows =
      measurement_rows(make_result("all", {run_of(""), run_of("no GPU")}, {}, {}, {}));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["parameters"], "direction=HtoD;bytes=1024");
  EXPECT_EQ(rows[0]["samples"], 3);
}

TEST(MembenchText, HasMeasurementsDerivedValuesTablesNotesAndReasons) {
  const std::string text =
      text_report(make_result("all", {run_of(""), run_of("no GPU")}, {}, {}, {}));
  for (const char* piece :
       {"HtoD ", "GB/s", "fit.slope : 1.25", "table sizes: 2 rows of bytes, gbs", "note: read me",
        "skipped: no GPU", "verified; 1.500 s"})
    EXPECT_NE(text.find(piece), std::string::npos) << piece << " is not in\n" << text;
}

TEST(MembenchText, HasATableOfManyDerivedValuesWithTwoNames) {
  ProbeRun run = run_of("");
  for (int n = 1; n <= 9; ++n)
    run.result.derived["per_clock"]["add " + std::to_string(n)] = {{"one", n}, {"spread", 32.5}};
  run.result.derived["per_clock"]["add 9"].erase("one");
  const std::string text = text_report(make_result("link", {run}, {}, {}, {}));
  for (const char* line : {"\n  per_clock       one    spread\n    add 1           1      32.5\n",
                           "\n    add 9           -      32.5\n", "fit.slope : 1.25"})
    EXPECT_TRUE(contains(text, line)) << line << "\n" << text;
}

TEST(ParseBytes, TakesDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_bytes("4096"), 4096U);
  EXPECT_EQ(parse_bytes("4096B"), 4096U);
  EXPECT_EQ(parse_bytes("512MB"), 512'000'000U);
  EXPECT_EQ(parse_bytes("4GiB"), std::size_t{4} << 30);
  EXPECT_EQ(parse_bytes("1TB"), 1'000'000'000'000U);
}

TEST(ParseBytes, RefusesWhatIsNoSizeAndSaysWhatIs) {
  for (const char* text : {"", "0", "4095", "4G", "GB", "-4096", "+4096", "1.5GB", "4 GB", "0x1000",
                           "4gb", "9999999TiB", "99999999999999999999"}) {
    try {
      parse_bytes(text);
      ADD_FAILURE() << "taken: " << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("GiB"), std::string::npos) << error.what();
    }
  }
}

Options asking_for(const std::string& probe) {
  Options options;
  options.probe = probe;
  return options;
}

TEST(Probes, HaveDistinctNamesAndSayWhatTheyCount) {
  std::vector<std::string> names;
  for (const Probe& probe : probes()) {
    EXPECT_EQ(std::count(names.begin(), names.end(), probe.name), 0) << probe.name;
    names.push_back(probe.name);
    EXPECT_FALSE(probe.summary.empty() || probe.source.empty() || probe.counted.empty())
        << probe.name;
    EXPECT_TRUE(probe.run && probe.refused)
        << probe.name << " does not run, or does not say where it cannot";
  }
  EXPECT_EQ(chosen_probes(asking_for("all")).size(), names.size());
  EXPECT_EQ(chosen_probes(asking_for("pages")).front()->name, "pages");
}

TEST(Probes, ThatHaveNoArrayRefuseASizeForThemAloneAndRunAmongAll) {
  const auto sized = [](const std::string& probe) {
    Options options = asking_for(probe);
    options.settings.bytes = 4096;
    return options;
  };
  for (const Probe& probe : probes()) {
    if (probe.takes(size_option))
      EXPECT_EQ(chosen_probes(sized(probe.name)).front()->name, probe.name);
    else
      EXPECT_EQ(refusal(ExitCode::Usage, [&] { chosen_probes(sized(probe.name)); }),
                "--size: probe " + probe.name +
                    " does not take it; those that do are link, exchange, overlap, patterns, "
                    "migration, pages, copy, latency, l2");
  }
  EXPECT_EQ(chosen_probes(sized("all")).size(), probes().size());
}

}  // namespace
}  // namespace memstencil::membench
