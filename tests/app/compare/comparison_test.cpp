// What is set side by side: machines, cases, ratios, scaling, and the reasons.
#include "app/compare/comparison.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/explain.hpp"
#include "app/compare/facts.hpp"
#include "app/compare/size_dips.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::compare {
namespace {

const Record other = machine("n2", "GPU other", 65536);

const Table& table(const std::vector<Table>& tables, const std::string& title) {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.title == title; });
  if (found == tables.end()) throw std::runtime_error("no table " + title);
  return *found;
}

Record cell(const Table& of, std::size_t row, const std::string& column) {
  for (std::size_t c = 0; c < of.columns.size(); ++c)
    if (full_name(of.columns[c]) == column) return of.rows.at(row)[c];
  throw std::runtime_error("no column " + column);
}

MachineDescription description(const std::string& gpu, double gbs) {
  MachineDescription machine{
      .name = "described", .title = "Described", .gpu = gpu, .figures = {}, .parameters = {}};
  machine.figures["device_memory"] = {.gbs = gbs, .measured = false, .source = "sheet"};
  return machine;
}

TEST(Sides, HostsOfOneClusterAreOneMachine) {
  const Runs runs{run("a.h5", himeno(machine("n1", "G"), 1)),
                  run("b.h5", membench(machine("n7", "G"), 50))};
  const auto sides = sides_of(runs, {});
  ASSERT_EQ(sides.size(), 1u);
  EXPECT_EQ(sides[0].label, "G");
  EXPECT_EQ(machines_table(sides).rows[0][3], "n1; n7");
}

TEST(Sides, FoldersThatAreNamedAreSidesNamedAfterThem) {
  const Runs runs{run("before/1.h5", himeno(one, 1), "before"),
                  run("results/after/1.h5", himeno(one, 3), "results/after/")};
  const auto sides = sides_of(runs, {});
  ASSERT_EQ(sides.size(), 2u);
  EXPECT_EQ(sides[0].label, "before");
  EXPECT_EQ(cell(table(side_by_side(sides), "himeno: speed"), 0, "after / before"), 3.0);
}

TEST(Sides, FilesThatAreNamedAreTakenTogetherByMachineAndSite) {
  Record elsewhere = himeno(one, 3);
  elsewhere["site"] = "pegasus";
  const Runs runs{run("a.h5", himeno(one, 1)), run("b.h5", himeno(one, 2)),
                  run("c.h5", himeno(other, 2)), run("d.h5", elsewhere),
                  run("miyabi/e.h5", himeno(one, 2), "miyabi")};
  std::vector<std::string> labels;
  for (const Side& side : sides_of(runs, {})) labels.push_back(side.label);
  EXPECT_EQ(labels,
            (std::vector<std::string>{"GPU one", "GPU other", "GPU one, pegasus", "miyabi"}));
}

TEST(Sides, AreWhatTheyAreAskedToBe) {
  const Runs runs{run("x/strong.h5", himeno(one, 1), "x"), run("y/weak.h5", himeno(one, 3))};
  const auto machines = sides_of(runs, {}, By::Machine);
  ASSERT_EQ(machines.size(), 1u);
  EXPECT_EQ(machines[0].entries.front().value.maximum, 3.0);
  const auto labels = [&](By by) {
    const auto sides = sides_of(runs, {}, by);
    return std::pair(sides.at(0).label, sides.at(1).label);
  };
  EXPECT_EQ(labels(By::File), std::pair(std::string("strong"), std::string("weak")));
  EXPECT_EQ(labels(By::Folder), std::pair(std::string("x"), std::string("y")));
}

TEST(Sides, RunsOfOneCaseAreMergedWithTheirSpread) {
  const Runs runs{run("a.h5", himeno(one, 1)), run("a.h5", himeno(one, 4)),
                  run("a.h5", himeno(one, 2))};
  const auto sides = sides_of(runs, {});
  ASSERT_EQ(sides.size(), 1u);
  const Entry& speed = sides[0].entries.front();
  EXPECT_EQ(speed.value.minimum, 1);
  EXPECT_EQ(speed.value.median, 2);
  EXPECT_EQ(speed.value.maximum, 4);
}

