// Pins the record of a run and its text: the documented keys, what is counted, ratios, tables.
#include "app/transpose/result.hpp"
#include "tests/app/base/fake_machines.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

namespace memstencil::transpose {
namespace {

RunResult result_of(double seconds, std::optional<Limit> link = {}) {
  RunResult run{.phases = Phases({"allocate", "transpose"}),
                .shapes = {},
                .own_seconds = {},
                .link = std::move(link)};
  for (const std::int64_t size : {32, 64}) {
    const double bytes = 8.0 * static_cast<double>(size * size);
    run.shapes.push_back({{size, size},
                          {{Variant::Tuned,
                            bytes,
                            {2 * seconds, 4 * seconds, 2 * seconds},
                            1.0,
                            2.0,
                            3.0,
                            "limit of 3 reached"},
                           {Variant::Copy,
                            bytes,
                            {seconds, seconds, seconds},
                            0.0,
                            0.0,
                            3.0,
                            "half-width under 5 %"}}});
  }
  return run;
}

Result made_of(const std::vector<RunResult>& repeats, int ranks = 1, bool sweep = false) {
  Options options = options_for(Executor::Host);
  options.rows = options.columns = 64;
  if (sweep) options.sizes = SizeRange{32, 64, 32};
  Plan plan = plan_of(options);
  plan.ranks = ranks;
  plan.skipped = {{Variant::Vendor, "no library"}};
  return make_result(plan, repeats);
}

Record record_of(const std::vector<RunResult>& repeats, int ranks = 1, bool sweep = false) {
  return to_record(made_of(repeats, ranks, sweep));
}

TEST(TransposeRecord, HasTheDocumentedKeys) {
  const Record r = record_of({result_of(1)});
  for (const char* key :
       {"schema",    "program",  "size",        "rows",       "columns",  "pitch_a",
        "pitch_b",   "type",     "operation",   "iterations", "ranks",    "exec",
        "execution", "memspace", "first_touch", "messages",   "variants", "skipped",
        "limit",     "phases",   "verified",    "options",    "machine"})
    EXPECT_TRUE(r.contains(key)) << key;
  EXPECT_FALSE(r.contains("sizes"));
  EXPECT_FALSE(r.contains("repeats"));
  EXPECT_EQ(r["size"], "64x64");
  EXPECT_EQ(r["messages"], "none");
  EXPECT_EQ(r["skipped"][0]["reason"], "no library");
}

TEST(TransposeRecord, CountsWhatIsReadAndWrittenAndSetsItBesideTheCopy) {
  const Record v = record_of({result_of(1e-6)})["variants"][0];
  EXPECT_EQ(v["name"], "tuned");
  EXPECT_NEAR(v["gbs"]["median"].get<double>(), 8 * 64 * 64 / 2e-6 * 1e-9, 1e-9);
  EXPECT_NEAR(v["gbs"]["min"].get<double>(), 8 * 64 * 64 / 4e-6 * 1e-9, 1e-9);
  EXPECT_NEAR(v["of_copy"].get<double>(), 0.5, 1e-12);
  EXPECT_EQ(v["seconds"].size(), 3U);
  EXPECT_EQ(v["verified"], true);
  EXPECT_FALSE(v.contains("split"));
}

TEST(TransposeRecord, TellsTheMeanItsIntervalAndWhyItStopped) {
  const Result result = made_of({result_of(3e-6)});
  const Record mean = to_record(result)["variants"][0]["mean"];
  EXPECT_NEAR(mean["seconds"].get<double>(), 8e-6, 1e-18);
  // Of 6, 12 and 6 us: a deviation of 2 sqrt(3) us, and t = 4.302653 of 2 degrees of freedom.
  EXPECT_NEAR(mean["relative_half_width"].get<double>(), 4.3026527 * 2 / 8, 1e-6);
  EXPECT_NEAR(mean["ci95"][0].get<double>(), 8e-6 - 4.3026527 * 2e-6, 1e-12);
  EXPECT_NEAR(mean["ci95"][1].get<double>(), 8e-6 + 4.3026527 * 2e-6, 1e-12);
  EXPECT_NEAR(mean["gbs"].get<double>(), 8 * 64 * 64 / 8e-6 * 1e-9, 1e-9);
  EXPECT_EQ(mean["stopped"], "limit of 3 reached");
  EXPECT_EQ(to_record(result)["variants"][1]["mean"]["stopped"], "half-width under 5 %");
  EXPECT_FALSE(contains(text_report(result), "stopped after"));
}

TEST(TransposeRecord, SplitsTheTimeOfSeveralRanks) {
  const Record r = record_of({result_of(1)}, 4);
  EXPECT_EQ(r["variants"][0]["split"],
            (Record{{"pack", 1.0}, {"exchange", 2.0}, {"transpose", 3.0}}));
  EXPECT_EQ(r["messages"], "staged");
  EXPECT_TRUE(contains(text_report(made_of({result_of(1)}, 4)), "exchange"));
}

TEST(TransposeRecord, BoundsRanksByTheLongerOfMessagesAndMemory) {
  RunResult run = result_of(1);
  run.alone = Alone{.message_bytes = 4e9,
                    .pack = 0.1,
                    .exchange = 0.6,
                    .transpose = 0.2,
                    .shortest_exchange = 0.5};
  Record bound = record_of({run}, 2)["bound"];
  // The copy takes a second for as many bytes.
  EXPECT_EQ(bound["binds"], "memory");
  EXPECT_NEAR(bound["seconds"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(bound["message_gbs"].get<double>(), 8, 1e-12);
  EXPECT_EQ(bound["alone"], (Record{{"pack", 0.1}, {"exchange", 0.6}, {"transpose", 0.2}}));
  run.alone->shortest_exchange = 1.5;
  const Record slower = record_of({run}, 2);
  EXPECT_EQ(slower["bound"]["binds"], "messages");
  EXPECT_NEAR(slower["variants"][0]["of_bound"].get<double>(), 1.5 / 2, 1e-12);
  EXPECT_FALSE(slower["variants"][1].contains("of_bound"));
  EXPECT_TRUE(
      contains(text_report(made_of({run}, 2)), "by its messages: 4.000 GB out of a rank at "));
}

TEST(TransposeRecord, SaysWhereTheBoundIsThatOfThePathAndNotOfTheLink) {
  RunResult run = result_of(1);
  run.alone = Alone{.message_bytes = 4e9,
                    .pack = 0.1,
                    .exchange = 0.6,
                    .transpose = 0.2,
                    .shortest_exchange = 1.5};
  Result result = made_of({run}, 2);
  EXPECT_EQ(to_record(result)["bound"]["path"], "staged");
  EXPECT_TRUE(contains(text_report(result), " of bound\n")) << "on a host there is no other path";
  result.exec = "device";
  const std::string staged = text_report(result);
  EXPECT_TRUE(contains(staged, "  of path\n"));
  EXPECT_TRUE(contains(staged,
                       "of path: of what messages by path staged take alone, which need "
                       "not be the limit of the link between GPUs\n"));
  result.bound->path = "nccl";
  EXPECT_TRUE(contains(text_report(result), " of bound\n"));
}

TEST(TransposeRecord, HasTheLinkAsItsLimitWhereItCrossesOne) {
  const Record r = record_of({result_of(1, Limit{"link", {5e10, 6e10}, 6e10})});
  EXPECT_EQ(r["limit"]["kind"], "link");
  EXPECT_NEAR(r["limit"]["gbs"].get<double>(), 60, 1e-9);
}

TEST(TransposeRecord, HasARowForEverySizeAndVariant) {
  const Record r = record_of({result_of(1e-6)}, 1, true);
  ASSERT_EQ(r["sizes"].size(), 4U);
  EXPECT_EQ(r["sizes"][1]["size"], 32);
  EXPECT_EQ(r["sizes"][1]["variant"], "copy");
  EXPECT_EQ(r["sizes"][2]["size"], 64);
  EXPECT_EQ(r["sizes"][2]["variant"], "tuned");
  EXPECT_EQ(r["sizes"][2]["seconds"].size(), 3U);
  EXPECT_NEAR(r["sizes"][0]["median"].get<double>(), 8 * 32 * 32 / 2e-6 * 1e-9, 1e-9);
  for (const char* key : {"min", "max", "of_copy"}) EXPECT_TRUE(r["sizes"][0].contains(key)) << key;
}

TEST(TransposeRecord, ShowsTheMeanAndItsIntervalOfEverySize) {
  const std::string text = text_report(made_of({result_of(1e-6)}, 1, true));
  // Of 2, 4 and 2 us: 8 KiB in a mean of 2.667 us, sure within 4.303 * 0.6667 / 2.667.
  EXPECT_TRUE(contains(text,
                       "      32 tuned                        2.0       4.1       4.1    0.500"
                       "       3.1  107.6%     3\n"))
      << text;
}

TEST(TransposeRecord, OfRepeatsIsThatInTheMiddle) {
  const Record r = record_of({result_of(3), result_of(1), result_of(2)});
  EXPECT_EQ(r["repeats"].size(), 3U);
  EXPECT_EQ(r["variants"][1]["seconds"][0], 2.0);
  EXPECT_EQ(r["repeats"][1]["variants"][1]["seconds"][0], 1.0);
}

TEST(TransposeRun, MeasuresTheCopyBesideEveryVariantAndKeepsEachIteration) {
  for (const Executor executor : executors())
    for (const char* variant : {"", "copy", "all"}) {
      Options options = options_for(executor);
      options.rows = 65;
      options.columns = 130;
      options.every_variant = variant == std::string("all");
      if (variant == std::string("copy")) options.variant = Variant::Copy;
      const RunResult run = run_of(options);
      const ShapeResult& shape = run.shapes.front();
      int copies = 0;
      for (const VariantResult& each : shape.variants) {
        EXPECT_EQ(each.seconds.size(), 2U);
        EXPECT_EQ(each.bytes, 2.0 * 65 * 130 * 4);
        copies += each.variant == Variant::Copy ? 1 : 0;
      }
      EXPECT_EQ(copies, 1);
      EXPECT_EQ(shape.copy().variant, Variant::Copy);
      EXPECT_EQ(run.link.has_value(), false);
    }
}

TEST(TransposeRun, StopsWhereTheMeanIsSureOrAtTheLimit) {
  for (const Executor executor : executors()) {
    Options options = options_for(executor);
    options.rows = 200;
    options.columns = 300;
    options.confidence = true;
    options.iterations = 47;
    const ShapeResult shape = run_of(options).shapes.front();
    for (const VariantResult& each : shape.variants) {
      EXPECT_TRUE(each.seconds.size() == 20 || each.seconds.size() == 40 ||
                  each.seconds.size() == 47)
          << each.seconds.size();
      EXPECT_EQ(each.stopped, reason_to_stop({.fewest = 20, .most = 47}, each.seconds));
      EXPECT_FALSE(each.stopped.empty());
    }
  }
}

TEST(TransposeRun, CountsThreeMatricesWhereItAccumulates) {
  Options options = options_for(Executor::Host);
  options.rows = options.columns = 40;
  options.accumulate = true;
  options.type = ElementType::Double;
  EXPECT_EQ(run_of(options).shapes.front().variants.front().bytes, 3.0 * 40 * 40 * 8);
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
        options.every_variant = true;
        const RunResult run = run_of(options);
        EXPECT_EQ(run.link.has_value(), reached_over_link(space, executor));
      }
    }
}

TEST(TransposeText, SaysWhatTheMachineDoesWithPagesThatCanMove) {
  using namespace fake_machines;
  const auto text_on = [](const MachineFacts& machine, const char* space) {
    Result result = made_of({result_of(1)});
    result.machine = machine;
    result.memspace.effective = space;
    return text_report(result);
  };
  EXPECT_TRUE(contains(text_on(ats_with_node(), "system"),
                       "ATS, GPU memory is NUMA node 1, migration by access counters on"));
  EXPECT_FALSE(contains(text_on(ats_with_node(), "system"), "note "));
  const std::string cdmm = text_on(ats_without_node(), "system");
  EXPECT_TRUE(contains(cdmm, "ATS, GPU memory is no NUMA node (CDMM)"));
  EXPECT_TRUE(contains(cdmm, "stay in the CPU's memory, also those that the GPU touches first"));
  EXPECT_TRUE(
      contains(text_on(migration_switched_off(), "system"), "access counters move no pages here"));
  EXPECT_TRUE(contains(text_on(hmm(), "system"), "by HMM: pages move by fault"));
  EXPECT_FALSE(contains(text_on(ats_without_node(), "managed"), "note "));
  MachineFacts cached = ats_with_node();
  cached.memory.numa_nodes[1].page_cache_bytes = 40'000'000'000;
  const std::string device = text_on(cached, "device");
  EXPECT_TRUE(contains(device, "40.0 GB of page cache lie in the GPU's node"));
  EXPECT_FALSE(contains(device, "memory system"));
}

}  // namespace
}  // namespace memstencil::transpose
