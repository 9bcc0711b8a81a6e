// Energy as a record and as text, and the sensors of a host.
#include "app/common/machine/energy.hpp"

#include "app/common/machine/host_power.hpp"
#include "tests/app/common/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

Energy five_seconds() {
  Energy energy;
  energy.seconds = 5;
  energy.gpus = Energy::Part{};  // Clang 16 knows no emplace() of this nested class
  Energy::Part& gpus = *energy.gpus;
  gpus.count = 1;
  gpus.from = "counter";
  gpus.joules = 2500;
  gpus.mean_watts = 500;
  gpus.max_watts = 612.5;
  gpus.sm_clock_mhz = 1755;
  gpus.memory_clock_mhz = 3200;
  gpus.throttled = std::vector<std::string>{"power cap", "software thermal slowdown"};
  return energy;
}

TEST(EnergyRecord, IsReadAsItWasWritten) {
  Energy energy = five_seconds();
  energy.divide(1000, 2.5e9);
  const Record written = to_record(energy);
  EXPECT_EQ(written["gpus"]["joules_per_iteration"], 2.5);
  EXPECT_EQ(written["gpus"]["gflops_per_watt"], 1.0);
  EXPECT_EQ(to_record(from_record<Energy>(written, "")).dump(), written.dump());
}

TEST(EnergyText, HasJoulesPowerClocksAndThrottling) {
  Energy energy = five_seconds();
  energy.divide(1000, 2.5e9);
  const auto lines = lines_of(energy);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].first, "energy of the GPU");
  EXPECT_EQ(lines[0].second,
            "2500 J (counter), mean 500 W, largest 612.5 W, 2.5 J an iteration, 1 GFLOPS/W");
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

struct HostPowerTest : ::testing::Test {
  TemporaryFolder root;

  void add_meter(int number, const std::string& label, const std::string& microwatts) const {
    const std::string folder = "sys/class/hwmon/hwmon" + std::to_string(number) + "/device/";
    root.write(folder + "power1_oem_info", label + "\n");
    root.write(folder + "power1_average", microwatts + "\n");
  }
};

TEST_F(HostPowerTest, OfAGraceIsThatOfItsSocketsAndNotOfTheirParts) {
  add_meter(1, "Module Power Socket 0", "600000000");
  add_meter(2, "Grace Power Socket 0", "150000000");
  add_meter(3, "CPU Power Socket 0", "100000000");
  add_meter(4, "SysIO Power Socket 0", "20000000");
  add_meter(5, "Grace Power Socket 1", "125500000");
  const HostPower power(root.path());
  EXPECT_EQ(power.sensors(), "Grace Power Socket 0, Grace Power Socket 1");
  EXPECT_EQ(power.watts(), 275.5);
  EXPECT_FALSE(power.joules());
}

TEST_F(HostPowerTest, IsThatOfTheCoresWhereNothingElseIsTold) {
  add_meter(0, "CPU Power Socket 0", "100000000");
  EXPECT_EQ(HostPower(root.path()).watts(), 100.0);
}

TEST_F(HostPowerTest, IsCountedByTheSocketsOfAmd) {
  const std::string folder = "sys/class/hwmon/hwmon3/";
  root.write(folder + "energy1_label", "Ecore000\n");
  root.write(folder + "energy1_input", "7\n");
  root.write(folder + "energy65_label", "Esocket0\n");
  root.write(folder + "energy65_input", "2500000\n");
  const HostPower power(root.path());
  EXPECT_EQ(power.sensors(), "Esocket0");
  EXPECT_EQ(power.joules(), 2.5);
  EXPECT_FALSE(power.watts());
}

TEST_F(HostPowerTest, IsNotKnownWithoutAReadableSensor) {
  EXPECT_EQ(HostPower(root.path()).sensors(), "");
  add_meter(0, "Grace Power Socket 0", "not a number");
  root.write("sys/class/hwmon/hwmon7/power1_average",
             "5000000\n");  // of a disk: without a label of ours
  const HostPower power(root.path());
  EXPECT_EQ(power.sensors(), "");
  EXPECT_FALSE(power.watts() || power.joules());
}

}  // namespace
}  // namespace memstencil
