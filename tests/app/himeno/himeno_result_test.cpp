// Pins the record of a run and its text: the documented keys, the
// original's ending, the median repeat.
#include "app/himeno/result.hpp"

#include "memory_spaces/capabilities.hpp"
#include "tests/app/common/fake_machines.hpp"
#include "tests/app/common/parsed_options.hpp"
#include "tests/app/common/refusal.hpp"
#include "tests/app/common/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <vector>

namespace memstencil::himeno {
namespace {

/// Four sweeps over S of so many seconds each.
RunResult run_of(double seconds) {
  RunResult r{.phases = Phases({"allocate", "initialise", "upload", "sweeps", "halo", "reduce",
                                "download", "free"}),
              .solve_seconds = 4 * seconds,
              .total_seconds = 1.0 + 4 * seconds,
              .sweep_seconds = {seconds, seconds, seconds, seconds},
              .gosa = {4e-3, 3e-3, 2e-3, 1e-3},
              .rehearsal = 0,
              .sweep_kernel = "rows",
              .limit = {"read stream", {9e9, 1e10}, 1e10},
              .p = {}};
  r.phases.add("sweeps", 4 * seconds);
  r.phases.add("initialise", 1.0);
  return r;
}

Plan small_plan(bool history = false) {
  Options options = host_options({64, 64, 128}, 4);
  options.gosa_history = history;
  return plan_of(options);
}

const Record standard{{"coefficients", "standard"}};

Record record_of(const Plan& plan, const std::vector<RunResult>& repeats) {
  return to_record(make_result(plan, repeats));
}

TEST(Representative, IsTheMedianRepeat) {
  const std::vector<RunResult> three{run_of(3), run_of(1), run_of(2)};
  EXPECT_EQ(&representative(three), &three[2]);
  const std::vector<RunResult> one{run_of(5)};
  EXPECT_EQ(&representative(one), &one[0]);
  // Of two in the middle that of the lower mflops.
  const std::vector<RunResult> four{run_of(4), run_of(1), run_of(3), run_of(2)};
  EXPECT_EQ(&representative(four), &four[2]);
}

TEST(HimenoRecord, HasTheDocumentedKeys) {
  const Record r = record_of(small_plan(), {run_of(0.5)});
  for (const char* key :
       {"schema",        "size",          "extents",           "iterations",    "ranks",
        "exec",          "memspace",      "first_touch",       "sweep",         "fma",
        "gosa",          "mflops",        "mflops_end_to_end", "bandwidth_gbs", "limit",
        "phases",        "sweep_seconds", "machine",           "verified",      "options",
        "solve_seconds", "total_seconds"})
    EXPECT_TRUE(r.contains(key)) << key;
  EXPECT_FALSE(r.contains("gosa_history"));
  EXPECT_FALSE(r.contains("repeats"));
  for (const char* key : {"requested", "effective"})
    EXPECT_TRUE(r["memspace"].contains(key)) << key;
  for (const char* key : {"kind", "gbs", "mflops", "fraction"})
    EXPECT_TRUE(r["limit"].contains(key)) << key;
  for (const char* key :
       {"allocate", "initialise", "upload", "sweeps", "halo", "reduce", "download", "free"})
    EXPECT_TRUE(r["phases"].contains(key)) << key;
  for (const char* key : {"min", "median", "max"})
    EXPECT_TRUE(r["sweep_seconds"].contains(key)) << key;
  EXPECT_EQ(r["memspace"]["requested"], "system");
  EXPECT_EQ(r["exec"], "host");
  EXPECT_EQ(r["verified"], true);
  EXPECT_EQ(r["extents"], (Record{64, 64, 128}));
  EXPECT_EQ(r["ranks"], (Record{1, 1, 1}));
  EXPECT_EQ(r["iterations"], 4);
}

TEST(HimenoRecord, CountsAsTheOriginalDoes) {
  const Record r = record_of(small_plan(), {run_of(0.5)});
  const double flops = 34.0 * 61 * 61 * 125;
  EXPECT_NEAR(r["mflops"].get<double>(), flops / 0.5 * 1e-6, 1e-6);
  EXPECT_NEAR(r["mflops_end_to_end"].get<double>(), flops * 4 / 3.0 * 1e-6, 1e-6);
  const double bytes = 56.0 * 62 * 62 * 126;
  EXPECT_NEAR(r["bandwidth_gbs"].get<double>(), bytes / 0.5 * 1e-9, 1e-9);
  EXPECT_NEAR(r["limit"]["gbs"].get<double>(), 10.0, 1e-9);
  EXPECT_NEAR(r["limit"]["fraction"].get<double>(), bytes / 0.5 / 1e10, 1e-9);
  EXPECT_NEAR(r["limit"]["mflops"].get<double>(), flops / (bytes / 1e10) * 1e-6, 1e-3);
  EXPECT_EQ(r["gosa"], 1e-3);
  EXPECT_EQ(r["solve_seconds"], 2.0);
  EXPECT_EQ(r["total_seconds"], 3.0);
}

TEST(HimenoRecord, CountsTheTimeOfTheWholeSpanWhateverTheRanksPhasesAddUpTo) {
  RunResult run = run_of(0.5);
  run.phases.add("halo", 1.0);  // that this rank waited
  const Record r = record_of(small_plan(), {run});
  const double flops = 34.0 * 61 * 61 * 125;
  EXPECT_NEAR(r["mflops"].get<double>(), flops / 0.5 * 1e-6, 1e-6);
  EXPECT_NEAR(r["mflops_end_to_end"].get<double>(), flops * 4 / 3.0 * 1e-6, 1e-6);
  EXPECT_TRUE(contains(text_report(make_result(small_plan(), {run})), "cpu : 2.000000"));
}

TEST(HimenoRecord, HasEverySweepsGosaOnRequest) {
  EXPECT_EQ(record_of(small_plan(true), {run_of(1)})["gosa_history"],
            (Record{4e-3, 3e-3, 2e-3, 1e-3}));
}

TEST(HimenoRecord, KeepsEveryRepeatAndStandsForTheMedian) {
  const Record r = record_of(small_plan(), {run_of(3), run_of(1), run_of(2)});
  EXPECT_EQ(r["repeats"].size(), 3U);
  EXPECT_EQ(r["mflops"], r["repeats"][2]["mflops"]);
  EXPECT_EQ(r["mflops_spread"]["median"], r["mflops"]);
  EXPECT_EQ(r["repeats"][1]["sweeps"]["seconds"], (Record{1.0, 1.0, 1.0, 1.0}));
}

TEST(HimenoRecord, IsReadBackAsItWasWritten) {
  Result result = make_result(small_plan(true), {run_of(3), run_of(1)});
  result.options = standard;
  const Record r = to_record(result);
  EXPECT_EQ(to_record(from_record<Result>(r, "the record")), r);
}

TEST(HimenoRecord, HasTheOptionsThatTheResultKnowsApart) {
  const auto parsed =
      parse_options<Options>({"--size", "64x64x128", "--memspace", "system", "--exec", "host",
                              "--coefficients", "random:7", "--seconds", "2"});
  Result result = make_result(plan_of(parsed.options), {run_of(1)});
  result.options = parsed.record;
  const OptionsOfCase known = result.options_of_case;
  const OptionsOfCase read = from_record<Result>(to_record(result), "the record").options_of_case;
  EXPECT_EQ(known.coefficients, "random:7");
  EXPECT_EQ(known.coefficients, read.coefficients);
  EXPECT_EQ(known.seconds, read.seconds);
  EXPECT_EQ(known.memory.prefetch, read.memory.prefetch);
  EXPECT_EQ(known.memory.advise, read.memory.advise);
  EXPECT_EQ(known.memory.pages, read.memory.pages);
}

TEST(HimenoRecord, NamesBothGroupsOfArraysThatLieApart) {
  Plan plan = small_plan();
  plan.placement_of_p.space = MemorySpace::HostPinned;
  const Record memspace = record_of(plan, {run_of(1)})["memspace"];
  EXPECT_EQ(memspace["requested"], "p=host-pinned,coefficients=system");
  EXPECT_TRUE(memspace["place"].contains("p"));
  EXPECT_TRUE(memspace["place"].contains("coefficients"));
}

TEST(HimenoRecord, OfTuneHasARowForEachKindOfSweep) {
  const Trial trial{.rows = {{.sweep = {}, .refused = "", .seconds = {3e-3, 1e-3, 2e-3}},
                             {.sweep = {}, .refused = "the halo is too narrow"},
                             {.sweep = {}, .refused = "gosa is wrong", .failed = true}},
                    .limit = {"read stream", {1e10}, 1e10}};
  TuneResult result = make_tune_result(small_plan(), trial);
  result.options = standard;
  const Record r = to_record(result);
  EXPECT_EQ(r["tune"][0]["sweep_seconds"]["median"], 2e-3);
  EXPECT_EQ(r["tune"][0]["count"], 3);
  EXPECT_EQ(r["tune"][1]["refused"], "the halo is too narrow");
  EXPECT_EQ(r["tune"][2]["failed"], "gosa is wrong");
  EXPECT_EQ(r["verified"], false);
  EXPECT_EQ(to_record(from_record<TuneResult>(r, "the record")), r);
  EXPECT_TRUE(contains(text_report(result), "FAILED: gosa is wrong"));
  EXPECT_TRUE(contains(text_report(result), "not tried: the halo is too narrow"));
}

/// The result of a run by the GPU of that machine, with memory of the space.
Result result_on(const MachineFacts& machine, const char* space, const PageMoves& pages) {
  Result result = make_result(small_plan(), {run_of(0.5)});
  result.options = standard;
  result.machine = machine;
  result.exec = "device";
  result.memspace.effective = space;
  const auto node = machine.gpu->numa_node;
  if (pages.asked())
    result.residency =
        residency_record(pages, static_cast<int>(node.value_or(-1)), Executor::Device);
  return result;
}

using namespace fake_machines;
constexpr PagePlaces all_on_host{.on_host = 1000}, all_on_gpu{.on_gpu = 1000},
    all_not_mapped{.not_mapped = 1000}, three_percent_left{.on_host = 30, .on_gpu = 970};

TEST(HimenoText, SaysWherePagesWereBeforeAndAfterTheSweepsUnderAts) {
  const Result result = result_on(ats_with_node(), "system", {all_on_host, three_percent_left, {}});
  const std::string text = text_report(result);
  EXPECT_TRUE(contains(text, "memory system"));
  EXPECT_TRUE(contains(text, "ATS, GPU memory is NUMA node 1, migration by access counters on"));
  EXPECT_TRUE(contains(text,
                       "before the sweeps 100 % on the host, after them 3 % on the host and 97 % "
                       "on the GPU\n"));
  EXPECT_FALSE(contains(text, "note "));
  const Record residency = to_record(result)["residency"];
  EXPECT_EQ(residency["moved"], true);
  EXPECT_EQ(residency["before"]["on_gpu"], 0.0);
  EXPECT_EQ(residency["after"]["on_gpu"], 0.97);
  EXPECT_EQ(residency["pages"], 1000);
}

TEST(HimenoText, SaysThatSystemMemoryStayedWithTheCpuInCdmmMode) {
  const Result result = result_on(ats_without_node(), "system", {all_on_host, all_on_host, {}});
  const std::string text = text_report(result);
  EXPECT_TRUE(contains(text, "the GPU's memory is no NUMA node"));
  EXPECT_TRUE(contains(text,
                       "before the sweeps 100 % on the host, after them 100 % on the host; none "
                       "moved to the GPU: it reached them over the link in every sweep"));
  const Record residency = to_record(result)["residency"];
  EXPECT_EQ(residency["moved"], false);
  EXPECT_TRUE(residency["before"]["on_gpu"].is_null());
}

TEST(HimenoText, SaysThatNoPageMovedWhereTheSiteHasSwitchedMigrationOff) {
  const std::string text =
      text_report(result_on(migration_switched_off(), "system", {all_on_host, all_on_host, {}}));
  EXPECT_TRUE(contains(text, "access counters move no pages here"));
  EXPECT_TRUE(contains(text, "none moved to the GPU"));
}

TEST(HimenoText, SaysThatPagesMovedByFaultUnderHmmAndInManagedMemory) {
  for (const char* space : {"system", "managed"}) {
    const Result result = result_on(hmm(), space, {all_on_host, all_not_mapped, {}});
    EXPECT_TRUE(
        contains(text_report(result), "after them 100 % not mapped by the host (on the GPU)\n"));
    EXPECT_EQ(to_record(result)["residency"]["moved"], true);
  }
}

TEST(HimenoText, SaysNothingOfMovesWherePagesWereAtHomeAtFirst) {
  const Result result = result_on(ats_with_node(), "system", {all_on_gpu, all_on_gpu, {}});
  EXPECT_TRUE(contains(text_report(result),
                       "before the sweeps 100 % on the GPU, after them 100 % on the GPU\n"));
  EXPECT_TRUE(to_record(result)["residency"]["moved"].is_null());
}

TEST(HimenoText, SaysWhyThePlacesOfPagesAreUnknown) {
  const Result result =
      result_on(ats_with_node(), "system", {{}, {}, "move_pages: Operation not permitted"});
  EXPECT_TRUE(contains(text_report(result), "places unknown: move_pages: Operation not permitted"));
  const Record record = to_record(result);
  EXPECT_EQ(record["residency"]["unknown"], "move_pages: Operation not permitted");
  EXPECT_EQ(to_record(from_record<Result>(record, "the record"))["residency"], record["residency"]);
}

TEST(HimenoRun, APassOverThePagesBeforeTheSweepsIsAPhaseOfItsOwnAndChangesNothing) {
  Plan plan = small_plan();
  const RunResult without = run_once(plan, Communicator());
  plan.options.pre_touch = true;  // as on a machine with a GPU, which no plan of a host has
  const RunResult with = run_once(plan, Communicator());
  EXPECT_EQ(with.gosa, without.gosa);
  EXPECT_GT(with.phases.seconds("pre-touch"), 0.0);
  EXPECT_GE(with.total_seconds, with.solve_seconds + with.phases.seconds("pre-touch"));
  EXPECT_EQ(without.phases.by_name().find("pre-touch"), nullptr);
  Result result = make_result(plan, {with});
  const Record row = csv_rows(result)[0], plain = csv_rows(make_result(small_plan(), {without}))[0];
  EXPECT_GT(row["phase_pre_touch"], 0.0);
  EXPECT_TRUE(plain["phase_pre_touch"].is_null());
  for (const auto& [column, value] : row.items()) EXPECT_TRUE(plain.contains(column)) << column;
  EXPECT_TRUE(contains(text_report(result), "then read once by the GPU"));
  result.options = {{"coefficients", "standard"}, {"pre-touch", "device"}};
  EXPECT_EQ(from_record<Result>(to_record(result), "the record").options_of_case.pre_touch,
            "device");
}

TEST(HimenoRun, APassOfTheGpuIsRefusedWhereNoGpuComputes) {
  Options options = host_options({64, 64, 128}, 4);
  options.first_touch = Executor::Host;
  options.pre_touch = true;
  EXPECT_TRUE(contains(refusal(ExitCode::Machine, [&] { plan_of(options); }),
                       "--pre-touch device: no GPU computes here"));
}

TEST(HimenoRecord, OfARehearsalSaysSo) {
  MachineFacts machine = out_of_reach();
  Result result = result_on(machine, "system", {all_on_host, all_on_host, {}});
  EXPECT_FALSE(to_record(result).contains("rehearsed"));
  result.machine.rehearsed = true;
  const Record record = to_record(result);
  EXPECT_EQ(record["rehearsed"], true);
  EXPECT_EQ(csv_rows(result)[0]["rehearsed"], true);
  EXPECT_EQ(from_record<Result>(record, "the record").machine.rehearsed, true);
  EXPECT_TRUE(starts_with(text_report(result), "REHEARSAL"));
  const Trial trial{.rows = {{.sweep = {}, .refused = "", .seconds = {1e-3}}},
                    .limit = {"copy", {1e10}, 1e10}};
  TuneResult tune = make_tune_result(small_plan(), trial);
  tune.machine.rehearsed = true;
  EXPECT_EQ(to_record(tune)["rehearsed"], true);
  EXPECT_TRUE(starts_with(text_report(tune), "REHEARSAL"));
}

TEST(HimenoText, SaysNothingOfPagesOnAHostAlone) {
  const Result result = make_result(small_plan(), {run_once(small_plan(), Communicator())});
  if (built_for_gpu()) GTEST_SKIP() << "this build has a GPU backend";
  EXPECT_FALSE(result.residency);
  EXPECT_FALSE(contains(text_report(result), "memory system"));
}

TEST(HimenoText, EndsAsTheOriginalsDoes) {
  const std::string text = text_report(make_result(small_plan(), {run_of(0.5)}));
  const std::regex ending(
      " Loop executed for 4 times\n Gosa : 1\\.000000e-03 \n MFLOPS measured : ([0-9.]+)\tcpu : "
      "2\\.000000\n"
      " Score based on Pentium III 600MHz : ([0-9.]+)\n$");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, ending)) << text;
  const double rate = std::stod(found[1]);
  EXPECT_NEAR(rate, 34.0 * 61 * 61 * 125 / 0.5 * 1e-6, 1e-5);
  EXPECT_NEAR(std::stod(found[2]), rate / 82.84, 1e-5);
}

TEST(HimenoText, NamesCoefficientsThatAreNotTheOriginals) {
  const Plan random = plan_of(host_options({64, 64, 128}, 4, 7));
  EXPECT_TRUE(contains(text_report(make_result(random, {run_of(0.5)})), "random:7"));
  EXPECT_FALSE(contains(text_report(make_result(small_plan(), {run_of(0.5)})), "coefficients"));
}

TEST(HimenoText, ReportsTheMemory) {
  const std::string text = text_report(make_result(small_plan(), {run_of(0.5)}));
  for (const char* part : {"size", "memory", "first touch by", "initialise", "one sweep",
                           "bandwidth", "fraction of limit", "verified"})
    EXPECT_TRUE(contains(text, part));
}

}  // namespace
}  // namespace memstencil::himeno
