// Pins the model of transpose by hand-computed times.
#include "app/model/transpose_model.hpp"
#include "tests/app/model/model_checks.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace memstencil::model
