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
  for (auto& [name, all] : run.phases)
    if (name == "halo") all = 4 * seconds;
  run.scaling = {.exchanges = 4, .exchange_seconds = 23e-6, .edges_first = edges_first};
  return make_result(plan, {run});
}

TEST(HimenoScaling, SaysWhatSweepsWaitedForMessagesAndWhatTheseTakeAlone) {
  const Result turns = result_of_two(14.7e-6, false);
  EXPECT_TRUE(contains(text_report(turns),
                       "4, each waited for 14.70 us (23.00 us by itself): sweeps and messages "
                       "take turns"))
      << text_report(turns);
  EXPECT_EQ(to_record(turns)["scaling"]["edges_first"], false);
  EXPECT_EQ(to_record(turns)["scaling"]["exchange_seconds"], 23e-6);
  EXPECT_TRUE(contains(text_report(result_of_two(3e-6, true)), "run beside each other"));
}

TEST(HimenoScaling, NamesTheLibraryOfTheMessages) {
  Result result = result_of_two(1e-5, true);
  EXPECT_FALSE(to_record(result).contains("halo_library")) << "messages go by MPI";
  result.halo = "nccl";
  result.halo_library = "NCCL 2.28.3";
  EXPECT_TRUE(contains(text_report(result), "halo nccl (NCCL 2.28.3)"));
}

}  // namespace
}  // namespace memstencil::himeno
