// Pins the model of transpose by hand-computed times.
#include "app/compare/model/transpose_model.hpp"
#include "tests/app/compare/model/model_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace memstencil::model {
namespace {

TransposeCase gigabyte(MemorySpace space) {
  TransposeCase run;
  run.a_bytes = run.b_bytes = 1e9;
  run.iterations = 3;
  run.variants = {{"padded", 2.5e9, 2e9}};
  run.space = space;
  return run;
}

TEST(TransposeModel, AnIterationInDeviceMemoryTakesThePartOfTheCopyThatItsVariantReaches) {
  const Prediction prediction = predict(gigabyte(MemorySpace::Device), round_rates());
  ASSERT_EQ(prediction.sweeps.size(), 3);
  EXPECT_NEAR(prediction.sweeps[0].total(), 2e9 / 93e9 + 5e-6, 1e-9);
  EXPECT_NEAR(phase(prediction, "transpose"), 3 * (2e9 / 93e9 + 5e-6), 1e-9);
}

TEST(TransposeModel, BankConflictsBindByElementsHoweverFastTheMemory) {
  TransposeCase run = gigabyte(MemorySpace::Device);
  run.variants = {{"tiled", 2e9, 2e9}};
  MachineRates rates = round_rates();
  rates.rates[Rate::DeviceCopy].value = 1e15;
  rates.multiprocessors = 66;  // half of those that the pace was measured on
  EXPECT_NEAR(predict(run, rates).sweeps[0].total(), 250e6 / 106e9 + 5e-6, 1e-9);
  run.element_bytes = 8.0;
  EXPECT_NEAR(predict(run, rates).sweeps[0].total(), 125e6 / 106e9 + 5e-6, 1e-9);
}

TEST(TransposeModel, AnIterationOverTheLinkMovesWholeSectors) {
  const Prediction prediction = predict(gigabyte(MemorySpace::HostPinned), round_rates());
  EXPECT_NEAR(prediction.sweeps[1][Cause::Link], 2.5e9 / 100e9, 1e-9);
  EXPECT_EQ(prediction.sweeps[1][Cause::DeviceMemory], 0.0);
}

TEST(TransposeModel, PagesOfTheHostMoveInTheFirstIteration) {
  TransposeCase run = gigabyte(MemorySpace::Managed);
  run.access.first_touch = Executor::Host;
  const Prediction prediction = predict(run, round_rates());
  EXPECT_NEAR(prediction.sweeps[0][Cause::Migration], 2e9 / 100e9, 1e-9);
  EXPECT_EQ(prediction.sweeps[1][Cause::Migration], 0.0);
}

TEST(TransposeModel, DeviceMemoryPassesThroughAStagingBufferOfTheLargerMatrix) {
  TransposeCase run = gigabyte(MemorySpace::Device);
  run.access.first_touch = Executor::Host;
  const Prediction prediction = predict(run, round_rates());
  EXPECT_NEAR(phase(prediction, "upload"), 2e9 / 100e9, 1e-9);
  EXPECT_NEAR(phase(prediction, "download"), 1e9 / 100e9, 1e-9);
  EXPECT_NEAR(phase(prediction, "allocate"), 3.0 + 3 * 25e-6, 1e-9);
}

TEST(TransposeModel, InPlaceThereIsOneMatrix) {
  TransposeCase run = gigabyte(MemorySpace::Managed);
  run.b_bytes = 0.0;
  EXPECT_NEAR(phase(predict(run, round_rates()), "allocate"), 1.0 + 25e-6, 1e-9);
}

/// One of two ranks, which has 1 GB of either matrix: it sends half of A.
TransposeCase on_two_ranks(std::int64_t steps, bool stores) {
  TransposeCase run = gigabyte(MemorySpace::Device);
  run.variants = {{"copy", 0, 2e9}, {"any", 2e9, 2e9}};
  run.messages = {.path = "nccl", .bytes = 0.5e9, .steps = steps, .stores = stores};
  return run;
}

/// 10 us a message, and so many bytes a second.
MachineRates with_messages(double rate) {
  MachineRates rates = round_rates();
  rates.messages = {{"nccl", "all-to-all", false, 1.0, 1e-5},
                    {"nccl", "all-to-all", false, 0.1e9, 1e-5 + 0.1e9 / rate}};
  return rates;
}

TEST(TransposeOnRanks, TakesTheLongerOfItsMessagesAndAllOtherWorkBetweenTheFirstAndTheLastPiece) {
  const double turn = 2e9 / 90e9 + 5e-6, pack = turn / 2, received = turn / 2;
  const double copy = 2e9 / 100e9 + 5e-6;
  for (const auto& [rate, messages_bind] : {std::pair(1e9, true), std::pair(1e12, false)}) {
    const Prediction prediction = predict(on_two_ranks(5, false), with_messages(rate));
    const double beside = turn + pack - (pack + received) / 5;
    const double messages = 5 * 1e-5 + 0.5e9 / rate;
    EXPECT_NEAR(phase(prediction, "pack"), 3 * pack / 5, 1e-9);
    EXPECT_NEAR(phase(prediction, "exchange"), 3 * (messages_bind ? messages : beside), 1e-9);
    EXPECT_NEAR(phase(prediction, "transpose"), 3 * (received / 5 + copy), 1e-9);
    EXPECT_NEAR(prediction.sweeps.front().total(), copy, 1e-12) << "the copy sends nothing";
    EXPECT_NEAR(
        prediction.sweeps.sum().total(),
        phase(prediction, "pack") + phase(prediction, "exchange") + phase(prediction, "transpose"),
        1e-12);
  }
}

TEST(TransposeOnRanks, WhatIsStoredIntoOtherGpusIsTurnedOnce) {
  const double turn = 2e9 / 90e9 + 5e-6;
  EXPECT_NEAR(predict(on_two_ranks(1, true), with_messages(1e9)).sweeps.back().total(), 1e-5 + 0.5,
              1e-9);
  const Prediction hidden = predict(on_two_ranks(1, true), with_messages(1e12));
  EXPECT_NEAR(hidden.sweeps.back().total(), turn, 1e-9);
  EXPECT_EQ(phase(hidden, "pack") + phase(hidden, "exchange"), 0.0);
}

TEST(TransposeOnRanks, MessagesToOtherNodesAndInTheNodeGoAtTheSameTime) {
  TransposeCase run = on_two_ranks(1, true);
  run.messages->bytes_elsewhere = 0.25e9;
  const MessageRates assumed = assumed_bulk_rates("nccl");
  EXPECT_NEAR(predict(run, round_rates()).sweeps.back().total(),
              std::max(2e9 / 90e9 + 5e-6, assumed.between_nodes.seconds(0.25e9)), 1e-9);
}

}  // namespace
}  // namespace memstencil::model
