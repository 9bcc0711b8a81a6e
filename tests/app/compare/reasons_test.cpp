// The reasons and notes of the answer: whose they are, and in which unit.
#include "app/compare/judge/reasons.hpp"
#include "app/compare/judge/ranking.hpp"
#include "app/compare/show/answer.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

TEST(Reasons, MemoriesWithEqualSweepsSayWhichPhaseSeparatesThem) {
  const Compared a({{"a",
                     {steady("device", 0.1), sweeps("managed", 0.5, std::vector(10, 0.1001)),
                      sweeps("system", 2.0, std::vector(10, 0.1))}}});
  const std::vector<Ranked>& ranked = a.ranked();
  EXPECT_TRUE(ranked[1].equal);
  EXPECT_TRUE(ranked[1].reason.starts_with("where pages were is not recorded; as fast, inside"));
  EXPECT_NE(ranked[2].reason.find("sweeps equally fast; filled by the host 2.00 against 0.500 s"),
            std::string::npos)
      << ranked[2].reason;
}

TEST(Reasons, TheDifferenceOfTwoMemoriesIsTheSlowerOnesAndNamesBothWhereBothCount) {
  Record quick = steady("device", 0.1), slow = sweeps("managed", 0.9, std::vector(10, 0.1));
  quick["first_touch"] = "device";
  slow["sweeps"]["seconds"][0] = 2.1;
  slow["phases"]["sweeps"] = 3.0;
  const auto a = run("a.h5", quick), b = run("b.h5", slow);
  const std::string text = why_different(samples_of(a).front(), samples_of(b).front(), 10);
  EXPECT_TRUE(text.starts_with("0.0294 GB moved at 0.014 GB/s in the first sweep 2.00 s")) << text;
  slow["sweeps"]["seconds"][0] = 0.1;
  slow["phases"]["sweeps"] = 1.0;
  const auto c = run("c.h5", slow);
  EXPECT_EQ(why_different(samples_of(a).front(), samples_of(c).front(), 10),
            "filled by the GPU 0.500 s against filled by the host 0.900 s");
}

TEST(Reasons, CopiesByTheHostAndByTheGpuAreOfTwoMemories) {
  Record gpu = transpose(one, "device", "copy", 2000), host = transpose(one, "host", "copy", 100);
  gpu["variants"][0]["of_copy"] = host["variants"][0]["of_copy"] = 0.5;
  host["variants"][0]["seconds"] = {0.2, 0.2};
  const auto a = run("a.h5", gpu), b = run("b.h5", host);
  EXPECT_EQ(
      why_different(samples_of(b).front(), samples_of(a).front(), 2),
      "transposes 0.400 s against 20.0 ms: host memory (200 GB/s) against device memory (4000 "
      "GB/s)");
}

TEST(Reasons, AStreamedSweepNamesItsRingTheLinkAndT) {
  Record far = steady("host-pinned", 0.2);
  far["sweep"] = "temporal:96";
  far["sweep_kernel"] = "streamed, ring of 266 planes, steps of 64, 4 sweeps a kernel";
  far["limit"] = {{"kind", "link"}, {"gbs", 54.0}};
  const Runs runs{run("a.h5", far), run("b.h5", steady("device", 0.1))};
  const std::string words = " streamed, T = 96, through a ring of 266 planes over the link";
  EXPECT_TRUE(contains(why_fast(samples_of(runs[0]).front(), 10), "sweeps" + words + " at "));
  const std::string why =
      why_different(samples_of(runs[0]).front(), samples_of(runs[1]).front(), 10);
  EXPECT_TRUE(
      why.starts_with("sweeps" + words + " 2.00 s against sweeps 1.00 s: the link (54.0 GB/s)"))
      << why;
}

TEST(Reasons, MemoryThatTheGpuCompressesIsNamedAndRankedByItself) {
  Record plain = steady("device", 0.2), compressed = steady("device", 0.1);
  compressed["options"]["allocation"] = "compressible";
  const Compared a({{"a", {plain, compressed}}});
  ASSERT_EQ(a.ranked().size(), 2U);
  EXPECT_TRUE(contains(a.ranked()[0].memory, "compressible")) << a.ranked()[0].memory;
  EXPECT_FALSE(contains(a.ranked()[1].memory, "compressible")) << a.ranked()[1].memory;
}

TEST(Reasons, PinningNamesItsCallAndStandsBesideThatOfRegisteredPagesOfTheirSize) {
  Record plain_call = steady("host-pinned", 0.2), registered = plain_call;
  plain_call["memspace"]["allocation"] = "cudaHostAlloc";
  plain_call["phases"]["allocate"] = 6.6;
  registered["memspace"]["allocation"] = "mmap, touched by all threads, cudaHostRegister";
  registered["options"]["allocation"] = "registered";
  registered["phases"]["allocate"] = 0.7;
  const auto expect_pages = [&](int page_bytes, const char* pages, const std::string& size) {
    for (Record* each : {&plain_call, &registered})
      (*each)["machine"]["memory"]["page_bytes"] = page_bytes;
    registered["options"]["pages"] = pages;
    const Compared a({{"a", {steady("device", 0.1), plain_call, registered}}});
    const std::vector<Ranked>& ranked = a.ranked();
    const std::string words = "registered pages of " + size;
    EXPECT_TRUE(contains(ranked[1].reason, words + " pinned 0.700 s"));
    EXPECT_TRUE(contains(ranked[2].reason, "pinned by cudaHostAlloc 6.60 s"));
    EXPECT_TRUE(contains(ranked[2].reason, "; pinned as " + words + " 0.700 s against 6.60 s"));
  };
  expect_pages(4096, "default", "4 KiB");
  expect_pages(4096, "huge", "2 MiB");
  expect_pages(65536, "default", "64 KiB");
  expect_pages(65536, "huge", "512 MiB");
}

