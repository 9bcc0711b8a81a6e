// Predictions from descriptions: their runs as cases, with ranges and with what is assumed.
#include "app/compare/predict/predictions.hpp"

#include "app/compare/judge/judge.hpp"
#include "app/compare/show/show.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace memstencil::compare {
namespace {

using model::MachineRates;

/// Every rate this many GB/s, a microsecond and a nanosecond a byte for every operation.
MachineRates plain_rates(double gbs) {
  MachineRates rates;
  for (const auto& [rate, described] : model::all_rates)
    rates.rates[rate] = {gbs * model::giga, model::assumed_source};
  for (const MemorySpace space : all_memory_spaces)
    for (const char* operation : model::operations) rates.costs[{operation, space}] = {1e-6, 1e-9};
  rates.translation = model::Translation{};
  rates.multiprocessors = 132;
  rates.assumed = "a, s";
  return rates;
}

MachineDescription described(const std::string& name = "m") {
  return {.name = name, .title = name, .gpu = "GPU of " + name};
}

PredictedTask heat_task(const MachineRates& assumed) {
  PredictedTask task{.application = application("heat"), .iterations = 10};
  task.assumed = assumed;
  return task;
}

Record answer(const PredictedTask& task, const std::vector<MachineDescription>& machines) {
  return answer_of(predictions_of(task, machines), {});
}

/// The case whose memory begins so.
Record case_in(const std::string& memory, const Record& answer,
               const std::string& kind = "single") {
  for (const Record& row : answer.at("cases"))
    if (row.at("memory").get<std::string>().starts_with(memory) && row.at("kind") == kind)
      return row;
  return {};
}

bool says(const Record& texts, const std::string& words) {
  return std::ranges::any_of(texts, [&](const Record& text) {
    return text.get<std::string>().find(words) != std::string::npos;
  });
}

TEST(Predictions, ACaseHasItsTimeItsCausesAndTheRangeOfItsAssumedFigures) {
  const auto with = [&](double gbs, double cost) {
    MachineRates rates = plain_rates(gbs);
    for (auto& [of, each] : rates.costs) each = {cost * each.start, cost * each.a_byte};
    return answer(heat_task(rates), {described()});
  };
  const Record usual = with(100, 1), cheap = with(200, 0.5), dear = with(50, 2);
  ASSERT_EQ(usual.at("cases").size(), 3U) << "system memory is not served";
  for (const char* memory : {"device", "managed", "host-pinned"}) {
    const Record row = case_in(memory, usual), &of = row.at("prediction");
    double sum = 0;
    for (const auto& [cause, seconds] : of.at("causes").items()) sum += seconds.get<double>();
    EXPECT_NEAR(row.at("seconds").get<double>(), sum, 1e-9);
    EXPECT_NEAR(of.at("least_seconds").get<double>(),
                case_in(memory, cheap).at("seconds").get<double>(), 1e-9);
    EXPECT_NEAR(of.at("most_seconds").get<double>(),
                case_in(memory, dear).at("seconds").get<double>(), 1e-9);
  }
  EXPECT_TRUE(says(usual.at("notes"), "device_copy 100 GB/s"));
  EXPECT_TRUE(says(usual.at("left_out"), "m, system: not served"));
}

TEST(Predictions, AnAssumedFigureCountsFromAHundredthOfTheTimeOn) {
  const auto names_free = [](double share) {
    MachineRates rates = plain_rates(100);
    auto& free = rates.costs[{"free", MemorySpace::Managed}];
    free = {0, 0};
    const double rest = case_in("managed", answer(heat_task(rates), {described()})).at("seconds");
    free = {share * rest / (1 - share) / 2, 0};  // of two arrays
    const Record row = case_in("managed", answer(heat_task(rates), {described()}));
    return says(row.at("prediction").at("assumed"), "free, managed memory");
  };
  EXPECT_FALSE(names_free(0.009));
  EXPECT_TRUE(names_free(0.011));
  EXPECT_TRUE(names_free(0.09));
}

TEST(Predictions, APrefetchConcernsMemoryThatMigratesAndNoOther) {
  for (const bool by_host : {true, false}) {
    PredictedTask task = heat_task(plain_rates(100));
    for (const MemorySpace space : {MemorySpace::Device, MemorySpace::HostPinned})
      task.assumed->costs.erase({"prefetch to device", space});
    task.first_touch = by_host ? Executor::Host : Executor::Device;
    const Record without = answer(task, {described()});
    task.prefetch = true;
    const Record with = answer(task, {described()});
    for (const char* memory : {"device", "host-pinned"})
      EXPECT_EQ(case_in(memory, with), case_in(memory, without)) << memory << by_host;
    EXPECT_NE(case_in("managed", with), case_in("managed", without)) << by_host;
  }
}

TEST(Predictions, WithoutCostsOfPagesTheStepsAloneAreComparedAndWhatIsMissingIsNamed) {
  MachineDescription one = described("one"), two = described("two");
  for (auto* each : {&one, &two}) {
    each->parameters["address_translation"] = {.value = "none", .source = "s"};
    each->parameters["gpu_multiprocessors"] = {.value = 132, .source = "s"};
  }
  one.measured["device_memory"] = {.gbs = 1000, .measured = true, .source = "s"};
  two.measured["device_memory"] = {.gbs = 3000, .measured = true, .source = "s"};
  PredictedTask task{.application = application("heat"), .iterations = 10};
  Record all = answer(task, {one, two});
  EXPECT_TRUE(all.at("predictions").at("steps_alone"));
  EXPECT_TRUE(
      says(all.at("sentences"), "two is predicted to be 3.00 times (2.71 to 3.31) as fast"));
  EXPECT_TRUE(says(all.at("notes"), "one: wall times need allocate, device memory; "));
  EXPECT_NE(all.at("problem").get<std::string>().find("sweeps alone"), std::string::npos);
  const Record row = case_in("device", all);
  EXPECT_NEAR(row.at("seconds").get<double>(), 10 * row.at("median_step").get<double>(), 1e-9);
  task.assumed = plain_rates(100);
  all = answer(task, {one, two});
  EXPECT_FALSE(all.at("predictions").at("steps_alone"));
  EXPECT_GT(case_in("device", all).at("seconds"), row.at("seconds"));
}

TEST(Predictions, BestAgainstBestIsOfTheFastestKindAndOneKindIsSetAgainstItself) {
  PredictedTask task{.application = application("himeno"), .iterations = 120};
  task.assumed = plain_rates(100);
  task.assumed->rates["device_copy"].value *= 10;
  const Record all = answer(task, {described()});
  std::vector<std::string> kinds;
  for (const Record& row : all.at("cases"))
    if (row.at("kind") != "single")
      kinds.push_back(row.at("kind").get<std::string>() + " " +
                      row.at("memory").get<std::string>());
  EXPECT_EQ(kinds,
            (std::vector<std::string>{
                "temporal:2 device, filled by host", "temporal:3 device, filled by host",
                "temporal:4 device, filled by host", "temporal:96 host-pinned, filled by host"}));
  task.iterations = 3;
  EXPECT_EQ(case_in("device", answer(task, {described()}), "temporal:4"), Record())
      << "himeno refuses fewer sweeps than a pass makes";
}

TEST(Predictions, TheFirstStepMovesThePagesAndTheMachinesCoresFillThem) {
  const auto managed = [&](int cores) {
    MachineDescription of = described();
    of.parameters["host_cores"] = {.value = cores, .source = "s"};
    return case_in("managed", answer(heat_task(plain_rates(100)), {of}));
  };
  const double bytes = model::GridCase{{}, model::heat, {768, 768, 768}}.bytes();
  const Record row = managed(4);
  EXPECT_NEAR(row.at("first_step").get<double>() - row.at("median_step").get<double>(),
              bytes / (1.04 * 100e9), 1e-9);
  const auto filling = [&](int cores) {
    return managed(cores).at("prediction").at("causes").at("host memory").get<double>();
  };
  EXPECT_NEAR(filling(4) - filling(8), bytes * 0.9e-9 * (1. / 4 - 1. / 8), 1e-9);
}

TEST(Predictions, SpeedsAreOperationsOrBytesOverTheTimeOfTheSteps) {
  const auto speed_times_step = [](const char* program, const std::string& size) {
    PredictedTask task{.application = application(program), .size = size, .iterations = 10};
    task.assumed = plain_rates(100);
    const Record row = case_in("device", answer(task, {described()}),
                               program == std::string("transpose") ? "portable" : "single");
    EXPECT_NEAR(row.at("bandwidth_gbs").get<double>() / row.at("limit_gbs").get<double>(),
                row.at("fraction").get<double>(), 1e-9);
    return row.at("speed").get<double>() * row.at("median_step").get<double>();
  };
  EXPECT_NEAR(speed_times_step("himeno", "L"), 34e-9 * 253 * 253 * 509, 1e-6);
  EXPECT_NEAR(speed_times_step("himeno", "l"), 34e-9 * 253 * 253 * 509, 1e-6);
  EXPECT_NEAR(speed_times_step("heat", "256x256x512"), 9e-9 * 254 * 254 * 510, 1e-6);
  EXPECT_NEAR(speed_times_step("transpose", "8192x4096"), 2 * 4e-9 * 8192 * 4096, 1e-6);
}

TEST(Predictions, UnderAtsTheyAssumeAMemoryModeSayWhichAndLeaveOutWhatDoesNotFit) {
  MachineDescription of = described();
  of.parameters["address_translation"] = {.value = "ATS", .source = "s"};
  of.parameters["gpu_memory_bytes"] = {.value = 7e9, .source = "s"};  // the grid has 7.3e9
  const auto all = [&] { return answer(heat_task(plain_rates(100)), {of}); };
  EXPECT_TRUE(says(all().at("notes"),
                   "m: memory mode numa (assumed: it gives no parameters.memory_mode)."));
  EXPECT_TRUE(says(all().at("left_out"), "m, device: does not fit: "));
  const double moved = case_in("system", all()).at("seconds").get<double>();
  of.parameters["memory_mode"] = {.value = "driver", .source = "s"};
  EXPECT_TRUE(says(all().at("notes"), "m: memory mode driver (CDMM)."));
  EXPECT_NE(case_in("system", all()).at("seconds").get<double>(), moved) << "pages stay";
  of.parameters["host_memory_bytes"] = {.value = 7e9, .source = "s"};
  EXPECT_TRUE(says(all().at("left_out"), "m, host-pinned: does not fit: "));
}

TEST(Predictions, ScalingIsInThePlaceOfMeasuredScalingAndHasARange) {
  MachineDescription of = described();
  of.parameters["gpus_per_node"] = {.value = 4, .source = "s"};
  PredictedTask task{.application = application("himeno"), .iterations = 10, .nodes = 1};
  task.assumed = plain_rates(100);
  task.assumed->paths[{"", false}] = {.latency = 1e-6, .rate = 100e9};
  task.fused = 1;
  const Record all = answer(task, {of});
  ASSERT_EQ(all.at("scaling").size(), 2U) << "strong and weak, of the kind that is asked for";
  const Record row = all.at("scaling").at(0);
  model::GridCase whole{{}, model::himeno, {512, 512, 1024}};
  whole.of_node = 4;
  const auto pass = [&](double dear) {
    const MachineRates rates = model::dearer(*task.assumed, dear);
    return pass_on_ranks(*best_decomposition(whole, 4, *task.assumed), rates);
  };
  const double flops = 34e-9 * 509 * 509 * 1021;
  EXPECT_NEAR(row.at("rate").get<double>(), flops / pass(1).total, 1e-6);
  EXPECT_NEAR(row.at("rates").at(0).get<double>(), flops / pass(2).total, 1e-6);
  EXPECT_NEAR(row.at("rates").at(1).get<double>(), flops / pass(0.5).total, 1e-6);
  EXPECT_NEAR(row.at("exposed_messages").get<double>(), 1 - pass(1).sweeps / pass(1).total, 1e-9);
  EXPECT_DOUBLE_EQ(row.at("efficiency").get<double>(), 1) << "over the first one predicted";
}

/// A predicted run of a second and a half in this memory.
Record predicted(const char* memory, double least, double most) {
  Record record = steady(memory, 0.1);
  record["prediction"] = {
      {"least_seconds", least}, {"most_seconds", most}, {"assumed", Record::array()}};
  return record;
}
Record longer(Record record, double times) {
  for (Record& each : record["sweeps"]["seconds"]) each = times * each.get<double>();
  for (auto& [name, each] : record["phases"].items()) each = times * each.get<double>();
  return record;
}

TEST(Predictions, OfTwoMachinesTheRatioHasARangeAndRangesThatOverlapTellNothing) {
  const auto said = [](double most_of_fast, double least_of_slow) {
    return Compared({{"fast", {predicted("device", 1.4, most_of_fast)}},
                     {"slow", {longer(predicted("device", least_of_slow, 3.3), 2)}}})
        .said()
        .front();
  };
  EXPECT_TRUE(says(Record::array({said(1.6, 2.8)}),
                   "fast is predicted to be 2.00 times (1.75 to 2.36) as fast"));
  EXPECT_TRUE(says(Record::array({said(1.6, 1.6)}),
                   "No difference can be predicted between fast and slow"));
  EXPECT_TRUE(says(Record::array({said(2.9, 2.8)}),
                   "No difference can be predicted between fast and slow"));
}

TEST(Predictions, OnOneMachineMemoriesAreToldApartAtTheSameEndOfItsFigures) {
  const auto told = [](double least, double most) {
    const Compared a(
        {{"a", {predicted("device", 1.4, 1.7), longer(predicted("managed", least, most), 1.1)}}});
    return times_as_fast(a.ranked()[0], a.ranked()[1]).told();
  };
  EXPECT_TRUE(told(1.45, 1.8)) << "slower at both ends, though the ranges overlap";
  EXPECT_FALSE(told(1.35, 1.9));
  EXPECT_FALSE(told(1.5, 1.65));
}

}  // namespace
}  // namespace memstencil::compare
