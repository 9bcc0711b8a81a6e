// Pins whose figures stand in memcompare's words, and in which unit: each is worked out here.
#include "app/compare/predict/applications.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/show/answer.hpp"
#include "app/compare/show/sentences.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace memstencil::compare {
namespace {

TEST(Words, AnExtrapolatedRunHasTheSharesOfItsExtrapolatedTime) {
  const auto made = run("a.h5", steady("device", 0.1));  // 0.5 s once, 1 s of ten sweeps
  EXPECT_TRUE(starts_with(why_fast(samples_of(made).front(), 10), "67 % sweeps at "));
  EXPECT_TRUE(starts_with(why_fast(samples_of(made).front(), 45), "90 % sweeps at "));
}

Record predicted_row(const char* memory, double seconds, double last, double least, double most) {
  return {{"memory", memory},
          {"seconds", seconds},
          {"last_step", last},
          {"least_seconds", least},
          {"most_seconds", most}};
}

TEST(Words, APredictedSentenceHasTheRatiosOfTheFasterMachine) {
  const Record slow{
      {"machine", "slow"},
      {"memories",
       {predicted_row("device", 6, 0.3, 6, 6), predicted_row("managed", 9, 0.3, 7, 11)}}};
  const Record fast{
      {"machine", "fast"},
      {"memories",
       {predicted_row("system", 2, 0.1, 1.9, 2.1), predicted_row("device", 4, 0.15, 2, 4)}}};
  EXPECT_EQ(
      predicted_sentences({slow, fast}, "sweep"),
      (std::vector<std::string>{
          "fast is predicted to be 3.00 times as fast as slow, best against best: system 2.00 s "
          "against device 6.00 s; the last sweep 3.00 times.",
          "fast is predicted to be 4.50 times as fast as slow, in unified memory: system 2.00 s "
          "against managed 9.00 s; the last sweep 3.00 times.",
          "slow: device 6.00 s is the fastest memory.",
          "fast: system 2.00 s and device 4.00 s cannot be ranked: they hang on assumed "
          "figures."}));
}

/// A machine with this much a rate, and a microsecond and a nanosecond a byte for every operation.
model::MachineRates plain_rates(double gbs) {
  model::MachineRates rates;
  for (const model::Rate rate : model::all_rates)
    rates.rates[rate] = {gbs * model::giga, model::assumed_source};
  for (const MemorySpace space : all_memory_spaces)
    for (const model::Operation operation : model::all_operations)
      rates.costs[{operation, space}] = {1e-6, 1e-9};
  rates.translation = model::Translation{};
  rates.multiprocessors = 132;
  rates.assumed = "a, s";
  return rates;
}

TEST(Words, APredictionsRowsHaveTheSharesTheRatiosAndTheRangeOfTheirTimes) {
  MachineDescription machine;
  machine.name = "m";
  PredictedTask task{.application = application("heat"), .iterations = 10};
  const auto rows = [&](double gbs, double cost) {
    task.assumed = plain_rates(gbs);
    for (auto& [of, each] : task.assumed->costs) each = {cost * each.start, cost * each.a_byte};
    const Record answer = predictions_of(task, {machine});
    EXPECT_TRUE(contains(answer.at("notes").dump(),
                         "device_copy " + std::to_string(static_cast<int>(gbs)) + " GB/s"));
    return answer.at("predictions").at("machines").at(0).at("memories");
  };
  const Record all = rows(100, 1), cheap = rows(200, 0.5), dear = rows(50, 2);
  ASSERT_TRUE(all.at(0).contains("seconds"));
  for (const Record& row : all) {
    if (!row.contains("seconds")) continue;
    EXPECT_DOUBLE_EQ(row.at("to_best").get<double>(),
                     row.at("seconds").get<double>() / all[0].at("seconds").get<double>());
    std::pair<double, std::string> most;
    for (const auto& [cause, seconds] : row.at("causes").items())
      most = std::max(most, {seconds.get<double>(), cause});
    const int share =
        static_cast<int>(std::lround(100 * most.first / row.at("seconds").get<double>()));
    EXPECT_TRUE(starts_with(row.at("why"), most.second + " " + std::to_string(share) + " %"));
    const auto of = [&](const Record& others) {
      for (const Record& other : others)
        if (other.at("memory") == row.at("memory")) return other.at("seconds").get<double>();
      return 0.0;
    };
    // The figures that nobody assumes, such as a kernel's start, are the same.
    EXPECT_NEAR(row.at("least_seconds").get<double>(), of(cheap), 1e-9);
    EXPECT_NEAR(row.at("most_seconds").get<double>(), of(dear), 1e-9);
  }
}

TEST(Words, APredictedFirstStepMovesThePagesAndTheMachinesCoresFillThem) {
  MachineDescription machine;
  machine.name = "m";
  PredictedTask task{.application = application("heat"), .iterations = 10};
  task.assumed = plain_rates(100);
  const auto managed = [&](int cores) {
    machine.parameters["host_cores"] = {.value = cores, .source = "s"};
    const Record answer = predictions_of(task, {machine});
    for (const Record& row : answer.at("predictions").at("machines").at(0).at("memories"))
      if (row.at("memory") == "managed") return row;
    return Record();
  };
  const double bytes = model::grid_case(model::heat, {768, 768, 768}).bytes();
  const Record row = managed(4);
  EXPECT_NEAR(row.at("first_step").get<double>() - row.at("last_step").get<double>(),
              bytes / (1.04 * 100e9), 1e-9);
  const auto filling = [&](int cores) {
    return managed(cores).at("causes").at("host memory").get<double>();
  };
  EXPECT_NEAR(filling(4) - filling(8), bytes * 0.9e-9 * (1. / 4 - 1. / 8), 1e-9);
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

TEST(Words, TheModelsWorstCaseIsGivenInPercent) {
  const auto row = [](const char* of, double error) {
    return Record{{"side", "a"}, {"case", of}, {"error", error}, {"missing", Record::array()}};
  };
  EXPECT_EQ(model_sentences({row("x", 0.1), row("y", -0.4), row("z", 0.2)}),
            std::vector<std::string>{
                "a: 1 of 3 cases within 15 % of their wall time; the worst is -40.0 %, y."});
}

TEST(Words, MessagesThatAreNotHiddenAreInPercent) {
  Record two = himeno(one, 1600, {2, 1, 1});
  two["phases"]["halo"] = 0.25;  // of 1.25 s
  two["bandwidth_gbs"] = 2400.0;
  EXPECT_TRUE(contains(Compared({{"a", {himeno(one, 1000), two}}}).answer()["scaling_sentences"][0],
                       "2 GPUs are 1.60 times as fast as 1 GPU, efficiency 0.80, messages not "
                       "hidden 17 %"));
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
