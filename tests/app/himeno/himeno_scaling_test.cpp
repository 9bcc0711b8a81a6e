// Pins what a run on several ranks tells of its messages, and its speed beside one rank's.
#include "app/himeno/result.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace memstencil::himeno {
namespace {

/// Two ranks, four exchanges: each is waited for so long, and takes 23 us by itself.
Result result_of_two(double seconds, bool edges_first) {
  Plan plan = small_plan();
  plan.part.ranks = {2, 1, 1};
  RunResult run = run_of(0.5);
  run.exchanges = 4;
  run.exchange_seconds = 23e-6;
  run.edges_first = edges_first;
  run.phases.add("halo", 4 * seconds);
  return make_result(plan, {run});
}

TEST(HimenoScaling, SaysThatNothingIsHiddenWhereSweepsAndMessagesTakeTurns) {
  // Alone an exchange has the host's start and wait, which a queue that is full does not see.
  const Result turns = result_of_two(14.7e-6, false);
  EXPECT_EQ(turns.scaling->hidden_seconds, 0.0);
  EXPECT_TRUE(contains(text_report(turns),
                       "4, each 14.70 us that is not hidden (23.00 us by itself): transfer 58.80 "
                       "us, waiting 0 s; nothing hidden, sweeps and messages take turns"))
      << text_report(turns);
  EXPECT_EQ(to_record(turns)["scaling"]["edges_first"], false);
  EXPECT_FALSE(to_record(turns)["scaling"].contains("edges_share"));
}

TEST(HimenoScaling, ClaimsAtMostWhatAnExchangeAloneTakesAsHidden) {
  const Result beside = result_of_two(3e-6, true);
  EXPECT_NEAR(beside.scaling->hidden_seconds, 80e-6, 1e-9);
  EXPECT_TRUE(contains(text_report(beside), "hidden at most 80.00 us")) << text_report(beside);
  const Result waiting = result_of_two(1e-3, true);
  EXPECT_EQ(waiting.scaling->hidden_seconds, 0.0);
  EXPECT_NEAR(waiting.scaling->waiting_seconds, 4e-3 - 92e-6, 1e-9);
}

/// Three fused sweeps of L by two GPUs.
Plan plan_of_two_gpus(MemorySpace space) {
  Plan plan = small_plan();
  plan.options.extents = {256, 256, 512};
  plan.part.ranks = {2, 1, 1};
  for (Placement* each : {&plan.placement, &plan.placement_of_p}) {
    each->executor = Executor::Device;
    each->space = space;
  }
  plan.sweep.sweeps = 3;
  return plan;
}

TEST(HimenoScaling, SaysWhetherNcclRegisteredTheBuffers) {
  Result result = result_of_two(1e-5, true);
  EXPECT_FALSE(to_record(result).contains("halo_registered")) << "messages go by MPI";
  result.halo = "nccl";
  result.halo_library = "NCCL 2.28.3";
  EXPECT_TRUE(contains(text_report(result), "halo nccl (NCCL 2.28.3)\n")) << "an older result";
  result.halo_registered = false;
  EXPECT_TRUE(contains(text_report(result), "halo nccl (NCCL 2.28.3, buffers not registered)"));
  EXPECT_EQ(to_record(result)["halo_registered"], false);
}

TEST(HimenoScaling, NamesInItsAdviceWhatTakesTheTime) {
  // Sweeps of 2 s altogether, where one rank would take a millisecond.
  EXPECT_TRUE(result_of_two(1e-5, false).scaling->advice->ends_with("take a larger grid"));
  EXPECT_TRUE(result_of_two(0.1, false)
                  .scaling->advice->ends_with(
                      "or take a larger grid; 20 % of the time is waiting for another rank"));
  Plan plan = plan_of_two_gpus(MemorySpace::Device);
  RunResult run = run_of(0.5);
  run.exchanges = 4;
  run.exchange_seconds = 0.2;
  run.phases.add("halo", 0.6);
  EXPECT_TRUE(scaling_of(plan, run).advice->ends_with(
      "; 30 % of the time is messages, by path staged through the host's memory"));
  plan.halo = MessagePath::Nccl;
  EXPECT_TRUE(
      scaling_of(plan, run).advice->ends_with("; 30 % of the time is messages, by path nccl"));
}

double one_rank_seconds(const Plan& plan) {
  RunResult run = run_of(1e-3);
  run.processors = 2;
  run.limit = {"copy", {1e12}, 1e12};
  return scaling_of(plan, run).one_rank_seconds;
}

TEST(HimenoScaling, CountsThePackedLayoutOfOneRankToo) {
  Plan plan = plan_of_two_gpus(MemorySpace::Device);
  const double arrays = one_rank_seconds(plan);
  plan.layout = jacobi::Layout::Packed;
  EXPECT_NEAR(arrays / one_rank_seconds(plan), 1.09, 1e-9);
}

TEST(HimenoScaling, LetsOneRankStreamAsManyPlanesAsItsWindowHolds) {
  Plan plan = plan_of_two_gpus(MemorySpace::HostPinned);
  EXPECT_EQ(case_of_one_rank(plan).slab_planes, 0);
  plan.window_bytes = std::size_t{1} << 30;
  const std::int64_t alone = case_of_one_rank(plan).slab_planes;
  EXPECT_GT(alone, 1);
  EXPECT_LT(alone, 254);
  plan.placement.ranks_of_gpu = 2;
  EXPECT_GT(case_of_one_rank(plan).slab_planes, alone) << "it has the window of both";
  plan.sweep.sweeps = 1;
  EXPECT_EQ(case_of_one_rank(plan).slab_planes, 0) << "single sweeps are not streamed";
}

}  // namespace
}  // namespace memstencil::himeno