TEST(Sides, ADescriptionNamesItsMachineAndBoundsIt) {
  const Runs runs{run("a.h5", himeno(one, 1))};
  const auto sides = sides_of(runs, {description("GPU one", 6000)});
  EXPECT_EQ(sides[0].label, "described");
  EXPECT_EQ(cell(table(side_by_side(sides), "himeno: speed"), 0, "described of theory"), 0.25);
}

TEST(Sides, ATransposeIsBoundByItsExecutorsMemoryOrByBothWaysOfTheLink) {
  MachineDescription machine = description("GPU one", 3000);
  const auto of_theory = [&](const std::string& exec, const std::string& kind) {
    const Runs runs{run("a.h5", transpose(one, exec, kind, 96))};
    const auto sides = sides_of(runs, {machine});
    return cell(table(side_by_side(sides), "transpose: bandwidth"), 0, "described of theory");
  };
  EXPECT_EQ(of_theory("device", "copy"), 0.032);
  EXPECT_THROW(of_theory("device", "link"), std::runtime_error)
      << "the ways of the link are not described";
  for (const char* figure : {"host_memory", "link_host_to_device", "link_device_to_host"})
    machine.figures[figure] = {.gbs = 64, .measured = false, .source = "sheet"};
  EXPECT_EQ(of_theory("device", "link"), 0.75);
  EXPECT_EQ(of_theory("host", "copy"), 1.5);
}

TEST(Sides, TwoDescriptionsThatFitOneMachineAreBothNamed) {
  const Runs runs{run("a.h5", himeno(one, 1))};
  MachineDescription second = description("GPU one", 5000);
  second.name = "its twin";
  try {
    sides_of(runs, {description("GPU one", 6000), second});
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Usage);
    EXPECT_TRUE(contains(failure.what(), "described and its twin both fit"));
  }
  Record named = himeno(one, 1);
  named["site"] = "its twin";  // as a job script says it
  const Runs of_a_job{run("a.h5", named)};
  EXPECT_EQ(sides_of(of_a_job, {description("GPU one", 6000), second})[0].description->gbs(
                "device_memory"),
            5000);
  EXPECT_EQ(sides_of(of_a_job, {second, description("GPU one", 6000)})[0].description->gbs(
                "device_memory"),
            5000);
}

TEST(Sides, ADescriptionOfAnotherMachineIsRefused) {
  const Runs runs{run("a.h5", himeno(one, 1))};
  try {
    sides_of(runs, {description("GPU of nobody", 6000)});
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Usage);
    EXPECT_TRUE(contains(failure.what(), "GPU of nobody"));
    EXPECT_TRUE(contains(failure.what(), "GPU one"));
  }
}

TEST(Sides, SettingsThatDifferAreListedAndOthersNot) {
  const Runs runs{run("a.h5", himeno(one, 1)), run("b.h5", himeno(other, 1))};
  const Table facts = differing_facts(sides_of(runs, {}));
  ASSERT_EQ(facts.rows.size(), 1u);
  EXPECT_EQ(facts.rows[0], (std::vector<Record>{"page size (bytes)", "4096", "65536"}));
}

