// Pins whose figures stand in memcompare's words, and in which unit: each is worked out here.
#include "app/compare/judge/rows.hpp"
#include "app/compare/predict/applications.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/show/answer.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

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

TEST(Words, NotesAndChecksHaveTheirPercent) {
  std::vector<Record> records;
  for (const char* host : {"n1", "n2", "n3"}) {
    records.push_back(steady("device", 0.1));  // 1.5 s
    records.back()["machine"]["hostname"] = host;
  }
  records.back()["phases"]["initialise"] = 1.1;  // 2.1 s
  MachineDescription machine;
  machine.name = "m";
  machine.gpu = "GPU one";
  machine.figures["device_memory"] = {
      .gbs = 1000, .measured = false, .source = "s"};  // it has 1500
  Record slow = records.front();
  slow["phases"]["initialise"] = 5.0;  // 6 s
  const Record notes = Compared({{"a", records}}, {machine}).answer()["notes"];
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_TRUE(contains(notes[0], "host n3 takes 40.0 % longer than most of 3 hosts"));
  EXPECT_TRUE(contains(notes[1], ": 1500 GB/s are 1.50 times the theory of m: "));
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
