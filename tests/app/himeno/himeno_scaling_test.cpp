// Pins what a run on several ranks reports of its messages.
#include "app/himeno/result.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>

namespace memstencil::himeno {
namespace {

/// Two ranks, four exchanges: each is waited for so long, and takes 23 us by itself.
Result result_of_two(double seconds, bool edges_first) {
  Plan plan = small_plan();
  plan.part.ranks = {2, 1, 1};
  RunResult run = run_of(0.5);
  run.scaling = by_cause({.exchanges = 4, .exchange_seconds = 23e-6, .edges_first = edges_first},
                         4 * seconds);
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

TEST(HimenoScaling, RecordsTheMessagesAloneAndThePartOfThePassBeforeThem) {
  Plan plan = small_plan();
  plan.part.ranks = {1, 2, 1};
  RunResult run = run_of(0.5);
  run.scaling = by_cause(
      {.exchanges = 4, .exchange_seconds = 23e-6, .edges_first = true, .edges_share = 0.125},
      4 * 3e-6);
  const auto scaling = to_record(make_result(plan, {run}))["scaling"];
  EXPECT_EQ(scaling["edges_share"], 0.125);
  EXPECT_EQ(scaling["exchange_seconds"], 23e-6);
  EXPECT_EQ(scaling["transfer_seconds"], 4 * 3e-6) << "what the passes waited for";
}

TEST(HimenoScaling, SaysWhetherNcclRegisteredTheBuffers) {
  Result result = result_of_two(1e-5, true);
  EXPECT_FALSE(to_record(result).contains("halo_registered")) << "messages go by MPI";
  result.halo = "nccl";
  result.halo_library = "NCCL 2.28.3";
  result.halo_registered = false;
  EXPECT_TRUE(contains(text_report(result), "halo nccl (NCCL 2.28.3, buffers not registered)"));
  EXPECT_EQ(to_record(result)["halo_registered"], false);
}

}  // namespace
}  // namespace memstencil::himeno
