// Pins the lines on memory that moves: the places of pages on each kind of machine, the pass over
// them before the sweeps.
#include "app/bench/memory_record.hpp"
#include "app/himeno/result.hpp"
#include "tests/app/base/fake_machines.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

namespace memstencil::himeno {
namespace {

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
