// Energy as a record and as text.
#include "app/base/machine/energy.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

Energy five_seconds() {
  Energy energy;
  energy.seconds = 5;
  energy.gpus = Energy::Gpus{};  // Clang 16 knows no emplace() of this nested class
  Energy::Gpus& gpus = *energy.gpus;
  gpus.count = 1;
  gpus.joules = 2500;
  gpus.mean_watts = 500;
  gpus.sm_clock_mhz = 1755;
  gpus.memory_clock_mhz = 3200;
  gpus.throttled = std::vector<std::string>{"power cap", "software thermal slowdown"};
  return energy;
}

TEST(EnergyRecord, HasWhatAnIterationCosts) {
  Energy energy = five_seconds();
  energy.divide(1000, 2.5e9);
  const Record written = to_record(energy);
  EXPECT_EQ(written["gpus"]["joules_per_iteration"], 2.5);
  EXPECT_EQ(written["gpus"]["gflops_per_watt"], 1.0);
}

TEST(EnergyText, HasJoulesPowerClocksAndThrottling) {
  Energy energy = five_seconds();
  energy.divide(1000, 2.5e9);
  const auto lines = lines_of(energy);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].name, "energy of the GPU");
  EXPECT_EQ(lines[0].value, "2500 J, mean 500 W, 2.5 J an iteration, 1 GFLOPS/W");
  EXPECT_EQ(
      lines[1].value,
      "SM 1755 MHz, memory 3200 MHz at the end; throttled: power cap, software thermal slowdown");
}

TEST(EnergyText, OfAShortRunHasItsClocksAlone) {
  Energy energy = five_seconds();
  energy.left_out = "too short";
  energy.gpus->joules.reset();
  energy.gpus->mean_watts.reset();
  energy.divide(1000, 2.5e9);
  const auto lines = lines_of(energy);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].value, "left out: too short");
  EXPECT_EQ(lines[1].name, "clocks");
  EXPECT_FALSE(energy.gpus->joules_per_iteration || energy.gpus->gflops_per_watt);
}

TEST(EnergyText, SaysWhyThereIsNone) {
  Energy energy;
  energy.left_out = "no driver";
  ASSERT_EQ(lines_of(energy).size(), 1u);
  EXPECT_EQ(lines_of(energy)[0].value, "left out: no driver");
}

}  // namespace
}  // namespace memstencil
