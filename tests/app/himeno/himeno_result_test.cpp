// Pins the record of a run and its text: the documented keys, the
// original's ending, the median repeat, and what several ranks wait for their messages.
#include "app/himeno/result.hpp"
#include "app/himeno/trial.hpp"

#include "tests/app/base/parsed_options.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <vector>

namespace memstencil::himeno {
namespace {

Record record_of(const Plan& plan, const std::vector<RunResult>& repeats) {
  return to_record(make_result(plan, repeats));
}

TEST(HimenoRecord, NamesWhatStreamedSweepsOfSeveralRanksCost) {
  Plan plan = small_plan();
  plan.sweep.kind = sweep_of(2);
  plan.sweep.seams = 8;
  EXPECT_FALSE(make_result(plan, {run_of(0.5)}).note) << "of one rank";
  // Of 62 planes 10 belong to this rank, which makes another one in the first of two sweeps.
  plan.subdomain = subdomain_of({64, 64, 128}, {2, 1, 1}, 0, 2, 2);
  plan.subdomain.grid.owned.hi[0] = plan.subdomain.grid.owned.lo[0] + 10;
  const auto note = make_result(plan, {run_of(0.5)}).note;
  ASSERT_TRUE(note);
  EXPECT_TRUE(contains(*note, " 5 % more points")) << *note;
}

TEST(HimenoRecord, SaysWhatPassesThroughAStagingBuffer) {
  const Plan plan = plan_of(host_options({20, 20, 20}, 3));
  const RunResult none = run_once(plan, Communicator());
  EXPECT_FALSE(none.staging) << "the host reaches all arrays";
  EXPECT_FALSE(contains(text_report(make_result(plan, {none}), true), "staging "));
  RunResult run = run_of(1);
  run.staging = {.memspace = "host-pinned", .bytes = 1e6, .copied_bytes = 15e6};
  const Result result = make_result(small_plan(), {run});
  EXPECT_TRUE(
      contains(text_report(result, true), ": 1.000 MB in host-pinned, 15.00 MB copied through it"));
  const Record record = to_record(result);
  EXPECT_EQ(record["staging"]["copied_bytes"], 15e6);
}

TEST(HimenoRecord, KeepsEveryRepeatAndStandsForTheMedianOfWholeRuns) {
  const Record r = record_of(small_plan(), {run_of(3), run_of(1), run_of(2)});
  EXPECT_EQ(r["repeats"].size(), 3U);
  EXPECT_EQ(r["total_seconds"], r["repeats"][2]["total_seconds"]);
  EXPECT_EQ(r["stands"], "total_seconds");
  EXPECT_EQ(r["repeats"][1]["sweeps"]["seconds"], (Record{1.0, 1.0, 1.0, 1.0}));
  RunResult slow_sweeps = run_of(3), slow_start = run_of(1), middle = run_of(2);
  slow_sweeps.total_seconds = 20;
  slow_start.total_seconds = 50;
  middle.total_seconds = 10;
  for (const auto& order :
       {std::vector{slow_sweeps, slow_start, middle}, std::vector{middle, slow_sweeps, slow_start}})
    EXPECT_EQ(record_of(small_plan(), order)["total_seconds"], 20);
}

TEST(HimenoRecord, SaysThatSecondsAreCapped) {
  Plan plan = small_plan();
  plan.options.repeat = 2'500'000;  // of the four sweeps of run_of()
  EXPECT_FALSE(record_of(plan, {run_of(1)}).contains("capped"));
  plan.options.seconds = 10;
  EXPECT_TRUE(record_of(plan, {run_of(1)}).contains("capped"));
  EXPECT_TRUE(contains(text_report(make_result(plan, {run_of(1)}), true), "fewer than --seconds"));
  plan.options.repeat = 2;
  EXPECT_FALSE(record_of(plan, {run_of(1)}).contains("capped"));
}

TEST(HimenoRecord, SaysThatARehearsalHasFilledThePool) {
  Plan plan = small_plan();
  plan.placement.allocation = Allocation::Pool;
  EXPECT_FALSE(record_of(plan, {run_of(1)})["memspace"].contains("warm"));
  plan.options.seconds = 1;
  const Record r = record_of(plan, {run_of(1)});
  EXPECT_EQ(r["memspace"]["warm"], "the rehearsal of --seconds has left its memory in the pool");
  EXPECT_TRUE(contains(text_report(make_result(plan, {run_of(1)}), true), "in the pool"));
  plan.placement.allocation = Allocation::Default;
  EXPECT_FALSE(record_of(plan, {run_of(1)})["memspace"].contains("warm"));
}

TEST(HimenoRecord, OfSweepAutoHasARowForEachKindOfSweep) {
  const Trial trial{.rows = {{.sweep = {}, .why_not = "", .seconds = {3e-3, 1e-3, 2e-3}},
                             {.sweep = {}, .why_not = "the halo is too narrow"}},
                    .limit = {"read stream", {10}}};
  const Result result = make_result(small_plan(), {run_of(1)}, &trial);
  const Record r = to_record(result);
  EXPECT_EQ(r["trial"][0]["sweep_seconds"]["median"], 2e-3);
  EXPECT_EQ(r["trial"][0]["count"], 3);
  EXPECT_DOUBLE_EQ(r["trial"][0]["fraction"].get<double>(), 56. * 62 * 62 * 126 / 1e10 / 2e-3);
  EXPECT_EQ(r["trial"][1]["refused"], "the halo is too narrow");
  EXPECT_TRUE(contains(text_report(result, true), "2.000 ms")) << text_report(result, true);
  EXPECT_TRUE(contains(text_report(result, true), "not tried: the halo is too narrow"));
}

/// Two ranks, four exchanges: each is waited for so long, and takes 23 us by itself.
Result result_of_two(double seconds, bool edges_first) {
  Plan plan = small_plan();
  plan.subdomain.ranks = {2, 1, 1};
  RunResult run = run_of(0.5);
  for (auto& [name, all] : run.phases)
    if (name == "halo") all = 4 * seconds;
  run.scaling = {.exchanges = 4, .exchange_seconds = 23e-6, .edges_first = edges_first};
  return make_result(plan, {run});
}

TEST(HimenoText, SaysWhatSweepsWaitedForMessagesAndWhatTheseTakeAlone) {
  const Result turns = result_of_two(14.7e-6, false);
  EXPECT_TRUE(contains(text_report(turns, true),
                       "4, each waited for 14.70 us (23.00 us by itself): sweeps and messages "
                       "take turns"))
      << text_report(turns, true);
  EXPECT_EQ(to_record(turns)["scaling"]["edges_first"], false);
  EXPECT_EQ(to_record(turns)["scaling"]["exchange_seconds"], 23e-6);
  EXPECT_TRUE(contains(text_report(result_of_two(3e-6, true), true), "run beside each other"));
}

TEST(HimenoText, EndsAsTheOriginalsDoes) {
  const std::string text = text_report(make_result(small_plan(), {run_of(0.5)}), true);
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

TEST(HimenoText, BeginsWithTheAnswer) {
  RunResult run = run_of(0.5);
  run.phases = {{"allocate", 0.25}, {"upload", 0.0}, {"sweeps", 2.0}, {"free", 0.75}};
  Result result = make_result(small_plan(), {run});
  result.exec = result.first_touch = "device";
  result.memspace.requested = result.memspace.effective = "device";
  result.machine.record["gpu"]["name"] = "NVIDIA X";
  const std::string text = text_report(result, false);
  const double gflops = 34e-9 * 61 * 61 * 125 / 0.5;
  EXPECT_TRUE(text.starts_with(fmt::format(
      "himeno S (64x64x128), 4 sweeps, device memory of NVIDIA X\n"
      "{:.3f} GFLOPS, {:.2f} of the memory's limit (read stream, 10.00 GB/s, this run); verified\n"
      "3.00 s in all: allocate 0.25, sweeps 2.00, free 0.75\n"
      "one sweep: median 500.0 ms [500.0 ms, 500.0 ms], first 500.0 ms\n",
      gflops, 56e-9 * 62 * 62 * 126 / 0.5 / 10)))
      << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9) << "no line says what is usual\n"
                                                           << text;
}

TEST(HimenoText, NamesTheMemoryThatAHostHasInPlaceOfTheRequestedOne) {
  Result result = make_result(small_plan(), {run_of(0.5)});
  result.exec = "host";
  result.execution.host_threads = 16;
  result.machine.record["cpu"]["model"] = "Xeon";
  result.memspace.requested = "managed";
  result.memspace.effective = "host";
  EXPECT_TRUE(contains(text_report(result, false),
                       "host memory (managed requested), computed by 16 threads of Xeon\n"));
  result.memspace.effective = "managed";
  EXPECT_TRUE(contains(text_report(result, false), "4 sweeps, managed memory, computed by 16"));
}

TEST(HimenoText, NamesCoefficientsAndALibraryOfMessagesThatAreNotTheUsual) {
  Result result = result_of_two(1e-5, true);
  EXPECT_FALSE(to_record(result).contains("halo_library")) << "messages go by MPI";
  result.options["coefficients"] = "standard";
  EXPECT_FALSE(contains(text_report(result, true), "coefficients"));
  result.halo = "nccl";
  result.halo_library = "NCCL 2.28.3";
  result.options["coefficients"] = "random:7";
  for (const char* part : {"halo nccl (NCCL 2.28.3)", "random:7"})
    EXPECT_TRUE(contains(text_report(result, true), part));
}

TEST(HimenoText, SaysWhatIsNotTheDefaultInThePlacement) {
  Result result = make_result(small_plan(), {run_of(0.5)});
  EXPECT_FALSE(contains(text_report(result, false), "placement"));
  result.exec = "device";
  result.first_touch = "host";
  result.options = {{"allocation", "pool"},
                    {"pages", "default"},
                    {"prefetch", true},
                    {"advise", "preferred"},
                    {"oversubscribe", false}};
  EXPECT_TRUE(contains(text_report(result, false),
                       "first touch by host, allocation pool, prefetch, advice preferred\n"));
}

TEST(HimenoText, SaysInWhichSweepTheProcessStoodStill) {
  RunResult run = run_of(0.5);
  run.pause = {.seconds = 4, .sweep = 3};
  const Result result = make_result(small_plan(), {run});
  EXPECT_TRUE(contains(text_report(result, false), "stood still for 4.0 s, in sweep 3"));
  EXPECT_EQ(to_record(result)["pause"]["sweep"], 3);
}

TEST(HimenoText, SaysWhereHugePagesAreWorthATrial) {
  RunResult run = run_of(0.5);
  run.limit.fraction = 0.8;
  Result result = make_result(small_plan(), {run});
  result.machine.record["cpu"]["last_level_cache_bytes"] = 1 << 20;
  result.machine.record["memory"]["huge_pages"]["enabled"] = "madvise";
  EXPECT_TRUE(contains(text_report(result, true), "--pages huge"));
  Result cached = result, always = result, asked = result, fast = result, disturbed = result;
  cached.machine.record["cpu"]["last_level_cache_bytes"] = 1 << 30;
  always.machine.record["memory"]["huge_pages"]["enabled"] = "always";
  asked.options["pages"] = "huge";
  fast.limit.fraction = 0.9;
  disturbed.limit.disturbed = true;
  for (const Result& each : {cached, always, asked, fast, disturbed})
    EXPECT_FALSE(contains(text_report(each, true), "--pages huge"));
}

}  // namespace
}  // namespace memstencil::himeno
