// Pins how the energy of a timed part is put together: from counters, each GPU once, and
// nothing where it would mislead. The sources are the test's own.
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

}  // namespace
}  // namespace memstencil