TEST(Sides, VariablesOfTheEnvironmentThatDifferAreListedAndOthersNot) {
  const auto under = [](const Record& environment) {
    Record record = himeno(one, 1);
    record["provenance"] = {{"started", "2026-11-22T20:00:00Z"}, {"seconds", 1.0},
                            {"command_line", "himeno"},          {"job", nullptr},
                            {"environment", environment},        {"hosts", {"n1"}},
                            {"ranks_share_hosts", false},        {"ranks", Record::array()}};
    return record;
  };
  const Runs runs{
      run("a.h5", under({{"OMP_WAIT_POLICY", "passive"}, {"OMP_NUM_THREADS", "2"}})),
      run("b.h5",
          under({{"OMP_WAIT_POLICY", "active"}, {"OMP_NUM_THREADS", "2"}, {"UCX_TLS", "rc"}}))};
  const Table facts = differing_facts(sides_of(runs, {}, By::File));
  ASSERT_EQ(facts.rows.size(), 2u);
  EXPECT_EQ(facts.rows[0], (std::vector<Record>{"OMP_WAIT_POLICY", "passive", "active"}));
  EXPECT_EQ(facts.rows[1], (std::vector<Record>{"UCX_TLS", "not set", "rc"}));
}

TEST(Comparison, SetsOnlyCasesThatAgreeBesideEachOther) {
  Record longer = himeno(other, 5);
  longer["iterations"] = 20;
  const Runs runs{run("a.h5", himeno(one, 2)), run("b.h5", himeno(other, 3)), run("b.h5", longer)};
  const auto sides = sides_of(runs, {});
  const Table speed = table(side_by_side(sides), "himeno: speed");
  ASSERT_EQ(speed.rows.size(), 1u);
  EXPECT_EQ(cell(speed, 0, "GPU other / GPU one"), 1.5);
  EXPECT_EQ(cell(speed, 0, "GPU one of limit"), 0.5);
  const Table alone = only_one_has(sides);
  ASSERT_EQ(alone.rows.size(), 1u);
  EXPECT_TRUE(contains(alone.rows[0][1].get<std::string>(), "x 20"));
  EXPECT_EQ(alone.rows[0][2], "GPU other");
}

TEST(Comparison, WhatMustAgreeSeparatesCases) {
  const auto common = [](const std::string& path, const Record& value) {
    Record changed = himeno(other, 3);
    changed[Record::json_pointer(path)] = value;
    const Runs runs{run("a.h5", himeno(one, 2)), run("b.h5", changed)};
    return anything_in_common(sides_of(runs, {}));
  };
  EXPECT_TRUE(common("/gosa", 1.0));
  EXPECT_FALSE(common("/size", "M"));
  EXPECT_FALSE(common("/sweep", "temporal:2"));
  EXPECT_FALSE(common("/ranks", Record::array({2, 1, 1})));
  EXPECT_FALSE(common("/exec", "host"));
  EXPECT_FALSE(common("/memspace/effective", "managed"));
  EXPECT_FALSE(common("/first_touch", "device"));
  EXPECT_FALSE(common("/iterations", 11));
  EXPECT_FALSE(common("/options/coefficients", "random:1"));
  EXPECT_FALSE(common("/options/pages", "huge"));
  EXPECT_FALSE(common("/layout", "packed"));
  EXPECT_TRUE(common("/layout", "arrays")) << "the only layout of older versions";
}

/// Do results of these two have a case in common?
bool share(const Record& first, const Record& second) {
  const std::vector<Run> runs{run("a.h5", first), run("b.h5", second)};
  return anything_in_common(sides_of(runs, {}, By::File));
}

TEST(Comparison, HostThreadsSeparateCasesWhereTheHostComputes) {
  const Record two = by_host(himeno(one, 2), 2);
  EXPECT_TRUE(share(two, by_host(himeno(one, 3), 2)));
  EXPECT_FALSE(share(two, by_host(himeno(one, 1), 1)));
  EXPECT_FALSE(share(by_host(transpose(one, "host", "copy", 9), 2),
                     by_host(transpose(one, "host", "copy", 5), 1)));
  const Runs runs{run("a.h5", two), run("a.h5", by_host(himeno(one, 1), 1))};
  const Table speed = table(side_by_side(sides_of(runs, {})), "himeno: speed");
  ASSERT_EQ(speed.rows.size(), 2u);
  EXPECT_TRUE(contains(cell(speed, 0, "case").get<std::string>(), ", 2 threads"));
  EXPECT_TRUE(contains(cell(speed, 1, "case").get<std::string>(), ", 1 thread"));
}

