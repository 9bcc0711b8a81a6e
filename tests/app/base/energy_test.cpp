// Energy as a record and as text, and the counters of a host.
#include "app/base/machine/energy.hpp"

#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

Energy five_seconds() {
  Energy energy;
  energy.seconds = 5;
  energy.gpus = Energy::Part{};  // Clang 16 knows no emplace() of this nested class
  Energy::Part& gpus = *energy.gpus;
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

TEST(EnergyRecord, DividesTheOperationsByTheEnergyOfWhoComputes) {
  Energy energy = five_seconds();
  energy.hosts = Energy::Part{};
  energy.hosts->joules = 1000;
  energy.divide(1000, 2.5e9);
  EXPECT_EQ(energy.hosts->joules_per_iteration, 1.0);
  EXPECT_FALSE(energy.hosts->gflops_per_watt) << "the GPU's work";
  energy.gpus.reset();
  energy.divide(1000, 2.5e9);
  EXPECT_EQ(energy.hosts->gflops_per_watt, 2.5);
}

TEST(EnergyText, HasJoulesPowerClocksAndThrottling) {
  Energy energy = five_seconds();
  energy.divide(1000, 2.5e9);
  const auto lines = lines_of(energy);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].first, "energy of the GPU");
  EXPECT_EQ(lines[0].second, "2500 J, mean 500 W, 2.5 J an iteration, 1 GFLOPS/W");
  EXPECT_EQ(
      lines[1].second,
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
  EXPECT_EQ(lines[0].second, "left out: too short");
  EXPECT_EQ(lines[1].first, "clocks");
  EXPECT_FALSE(energy.gpus->joules_per_iteration || energy.gpus->gflops_per_watt);
}

TEST(EnergyText, SaysWhyThereIsNone) {
  Energy energy;
  energy.left_out = "no driver";
  ASSERT_EQ(lines_of(energy).size(), 1u);
  EXPECT_EQ(lines_of(energy)[0].second, "left out: no driver");
}

struct HostEnergyTest : ::testing::Test {
  TemporaryFolder root;

  void count(int package, const std::string& microjoules) const {
    const std::string folder = "sys/class/powercap/intel-rapl:" + std::to_string(package) + "/";
    root.write(folder + "name", "package-" + std::to_string(package) + "\n");
    root.write(folder + "max_energy_range_uj", "262143328850\n");
    root.write(folder + "energy_uj", microjoules + "\n");
  }
};

TEST_F(HostEnergyTest, IsTheSumOfAllPackagesAndOfNoPartOfThem) {
  count(0, "1000000");
  count(1, "5000000");
  root.write("sys/class/powercap/intel-rapl:0:0/name", "core\n");
  root.write("sys/class/powercap/intel-rapl:0:0/max_energy_range_uj", "1000000000\n");
  root.write("sys/class/powercap/intel-rapl:0:0/energy_uj", "7\n");
  HostEnergy energy(root.path());
  EXPECT_TRUE(energy.readable());
  EXPECT_EQ(energy.joules(), 0.0);
  count(0, "3500000");
  count(1, "6000000");
  EXPECT_EQ(energy.joules(), 3.5);
}

TEST_F(HostEnergyTest, GoesOnWhereACounterBeginsAnew) {
  count(0, "262143000000");
  HostEnergy energy(root.path());
  energy.joules();
  count(0, "1671150");
  EXPECT_NEAR(energy.joules().value_or(0), 2.0, 1e-6);
}

TEST_F(HostEnergyTest, IsNotKnownWhereACounterMayHaveBegunAnewTwice) {
  count(0, "0");
  HostEnergy energy(root.path());
  const auto now = HostEnergy::Clock::now();
  energy.joules(now);
  count(0, "5000000");
  EXPECT_FALSE(energy.joules(now + std::chrono::minutes(10)));
}

TEST_F(HostEnergyTest, IsNotKnownWhereNotAllCountersAreReadable) {
  EXPECT_FALSE(HostEnergy(root.path()).readable());
  count(0, "1000000");
  count(1, "not a number");
  HostEnergy energy(root.path());
  EXPECT_FALSE(energy.readable());
  EXPECT_FALSE(energy.joules());
}

}  // namespace
}  // namespace memstencil
