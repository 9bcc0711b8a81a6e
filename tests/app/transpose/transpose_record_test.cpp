// Pins the record of a run and its text: the documented keys, what is counted, ratios, tables.
#include "app/transpose/result.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace memstencil::transpose {
namespace {

TimedVariant variant_of(const char* name, double bytes, const std::vector<double>& seconds) {
  TimedVariant out;
  out.name = name;
  out.bytes = bytes;
  out.seconds = seconds;
  out.iteration_seconds = spread_of(seconds);
  out.mean.seconds = statistics(seconds).mean;
  return out;
}

Repeat result_of(double seconds) {
  Repeat run;
  run.variants = {variant_of("portable", 8.0 * 64 * 64, {2 * seconds, 4 * seconds, 2 * seconds}),
                  variant_of("copy", 8.0 * 64 * 64, {seconds, seconds, seconds})};
  run.limit = {"copy", {1}};
  run.phases = {{"allocate", 0.0}, {"transpose", 10 * seconds}};
  return run;
}

Result made_of(const std::vector<Repeat>& repeats, int ranks = 1) {
  Options options = options_for(Executor::Host);
  options.rows = options.columns = 64;
  Plan plan = plan_of(options);
  plan.ranks = ranks;
  if (ranks > 1) plan.transport = Transport::Staged;
  plan.skipped = {{Variant::Vendor, "no library"}, {Variant::Tiled, "no library"}};
  return make_result(plan, repeats);
}

Record record_of(const std::vector<Repeat>& repeats) { return to_record(made_of(repeats)); }

/// Of two ranks: the parts of all iterations.
Repeat with_messages() {
  Repeat run = result_of(1);
  run.variants[0].split = {{"pack", 1.0}, {"exchange", 2.0}, {"transpose", 3.0}};
  return run;
}

TEST(TransposeRecord, OfOneRankHasNoMessages) {
  const Record r = record_of({result_of(1)});
  EXPECT_FALSE(r.contains("repeats"));
  EXPECT_EQ(r["size"], "64x64");
  EXPECT_EQ(r["messages"], "none");
  EXPECT_EQ(r["skipped"][0]["reason"], "no library");
}

TEST(TransposeRecord, OfSeveralRanksHasTheParts) {
  Result result = made_of({with_messages()}, 2);
  result.iterations = 4;
  const Record r = to_record(result);
  EXPECT_EQ(r["messages"], "staged");
  EXPECT_EQ(r["variants"][0]["split"],
            (Record{{"pack", 1.0}, {"exchange", 2.0}, {"transpose", 3.0}}));
  EXPECT_TRUE(std::regex_search(text_report(result, true),
                                std::regex("\nportable +250\\.0 ms +500\\.0 ms +750\\.0 ms\n")))
      << text_report(result, true);
}

TEST(TransposeText, NamesTilesAndSpreadsThatAreNotUsualAndEqualReasonsOnce) {
  Repeat run = result_of(1);
  run.variants[0].tile = 16;
  EXPECT_TRUE(contains(text_report(made_of({run}), true), "\nportable 16x16 "));
  EXPECT_FALSE(contains(text_report(made_of({run}), false), "iterations had"));
  run.variants[0] = variant_of("portable", 8.0 * 64 * 64, {1, 4, 1});
  run.variants[0].gbs = spread_of(run.variants[0].seconds);
  for (const char* part : {"\nportable  ", "vendor, tiled: no library\n", "portable: iterations"})
    EXPECT_TRUE(contains(text_report(made_of({run}), false), part));
}

TEST(TransposeRecord, IsOfTheMedianRepeat) {
  Repeat middle = result_of(2);
  middle.residency = residency_record({{.on_host = 10}, {.on_gpu = 10}, {}}, 1, Executor::Device);
  const std::vector<Repeat> repeats{result_of(3), result_of(1), middle};
  const Record r = record_of(repeats);
  EXPECT_EQ(r["repeats"].size(), 3U);
  EXPECT_EQ(r["repeats"][2]["residency"]["moved"], true);
  EXPECT_TRUE(contains(text_report(made_of(repeats), true), "after it 100 % on the GPU\n"));
  EXPECT_EQ(r["variants"][1]["seconds"][0], 2.0);
  EXPECT_EQ(r["repeats"][1]["variants"][1]["seconds"][0], 1.0);
}

TEST(TransposeRun, ServesEveryMemorySpaceOfTheMachine) {
  for (const Executor executor : executors())
    for (const MemorySpace space : all_memory_spaces) {
      if (!support(space, executor).served) continue;
      for (const Executor first_touch : executors()) {
        if (!support(space, first_touch).served && first_touch == Executor::Device) continue;
        Options options = options_for(executor);
        options.memspace = space;
        options.first_touch = first_touch;
        options.rows = 100;
        options.columns = 70;
        options.variant.reset();
        EXPECT_EQ(run_of(options).limit.kind == "link", reached_over_link(space, executor));
      }
    }
}

}  // namespace
}  // namespace memstencil::transpose
