// Pins how the energy of a timed part is put together: from counters or from power, each GPU and
// host once, and nothing where it would mislead. The sources are the test's own.
#include "app/common/machine/energy.hpp"

#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace memstencil {
namespace {

using Clock = std::chrono::steady_clock;

/// Draws 500 W and tells it by a counter, by its power, or by both.
PowerSource gpu_of(const std::string& name, bool counts, bool tells_power) {
  PowerSource source{
      .name = name,
      .sensors = {},
      .joules = {},
      .watts = {},
      .throttle_reasons = [] { return std::vector<std::string>{"power cap"}; },
      .clocks = [] { return std::pair(std::optional(1755.0), std::optional(3200.0)); }};
  if (counts)
    source.joules = [] {
      return std::optional(500 *
                           std::chrono::duration<double>(Clock::now().time_since_epoch()).count());
    };
  if (tells_power) source.watts = [] { return std::optional(500.0); };
  return source;
}

PowerSource host_of(const std::string& name) {
  PowerSource source = gpu_of(name, false, true);
  source.sensors = "Grace Power Socket 0";
  source.throttle_reasons = {};
  source.clocks = {};
  return source;
}

// On a busy machine a counter and the clock are read at different times: what a mean of 500 W may
// be off.
constexpr double busy = 150;

Energy measured(const Communicator& ranks, const std::optional<PowerSource>& gpu,
                const std::optional<PowerSource>& host, const std::string& refused = "",
                int milliseconds = 1150) {
  EnergyMeter meter(gpu, host, refused, ranks);
  meter.start();
  ranks.barrier();
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ranks.barrier();
  return meter.stop();
}

TEST(EnergyOfARun, IsTheCountersDifferenceAndAGpuOfSeveralRanksCountsOnce) {
  const Communicator ranks;
  const Energy energy = measured(ranks, gpu_of("GPU-shared", true, true), std::nullopt);
  if (!ranks.root()) return;
  ASSERT_TRUE(energy.gpus) << energy.left_out.value_or("");
  EXPECT_EQ(energy.gpus->count, 1);
  EXPECT_EQ(energy.gpus->from, "counter");
  EXPECT_NEAR(energy.gpus->mean_watts.value_or(0), 500, busy);
  EXPECT_NEAR(energy.gpus->joules.value_or(0), 500 * energy.seconds, busy * energy.seconds);
  EXPECT_EQ(energy.gpus->max_watts, 500.0);
  EXPECT_EQ(energy.gpus->sm_clock_mhz, 1755.0);
  EXPECT_EQ(energy.gpus->throttled, std::vector<std::string>{"power cap"});
  EXPECT_FALSE(energy.left_out || energy.hosts);
  EXPECT_EQ(energy.began.size(), std::string("2026-11-22T20:00:00.125Z").size()) << energy.began;
}

TEST(EnergyOfARun, IsThePowerOverTheTimeWithoutACounterAndTheSumOfAllGpus) {
  const Communicator ranks;
  const std::string own = "GPU-" + std::to_string(ranks.rank());
  const Energy energy = measured(ranks, gpu_of(own, false, true), host_of("a"));
  if (!ranks.root()) return;
  ASSERT_TRUE(energy.gpus && energy.hosts) << energy.left_out.value_or("");
  EXPECT_EQ(energy.gpus->count, ranks.size());
  EXPECT_EQ(energy.gpus->from, "power, integrated");
  EXPECT_NEAR(energy.gpus->joules.value_or(0), 500 * ranks.size() * energy.seconds,
              busy * ranks.size());
  EXPECT_EQ(energy.gpus->max_watts, 500.0 * ranks.size());
  EXPECT_EQ(energy.hosts->count, 1);
  EXPECT_EQ(energy.hosts->sensors, "Grace Power Socket 0");
  EXPECT_FALSE(energy.hosts->throttled);
}

TEST(EnergyOfARun, IsLeftOutUnderASecondButForTheClocksOfTheGpu) {
  const Communicator ranks;
  const Energy energy = measured(ranks, gpu_of("GPU-1", true, true), host_of("a"), "", 20);
  if (!ranks.root()) return;
  ASSERT_TRUE(energy.gpus);
  EXPECT_FALSE(energy.gpus->joules || energy.gpus->mean_watts || energy.gpus->max_watts);
  EXPECT_EQ(energy.gpus->sm_clock_mhz, 1755.0);
  EXPECT_TRUE(energy.throttled());
  EXPECT_FALSE(energy.hosts);
  EXPECT_TRUE(contains(energy.left_out.value_or(""), "renewed every 20 to 100 ms need 1 s"));
}

TEST(EnergyOfARun, IsLeftOutWhereOneRanksGpuDoesNotTellIt) {
  const Communicator ranks;
  const bool last = ranks.rank() == ranks.size() - 1;
  const Energy energy =
      measured(ranks, last ? std::nullopt : std::optional(gpu_of("GPU-1", true, true)),
               std::nullopt, last ? "NVML does not start: Driver Not Loaded" : "");
  if (!ranks.root()) return;
  EXPECT_FALSE(energy.gpus);
  EXPECT_EQ(energy.left_out, "NVML does not start: Driver Not Loaded");
}

TEST(EnergyOfARun, IsLeftOutWhereADriverTellsNeither) {
  const Communicator ranks;
  const Energy energy = measured(ranks, gpu_of("GPU-1", false, false), std::nullopt);
  if (!ranks.root()) return;
  EXPECT_FALSE(energy.gpus);
  EXPECT_EQ(energy.left_out, "the driver tells neither the energy nor the power of this GPU");
}

}  // namespace
}  // namespace memstencil
