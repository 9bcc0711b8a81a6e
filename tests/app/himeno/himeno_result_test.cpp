// Pins the record of a run and its text: the documented keys, the
// original's ending, the median repeat, and the lines on what is not usual, as pages that move.
#include "app/himeno/result.hpp"

#include "tests/app/base/fake_machines.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <utility>
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
  const std::string verbose = text_report(result, true);
  for (const std::string& part :
       {fmt::format(": {:.3f} GFLOPS\n", gflops / (56. / 5 * 62 * 62 * 126 / 1e9)),
        std::string("(56 bytes a point and sweep)"),
        fmt::format("{:.3f} GFLOPS over all phases", gflops * 2 / 3)})
    EXPECT_TRUE(contains(verbose, part)) << part << verbose;
}

TEST(HimenoText, SaysWhatIsNotUsual) {
  const Result usual = make_result(small_plan(), {run_of(0.5)});
  const auto expect = [&](const char* words, const std::function<void(Result&)>& change) {
    EXPECT_FALSE(contains(text_report(usual, true), words));
    Result result = usual;
    change(result);
    EXPECT_TRUE(contains(text_report(result, true), words)) << text_report(result, true);
  };
  expect(": 1.000 MB in host-pinned, 15.00 MB copied through it", [](Result& r) {
    r.staging = StagingRecord{"host-pinned", 1e6, 15e6};
  });
  for (const auto& [edges_first, words] :
       {std::pair{false,
                  "4, each waited for 14.70 us (23.00 us by itself): sweeps and messages "
                  "take turns"},
        {true, "run beside each other"}})
    expect(words, [early = edges_first](Result& r) {
      r.scaling = Scaling{.exchanges = 4, .exchange_seconds = 23e-6, .edges_first = early};
      for (auto& [name, seconds] : r.phases)
        if (name == "halo") seconds = 4 * 14.7e-6;
    });
  expect("halo nccl (NCCL 2.28.3)", [](Result& r) {
    r.halo = "nccl";
    r.halo_library = "NCCL 2.28.3";
  });
  expect("random:7", [](Result& r) { r.options["coefficients"] = "random:7"; });
  for (const auto& [memory, words] :
       {std::pair{"host", "host memory (managed requested), computed by 16 threads of Xeon\n"},
        {"managed", "4 sweeps, managed memory, computed by 16"}})
    expect(words, [effective = memory](Result& r) {
      r.execution.host_threads = 16;
      r.machine.record["cpu"]["model"] = "Xeon";
      r.memspace.requested = "managed";
      r.memspace.effective = effective;
    });
  expect("first touch by host, allocation pool, prefetch, advice preferred\n", [](Result& r) {
    r.exec = "device";
    r.first_touch = "host";
    r.options = {{"allocation", "pool"}, {"prefetch", true}, {"advise", "preferred"}};
  });
  expect("stood still for 4.0 s, in sweep 3",
         [](Result& r) { r.pause = Pause{.seconds = 4, .sweep = 3}; });
  expect("2.000 ms", [](Result& r) {
    TriedSweep& tried = r.trial.emplace(1).front();
    tried.sweep_seconds = spread_of(std::vector{3e-3, 1e-3, 2e-3});
    tried.fraction = 0.5;
  });
  expect("not tried: the halo is too narrow",
         [](Result& r) { r.trial.emplace(1).front().refused = "the halo is too narrow"; });
}

/// The result of a run by the GPU of that machine, with memory of the space.
Result result_on(const MachineFacts& machine, const char* space, const PageMoves& pages) {
  Result result = make_result(small_plan(), {run_of(0.5)});
  result.machine = machine;
  result.exec = "device";
  result.memspace.effective = space;
  const auto node = machine.fact<int>("/gpu/numa_node");
  result.residency = residency_record(pages, node.value_or(-1), Executor::Device);
  return result;
}

using namespace fake_machines;
constexpr PageSides all_on_host{.on_host = 1000}, all_on_gpu{.on_gpu = 1000},
    all_not_mapped{.not_mapped = 1000}, three_percent_left{.on_host = 30, .on_gpu = 970};

TEST(HimenoText, SaysWherePagesWereBeforeAndAfterTheSweepsOnEachMachine) {
  struct Case {
    MachineFacts machine;
    const char* space;
    PageMoves pages;
    const char *sentence, *moved;  // JSON of the record
  };
  for (const Case& each :
       {Case{ats_with_node(),
             "system",
             {all_on_host, three_percent_left, {}},
             "before the timed part 100 % on the host, after it 3 % on the host and 97 % on the "
             "GPU\n",
             "true"},
        Case{ats_without_node(),
             "system",
             {all_on_host, all_on_host, {}},
             "after it 100 % on the host; none moved to the GPU: it reached them over the link "
             "every time",
             "false"},
        Case{hmm(),
             "system",
             {all_on_host, all_not_mapped, {}},
             "after it 100 % not mapped by the host (on the GPU)\n",
             "true"},
        Case{hmm(), "managed", {all_on_host, all_not_mapped, {}}, "(on the GPU)\n", "true"},
        Case{ats_with_node(),
             "system",
             {all_on_gpu, all_on_gpu, {}},
             "100 % on the GPU, after it 100 % on the GPU\n",
             "null"},
        Case{ats_with_node(),
             "system",
             {{}, {}, "move_pages: Operation not permitted"},
             "places unknown: move_pages: Operation not permitted",
             "null"}}) {
    const Result result = result_on(each.machine, each.space, each.pages);
    EXPECT_TRUE(contains(text_report(result, true), each.sentence));
    EXPECT_EQ(to_record(result)["residency"]["moved"].dump(), each.moved) << each.sentence;
  }
}

TEST(HimenoRun, APassOverThePagesBeforeTheSweepsIsAPhaseOfItsOwnAndChangesNothing) {
  Plan plan = small_plan();
  const RunResult without = run_once(plan, Communicator());
  plan.options.pre_touch = Executor::Device;  // as with a GPU, which no plan of a host has
  const RunResult with = run_once(plan, Communicator());
  EXPECT_EQ(with.sums, without.sums);
  EXPECT_GT(with.phases.at("pre-touch"), 0.0);
  EXPECT_GE(with.total_seconds, with.solve_seconds + with.phases.at("pre-touch"));
  EXPECT_EQ(without.phases.find("pre-touch"), nullptr);
  const Result result = make_result(plan, {with});
  const Record phases = to_record(result)["phases"],
               plain = to_record(make_result(small_plan(), {without}))["phases"];
  EXPECT_GT(phases["pre-touch"], 0.0);
  EXPECT_FALSE(plain.contains("pre-touch"));
}

TEST(HimenoRun, APassOfTheGpuIsRefusedWhereNoGpuComputes) {
  Options options = host_options({64, 64, 128}, 4);
  options.first_touch = Executor::Host;
  options.pre_touch = Executor::Device;
  EXPECT_TRUE(contains(refusal(ExitCode::Machine, [&] { plan_of(options); }),
                       "--pre-touch device: no GPU computes here"));
}

}  // namespace
}  // namespace memstencil::himeno
