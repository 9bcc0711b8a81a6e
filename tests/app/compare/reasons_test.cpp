// The reasons and notes of the answer: whose they are, and in which unit.
#include "app/compare/judge/ranking.hpp"
#include "app/compare/judge/rows.hpp"
#include "app/compare/show/answer.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

TEST(Reasons, AStreamedSweepNamesItsRingTheLinkAndT) {
  Record far = steady("host-pinned", 0.2);
  far["sweep"] = "temporal:96";
  far["sweep_kernel"] = "streamed, ring of 266 planes, steps of 64, 4 sweeps a kernel";
  far["limit"] = {{"kind", "link"}, {"gbs", 54.0}};
  const auto made = run("a.h5", far);
  const std::string words = " streamed, T = 96, through a ring of 266 planes over the link";
  EXPECT_TRUE(contains(why_fast(samples_of(made).front(), 10), "sweeps" + words + " at "));
}

TEST(Reasons, MemoryThatTheGpuCompressesIsNamedAndRankedByItself) {
  Record plain = steady("device", 0.2), compressed = steady("device", 0.1);
  compressed["options"]["allocation"] = "compressible";
  const Compared a({{"a", {plain, compressed}}});
  ASSERT_EQ(a.ranked().size(), 2U);
  EXPECT_TRUE(contains(a.ranked()[0].memory, "compressible")) << a.ranked()[0].memory;
  EXPECT_FALSE(contains(a.ranked()[1].memory, "compressible")) << a.ranked()[1].memory;
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

}  // namespace
}  // namespace memstencil::compare