TEST(Reasons, MoreThanTheLimitHasAReasonAndTheLimitIsOfAllGpus) {
  const auto why = [](const char* sweep) {
    Record record = himeno(one, 1000, {2, 1, 1});
    record["sweep"] = sweep;
    record["limit"]["fraction"] = 1.3;
    const auto made = run("a.h5", record);
    return why_fast(samples_of(made).front(), 10);
  };
  EXPECT_NE(why("single").find("device memory of 2 GPUs (in cache"), std::string::npos)
      << why("single");
  EXPECT_NE(why("temporal:3").find("(fused sweeps share their traffic)"), std::string::npos);
}

/// The sentences of this part of the answer.
std::vector<std::string> told(const Compared& compared, const std::string& member) {
  return compared.answer().at(member).get<std::vector<std::string>>();
}

TEST(Notes, ClocksThatWereHeldDownAreToldOfEachApplicationThatRanThen) {
  const auto clocks = [](Record record, const std::vector<std::string>& reasons) {
    record["energy"]["gpus"]["throttled"] = reasons;
    return record;
  };
  const Record of_himeno = himeno(one, 1000), of_heat = heat(one, 900);
  const Compared a(
      {{"a",
        {clocks(of_himeno, {}), clocks(of_himeno, {"power cap"}), clocks(of_himeno, {}),
         clocks(of_heat, {"power cap"}), clocks(of_heat, {"power cap", "thermal"}),
         transpose(one, "device", "copy", 9)}}});
  EXPECT_EQ(told(a, "notes"),
            std::vector<std::string>{
                "a: in 3 of 5 runs the GPU's clocks were held down (power cap, thermal), and so "
                "was its speed: 1 of himeno S (64x64x128), single; 2 of heat S (64x64x128), "
                "single."});
  EXPECT_TRUE(told(Compared({{"a", {clocks(of_himeno, {})}}}), "notes").empty());
}

TEST(Notes, ThatNoGpuComputedIsSaidOfASideWithoutAnyRunOnAGpu) {
  const Record host = by_host(himeno(one, 100), 8), gpu = himeno(one, 1000);
  const auto notes = told(Compared({{"a", {host}}, {"b", {host, gpu}}, {"c", {gpu}}}), "notes");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(starts_with(notes[0], "No GPU computed on a: "));
}

TEST(Notes, PointsThatDidNotSettleAreCountedByProbe) {
  const auto stopped = [](const std::vector<std::string>& words) {
    Record record = membench(one, 50);
    Record& rows = record["probes"][0]["rows"];
    const Record row = rows[0];
    rows = Record::array();
    for (const std::string& each : words) {
      rows.push_back(row);
      rows.back()["bytes"] = std::vector{1024.0 * static_cast<double>(rows.size())};
      rows.back()["stopped"] = std::vector{each};
    }
    return record;
  };
  EXPECT_EQ(
      told(Compared({{"a", {stopped({"settled", "not settled: +-13.8 %", "not met"})}}}), "notes"),
      std::vector<std::string>{"a: the 95 % half-width stayed over 5 % in 2 of 3 points of link."});
  EXPECT_TRUE(told(Compared({{"a", {stopped({"settled", "met"})}}}), "notes").empty());
}

TEST(Notes, WhatScalesWorstIsNotHiddenBehindOtherCurves) {
  std::vector<Record> records;
  for (const char* layout : {"arrays", "packed"})
    for (const char* sweep : {"single", "temporal:2", "temporal:3"})
      for (const int ranks : {1, 2}) {
        Record& record = records.emplace_back(himeno(one, 970 * ranks, {ranks, 1, 1}));
        record["bandwidth_gbs"] = 1500 * ranks;
        record["layout"] = layout;
        record["sweep"] = sweep;
      }
  records.push_back(transpose(one, "device", "copy", 2000));
  Record& on_two = records.emplace_back(transpose(one, "device", "copy", 2800));
  on_two["ranks"] = 2;
  const Compared a({{"a", records}});
  const std::vector<std::string> said = told(a, "scaling_sentences");
  ASSERT_EQ(said.size(), 7U);
  EXPECT_EQ(said[0],
            "a, strong scaling, transpose 64 x 64, float, tuned, x 2, in host-pinned, filled by "
            "host: 2 GPUs are 1.40 times as fast as 1 GPU, efficiency 0.70.");
  EXPECT_TRUE(contains(said[1], "efficiency 1.00"));
}

}  // namespace
}  // namespace memstencil::compare
