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

/// Of runs at once, which last so long, by these sources.
std::vector<Energy> measured(const std::vector<std::optional<EnergySource>>& gpus,
                             const std::string& refused, int milliseconds) {
  const Communicator ranks;
  std::vector<EnergyMeter> meters;
  for (const auto& gpu : gpus) meters.emplace_back(gpu, refused, ranks).start();
  ranks.barrier();
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  ranks.barrier();
  std::vector<Energy> energies;
  for (EnergyMeter& meter : meters) energies.push_back(meter.stop().value());
  return energies;
}

TEST(EnergyOfARun, IsTheCountersDifferenceOfEachGpuOnceUnlessADriverDoesNotCount) {
  const Communicator ranks;
  EnergySource own = gpu_of("GPU-" + std::to_string(ranks.rank())), silent = gpu_of("GPU-1");
  const double clock = 1755.0 + ranks.rank();
  own.clocks = [clock] { return GpuClocks{clock, 3200.0, {}}; };
  silent.joules = [] { return std::optional<double>(); };
  const auto energies = measured({gpu_of("GPU-shared"), own, silent}, "", 1150);
  if (!ranks.root()) return;
  const Energy &shared = energies[0], &all = energies[1], &none = energies[2];
  ASSERT_TRUE(shared.gpus && all.gpus && none.gpus) << shared.left_out.value_or("");
  EXPECT_EQ(shared.gpus->count, 1);
  EXPECT_NEAR(shared.gpus->mean_watts.value_or(0), 500, busy);
  EXPECT_NEAR(shared.gpus->joules.value_or(0), 500 * shared.seconds, busy * shared.seconds);
  EXPECT_EQ(shared.gpus->sm_clock_mhz, 1755.0);
  EXPECT_EQ(shared.gpus->throttled, std::vector<std::string>{"power cap"});
  EXPECT_FALSE(shared.left_out);
  EXPECT_EQ(all.gpus->count, ranks.size());
  EXPECT_EQ(all.gpus->sm_clock_mhz, 1755.0) << "the lowest";
  EXPECT_NEAR(all.gpus->joules.value_or(0), 500 * ranks.size() * all.seconds, busy * ranks.size());
  EXPECT_FALSE(none.gpus->joules);
  EXPECT_EQ(none.left_out, "the driver does not count the energy of this GPU");
}

TEST(EnergyOfARun, IsLeftOutUnderASecondButForTheClocksOfTheGpu) {
  const Energy energy = measured({gpu_of("GPU-1")}, "", 20)[0];
  if (!Communicator().root()) return;
  ASSERT_TRUE(energy.gpus);
  EXPECT_FALSE(energy.gpus->joules || energy.gpus->mean_watts);
  EXPECT_EQ(energy.gpus->sm_clock_mhz, 1755.0);
  EXPECT_TRUE(energy.throttled());
  EXPECT_TRUE(contains(energy.left_out.value_or(""), "renewed every 20 to 100 ms need 1 s"));
}

TEST(EnergyOfARun, IsLeftOutWhereOneRanksGpuDoesNotTellItWhateverBytesItsReasonHas) {
  const Communicator ranks;
  const bool last = ranks.rank() == ranks.size() - 1;
  const Energy energy = measured({last ? std::nullopt : std::optional(gpu_of("GPU-1"))},
                                 last ? "NVML: \xff\xfe failed" : "", 20)[0];
  if (!ranks.root()) return;
  EXPECT_FALSE(energy.gpus && energy.gpus->joules);
  EXPECT_EQ(energy.left_out, "NVML: \xef\xbf\xbd\xef\xbf\xbd failed");
  EXPECT_TRUE(contains(to_json(to_record(energy)), " failed"));
}

TEST(EnergyOfARun, IsNotThereIfTheHostComputes) {
  const Communicator ranks;
  EnergyMeter meter(Executor::Host, ranks);
  meter.start();
  EXPECT_FALSE(meter.stop());
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
  energy.gpus.reset();
  ASSERT_EQ(lines_of(energy).size(), 1u);
  EXPECT_EQ(lines_of(energy)[0].value, "left out: too short");
}

}  // namespace
}  // namespace memstencil
