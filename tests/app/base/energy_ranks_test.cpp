// Pins how the energy of a timed part is put together: from counters, each GPU once, and nothing if
// it would mislead, with sources of the test's own; and energy as a record and as text.
#include "app/base/machine/energy.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace memstencil {
namespace {

using Clock = std::chrono::steady_clock;

/// Draws 500 W.
EnergySource gpu_of(const std::string& name) {
  return {.name = name,
          .joules =
              [] {
                const std::chrono::duration<double> now = Clock::now().time_since_epoch();
                return std::optional(500 * now.count());
              },
          .clocks =
              [] {
                return GpuClocks{1755.0, 3200.0, {{"power cap"}}};
              }};
}

// On a busy machine a counter and the clock are read at different times: what a mean of 500 W may
// be off.
constexpr double busy = 150;

Energy measured(const Communicator& ranks, const std::optional<EnergySource>& gpu,
                const std::string& refused = "", int milliseconds = 1150) {
  EnergyMeter meter(gpu, refused, ranks);
  meter.start();
  ranks.barrier();
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ranks.barrier();
  return meter.stop().value();
}

TEST(EnergyOfARun, IsTheCountersDifferenceAndAGpuOfSeveralRanksCountsOnce) {
  const Communicator ranks;
  const Energy energy = measured(ranks, gpu_of("GPU-shared"));
  if (!ranks.root()) return;
  ASSERT_TRUE(energy.gpus) << energy.left_out.value_or("");
  EXPECT_EQ(energy.gpus->count, 1);
  EXPECT_NEAR(energy.gpus->mean_watts.value_or(0), 500, busy);
  EXPECT_NEAR(energy.gpus->joules.value_or(0), 500 * energy.seconds, busy * energy.seconds);
  EXPECT_EQ(energy.gpus->sm_clock_mhz, 1755.0);
  EXPECT_EQ(energy.gpus->throttled, std::vector<std::string>{"power cap"});
  EXPECT_FALSE(energy.left_out);
}

TEST(EnergyOfARun, IsTheSumOfAllGpus) {
  const Communicator ranks;
  const std::string own = "GPU-" + std::to_string(ranks.rank());
  EnergySource gpu = gpu_of(own);
  const double clock = 1755.0 + ranks.rank();
  gpu.clocks = [clock] { return GpuClocks{clock, 3200.0, {}}; };
  const Energy energy = measured(ranks, gpu);
  if (!ranks.root()) return;
  ASSERT_TRUE(energy.gpus) << energy.left_out.value_or("");
  EXPECT_EQ(energy.gpus->count, ranks.size());
  EXPECT_EQ(energy.gpus->sm_clock_mhz, 1755.0) << "the lowest";
  EXPECT_NEAR(energy.gpus->joules.value_or(0), 500 * ranks.size() * energy.seconds,
              busy * ranks.size());
}

TEST(EnergyOfARun, IsLeftOutUnderASecondButForTheClocksOfTheGpu) {
  const Communicator ranks;
  const Energy energy = measured(ranks, gpu_of("GPU-1"), "", 20);
  if (!ranks.root()) return;
  ASSERT_TRUE(energy.gpus);
  EXPECT_FALSE(energy.gpus->joules || energy.gpus->mean_watts);
  EXPECT_EQ(energy.gpus->sm_clock_mhz, 1755.0);
  EXPECT_TRUE(energy.throttled());
  EXPECT_TRUE(contains(energy.left_out.value_or(""), "renewed every 20 to 100 ms need 1 s"));
}

TEST(EnergyOfARun, IsLeftOutWhereOneRanksGpuDoesNotTellIt) {
  const Communicator ranks;
  const bool last = ranks.rank() == ranks.size() - 1;
  const Energy energy = measured(ranks, last ? std::nullopt : std::optional(gpu_of("GPU-1")),
                                 last ? "NVML does not start: Driver Not Loaded" : "", 20);
  if (!ranks.root()) return;
  EXPECT_FALSE(energy.gpus && energy.gpus->joules);
  EXPECT_EQ(energy.left_out, "NVML does not start: Driver Not Loaded");
}

TEST(EnergyOfARun, IsLeftOutWhereADriverDoesNotCount) {
  const Communicator ranks;
  EnergySource gpu = gpu_of("GPU-1");
  gpu.joules = [] { return std::optional<double>(); };
  const Energy energy = measured(ranks, gpu);
  if (!ranks.root()) return;
  ASSERT_TRUE(energy.gpus);
  EXPECT_FALSE(energy.gpus->joules);
  EXPECT_EQ(energy.left_out, "the driver does not count the energy of this GPU");
}

TEST(EnergyOfARun, IsNotThereIfTheHostComputes) {
  const Communicator ranks;
  EnergyMeter meter(Executor::Host, ranks);
  meter.start();
  EXPECT_FALSE(meter.stop());
}

TEST(EnergyOfARun, IsARecordWhateverBytesTheDriversWordsHave) {
  const Communicator ranks;
  const Energy energy = measured(ranks, std::nullopt, "NVML: \xff\xfe failed", 1);
  if (!ranks.root()) return;
  EXPECT_TRUE(contains(energy.left_out.value_or(""), "NVML: "));
  EXPECT_TRUE(contains(to_json(to_record(energy)), " failed"));
}

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