TEST(Comparison, MachinesThatComputeWithAllCoresHaveACaseInCommon) {
  Record larger = other;
  larger["cpu"]["cores"] = 72;
  EXPECT_TRUE(share(by_host(himeno(one, 2), 8), by_host(himeno(larger, 9), 72)));
  EXPECT_FALSE(share(by_host(himeno(one, 2), 8), by_host(himeno(larger, 1), 8)));
}

TEST(Comparison, ThreadsThatShareCpusAreACaseOfTheirOwn) {
  Record bound = one;
  bound["cpu"]["allowed"] = "3";
  const Record shared = by_host(himeno(bound, 1), 8);
  EXPECT_FALSE(share(by_host(himeno(one, 2), 8), shared));
  const Runs runs{run("a.h5", shared)};
  const Table speed = table(side_by_side(sides_of(runs, {})), "himeno: speed");
  EXPECT_TRUE(contains(cell(speed, 0, "case").get<std::string>(), "8 threads on 1 CPU"));
}

TEST(Comparison, HostThreadsOfAGpusRunAreAFactAlone) {
  Record first = himeno(one, 2), second = himeno(other, 3);
  first["execution"] = {{"host_threads", 1}};
  second["execution"] = {{"host_threads", 8}};
  EXPECT_TRUE(share(first, second));
  const Runs runs{run("a.h5", first), run("b.h5", second)};
  const Table facts = differing_facts(sides_of(runs, {}));
  EXPECT_EQ(facts.rows.at(0), (std::vector<Record>{"host threads", "1", "8"}));
}

TEST(Comparison, HostThreadsSeparateWhatAProbeMeasuresByTheHost) {
  const auto probed = [](const std::string& direction, int threads) {
    Record record = membench(one, 50);
    record["execution"] = {{"host_threads", threads}};
    record["probes"][0]["measurements"][0]["parameters"]["direction"] = direction;
    return record;
  };
  EXPECT_TRUE(share(probed("HtoD", 1), probed("HtoD", 2)));
  EXPECT_TRUE(share(probed("host copy", 2), probed("host copy", 2)));
  EXPECT_FALSE(share(probed("host copy", 1), probed("host copy", 2)));
}

TEST(Comparison, TheSameHostMemoryIsOneCaseWhateverWasAskedFor) {
  const Runs runs{run("a.h5", by_host(himeno(one, 2), 2, "device")),
                  run("a.h5", by_host(himeno(one, 3), 2, "managed")),
                  run("a.h5", by_host(himeno(one, 4), 2, "device"))};
  const auto sides = sides_of(runs, {});
  const Table speed = table(side_by_side(sides), "himeno: speed");
  ASSERT_EQ(speed.rows.size(), 1u);
  EXPECT_EQ(cell(speed, 0, "case"),
            "S, single x 10, in host memory, 2 threads [asked for: device, managed]");
  EXPECT_EQ(cell(speed, 0, "GPU one"), 3.0);
  EXPECT_EQ(where_time_goes(sides).rows.size(), 1u);
}

TEST(Comparison, RunsByTimeAgreeWhateverTheirNumberOfSweeps) {
  Record first = himeno(one, 2), second = himeno(other, 3);
  for (Record* each : {&first, &second}) (*each)["options"]["seconds"] = 5.0;
  second["iterations"] = 12345;
  const Runs runs{run("a.h5", first), run("b.h5", second)};
  EXPECT_TRUE(anything_in_common(sides_of(runs, {})));
}

TEST(Comparison, MeasurementsOfAProbeAreCasesAndSkippedProbesAreNone) {
  const Runs runs{run("a.h5", membench(one, 50)), run("b.h5", membench(other, 400))};
  const auto tables = side_by_side(sides_of(runs, {}));
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(cell(tables[0], 0, "GPU other / GPU one"), 8.0);
  EXPECT_EQ(cell(tables[0], 0, "GPU one min"), 49.0);
  EXPECT_EQ(tables[0].columns[1].unit, "GB/s");
}

