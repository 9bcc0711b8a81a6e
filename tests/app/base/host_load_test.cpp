// What is told of a busy host, and of one that lets a program have a part of its CPUs, from files
// as Linux writes them.
#include "app/base/machine/host_load.hpp"

#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

class HostLoad : public testing::Test {
protected:
  void SetUp() override {
    root.write("proc/self/cgroup", "0::/system.slice/job_7\n");
    root.write("proc/loadavg", "3.25 2.10 1.00 4/320 4711\n");
    root.write("proc/pressure/cpu",
               "some avg10=12.50 avg60=3.00 avg300=1.00 total=1\nfull avg10=0.00 avg60=0.00\n");
    root.write(group + "cpu.stat", "usage_usec 9000000\nnr_throttled 12\nthrottled_usec 1500000\n");
  }
  const std::string group = "sys/fs/cgroup/system.slice/job_7/";
  TemporaryFolder root;
};

TEST_F(HostLoad, IsReadFromTheKernelsFiles) {
  const Record load = host_load(root.path());
  EXPECT_EQ(load["load_average"], 3.25);
  EXPECT_EQ(load["cpu_pressure_percent"], 12.5);
  EXPECT_EQ(load["throttled_seconds"], 1.5);
  const TemporaryFolder empty;
  for (const Record& value : host_load(empty.path())) EXPECT_TRUE(value.is_null());
}

TEST_F(HostLoad, AQuotaIsTheLeastOfTheGroupAndThoseAboveIt) {
  EXPECT_EQ(cpu_quota(root.path()), std::nullopt);
  root.write(group + "cpu.max", "max 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), std::nullopt);
  root.write("sys/fs/cgroup/system.slice/cpu.max", "30000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 0.3);
  root.write(group + "cpu.max", "200000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 0.3);
  root.write("sys/fs/cgroup/system.slice/cpu.max", "300000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 2);
}

TEST_F(HostLoad, IsSaidWhereItMakesFiguresLow) {
  const Record idle{{"load_average", 0.1}, {"cpu_pressure_percent", 0.2}, {"throttled_seconds", 2}};
  const Record unknown{
      {"load_average", nullptr}, {"cpu_pressure_percent", nullptr}, {"throttled_seconds", nullptr}};
  EXPECT_EQ(busy_text({{"before", idle}, {"after", idle}}), "");
  EXPECT_EQ(busy_text({{"before", unknown}, {"after", unknown}}), "");
  EXPECT_NE(busy_text({{"before", host_load(root.path())}, {"after", unknown}}).find("12 %"),
            std::string::npos);
  Record held = idle;
  held["throttled_seconds"] = 5;
  EXPECT_NE(busy_text({{"before", idle}, {"after", held}}).find("3.0 s"), std::string::npos);
}

}  // namespace
}  // namespace memstencil
