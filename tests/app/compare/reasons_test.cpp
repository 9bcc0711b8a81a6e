// The reasons, notes and words of the answer: whose figures they have, and in which unit.
#include "app/compare/judge/judge.hpp"
#include "app/compare/predict/applications.hpp"
#include "app/compare/show/show.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

TEST(Reasons, AStreamedSweepNamesTheLink) {
  Record far = steady("host-pinned", 0.2);
  far["sweep"] = "temporal:96";
  far["sweep_kernel"] = "streamed, ring of 266 planes, steps of 64, 4 sweeps a kernel";
  far["limit"] = {{"kind", "link"}, {"gbs", 54.0}};
  const auto made = run("a.h5", far);
  EXPECT_TRUE(contains(why_fast(samples_of(made).front(), 10), "sweeps streamed over the link at"));
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
  EXPECT_TRUE(contains(why("single"), "device memory of 2 GPUs (in cache"));
  EXPECT_TRUE(contains(why("temporal:3"), "(fused sweeps share their traffic)"));
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

TEST(Words, AnExtrapolatedRunHasTheSharesOfItsExtrapolatedTime) {
  const auto made = run("a.h5", steady("device", 0.1));  // 0.5 s once, 1 s of ten sweeps
  EXPECT_TRUE(starts_with(why_fast(samples_of(made).front(), 10), "67 % sweeps at "));
  EXPECT_TRUE(starts_with(why_fast(samples_of(made).front(), 45), "90 % sweeps at "));
}

TEST(Words, APredictedRateCountsTheMessagesOfBoth) {
  Record record = himeno(one, 1000, {2, 1, 1});  // 1.25 s of sweeps
  record["phases"]["halo"] = 0.2;
  const auto made = run("a.h5", record);
  const model::Prediction of{.phases = {{"initialise", {model::Cause::FirstTouch, 7}},
                                        {"sweeps", {model::Cause::DeviceMemory, 2}},
                                        {"halo", {model::Cause::Messages, 0.5}},
                                        {"reduce", {model::Cause::Launch, 0.5}}}};
  EXPECT_DOUBLE_EQ(predicted_rate(of, samples_of(made).front()).value(), 1000 * 1.45 / 3);
}

TEST(Words, ACaseHasItsEnergyItsSizeAndTheTheoryOfItsLinkInATransposeOfBothWays) {
  MachineDescription machine;
  machine.name = "m";
  machine.gpu = "GPU one";
  machine.figures["link_host_to_device"] = {.gbs = 60, .measured = false, .source = "s"};
  machine.figures["link_device_to_host"] = {.gbs = 40, .measured = false, .source = "s"};
  Record sweep = himeno(one, 1000);
  sweep["bandwidth_gbs"] = 30.0;
  sweep["limit"] = {{"kind", "link"}, {"gbs", 45.0}, {"fraction", 30. / 45}};
  sweep["energy"]["gpus"] = {
      {"joules_per_iteration", 2.0}, {"mean_watts", 300.0}, {"gflops_per_watt", 5.0}};
  const Record cases =
      Compared({{"a", {transpose(one, "device", "link", 75), sweep}}}, {machine}).answer()["cases"];
  EXPECT_DOUBLE_EQ(cases.at(0).at("fraction_of_theory").get<double>(), 0.75);
  EXPECT_DOUBLE_EQ(cases.at(1).at("fraction_of_theory").get<double>(), 0.5);
  EXPECT_EQ(cases.at(1).at("joules_a_step"), 2.0);
  EXPECT_EQ(cases.at(1).at("mean_watts"), 300.0);
  EXPECT_EQ(cases.at(1).at("gflops_a_watt"), 5.0);
  EXPECT_DOUBLE_EQ(cases.at(1).at("of_gpu_memory").get<double>(), 14. * 4 * 64 * 64 * 128 / 80e9);
}

TEST(Words, ChecksHaveTheirPercent) {
  std::vector<Record> records(3, steady("device", 0.1));  // 1.5 s
  records.back()["phases"]["initialise"] = 1.1;           // 2.1 s
  Record slow = records.front();
  slow["phases"]["initialise"] = 5.0;  // 6 s
  const Compared both({{"a", records}, {"b", {slow, slow, slow}}});
  const std::string slower = slower_than_allowed(both.sides, 0.05);
  EXPECT_TRUE(starts_with(slower, "b is slower than a by more than 5 % in 1 of 1 cases")) << slower;
  EXPECT_TRUE(contains(slower, " takes 300 % longer, at least ")) << slower;
  EXPECT_EQ(slower_than_allowed(both.sides, 4), "");
  const Compared alone({{"a", {records}}, {"b", {slow}}});
  EXPECT_THROW(slower_than_allowed(alone.sides, 0.05), Failure) << "one process of b";
}

TEST(Words, NumbersHaveThreeDigitsAndTheirUnit) {
  EXPECT_EQ(short_seconds(1.5), "1.50 s");
  EXPECT_EQ(short_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(short_seconds(45.6e-6), "45.6 us");
  EXPECT_EQ(both_seconds(0.36, 0.5134), "0.360 against 0.513 s");
  EXPECT_EQ(three_digits(99.97), "100");
  EXPECT_EQ(percent(0.072), "7.2 %");
  EXPECT_EQ(percent(1.5), "150 %");
}

}  // namespace
}  // namespace memstencil::compare