TEST(Explanation, RatioOfSpeedsIsThatOfLimitsTimesThatOfFractions) {
  Record faster = himeno(other, 3);
  faster["bandwidth_gbs"] = 4500.0;
  faster["limit"] = {{"kind", "copy"}, {"gbs", 6000.0}, {"fraction", 0.75}};
  const Runs runs{run("a.h5", himeno(one, 1)), run("b.h5", faster)};
  const Table why = why_they_differ(sides_of(runs, {}));
  ASSERT_EQ(why.rows.size(), 1u);
  EXPECT_EQ(cell(why, 0, "speeds"), 3.0);
  EXPECT_EQ(cell(why, 0, "limits"), 2.0);
  EXPECT_EQ(cell(why, 0, "fractions"), 1.5);
}

TEST(Explanation, WhatSweepsTakeBeyondTheirMedianStandsApart) {
  const Runs runs{run("a.h5", himeno(one, 1))};
  const Table time = where_time_goes(sides_of(runs, {}));
  EXPECT_DOUBLE_EQ(cell(time, 0, "all phases").get<double>(), 2.5);
  EXPECT_DOUBLE_EQ(cell(time, 0, "sweeps at their median").get<double>(), 0.4);
  EXPECT_NEAR(cell(time, 0, "sweeps beyond it").get<double>(), 0.1, 1e-12);
}

TEST(SizeDips, AreOfMultiplesOf512AgainstTheirNeighbours) {
  EXPECT_FALSE(dip_of({}));
  EXPECT_FALSE(dip_of({{512, 1.0}, {640, 2.0}, {768, 2.0}}));    // none before it
  EXPECT_FALSE(dip_of({{512, 1.0}, {1024, 2.0}, {1536, 2.0}}));  // neighbours are multiples, too
  const auto dip = dip_of(
      {{448, 3.0}, {512, 1.0}, {576, 1.0}, {960, 10.0}, {1024, 10.0}, {1088, 10.0}, {1536, 1.0}});
  ASSERT_TRUE(dip);
  EXPECT_EQ(dip->multiples, 2U);
  EXPECT_EQ(dip->lowest, 0.5);
  EXPECT_EQ(dip->lowest_at, 512);
  EXPECT_EQ(dip->median, 0.75);
}

TEST(SizeDips, AndEverySizeStandInTables) {
  Record swept = transpose(one, "device", "copy", 96);
  swept["sizes"] = Record::array();
  for (const auto& [size, gbs] : {std::pair{448, 20.0}, {512, 10.0}, {576, 20.0}})
    swept["sizes"].push_back(
        {{"size", size}, {"variant", "tuned"}, {"min", gbs}, {"median", gbs}, {"max", gbs}});
  swept["options"]["pitch"] = "none";
  const Runs runs{run("a.h5", swept)};
  const auto sides = sides_of(runs, {});
  const Table sizes = table(side_by_side(sides), "transpose: bandwidth over sizes");
  ASSERT_EQ(sizes.rows.size(), 3U);
  EXPECT_EQ(sizes.rows[1][0], "tuned, 512 x 512 float, pitch none, in host-pinned, filled by host");
  const Runs both{run("a.h5", swept), run("b.h5", transpose(other, "device", "copy", 96))};
  const Table dips = dips_table(sides_of(both, {}));
  ASSERT_EQ(dips.rows.size(), 1U);
  EXPECT_EQ(dips.rows[0][0], "tuned float, pitch none, in host-pinned, filled by host");
  EXPECT_EQ(dips.rows[0][1], 0.5);
  EXPECT_EQ(dips.rows[0][5], nullptr) << "the other machine has no sweep of sizes";
}

}  // namespace
}  // namespace memstencil::compare
