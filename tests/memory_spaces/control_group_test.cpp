// Pins what control groups leave of the memory, from small copies of both
// layouts of their file system.
#include "memory_spaces/control_group.hpp"
#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace memstencil::host_memory {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

struct ControlGroup : ::testing::Test {
  TemporaryFolder root;

  std::size_t left() const { return control_group_bytes(root.path()); }
  void add_v2(const std::string& group, const std::string& limit, const std::string& used,
              const std::string& file) {
    const std::string folder = "sys/fs/cgroup/" + group + "/";
    root.write(folder + "memory.max", limit + "\n");
    root.write(folder + "memory.current", used + "\n");
    root.write(folder + "memory.stat",
               "anon 1\nfile 9999\nactive_file 7\ninactive_file " + file + "\nslab 3\n");
  }
};

TEST_F(ControlGroup, WithoutALimitLeavesEverything) {
  EXPECT_EQ(left(), unlimited);
  root.write("proc/self/cgroup", "0::/job\n");
  EXPECT_EQ(left(), unlimited);
  add_v2("job", "max", "5000", "0");
  EXPECT_EQ(left(), unlimited);
}

TEST_F(ControlGroup, LeavesItsLimitLessWhatIsUsed) {
  root.write("proc/self/cgroup", "0::/job\n");
  add_v2("job", "10000", "4000", "0");
  EXPECT_EQ(left(), 6000U);
  add_v2("job", "10000", "10001", "0");
  EXPECT_EQ(left(), 0U);
}

TEST_F(ControlGroup, CountsFilePagesOutOfUseAsFree) {
  root.write("proc/self/cgroup", "0::/job\n");
  add_v2("job", "10000", "9000", "7500");
  EXPECT_EQ(left(), 8500U);
  add_v2("job", "10000", "9000", "9001");
  EXPECT_EQ(left(), 10000U);
}

TEST_F(ControlGroup, IsBoundByTheGroupsAroundIt) {
  root.write("proc/self/cgroup", "0::/slurm/job/step\n");
  add_v2("slurm/job/step", "max", "100", "0");
  add_v2("slurm/job", "10000", "4000", "1000");
  add_v2("slurm", "100000", "50000", "0");
  EXPECT_EQ(left(), 7000U);
}

TEST_F(ControlGroup, InAContainerIsTheMountItself) {
  root.write("proc/self/cgroup", "0::/docker/0123\n");
  add_v2("", "10000", "4000", "0");
  EXPECT_EQ(left(), 6000U);
}

TEST_F(ControlGroup, OfTheOlderLayoutIsReadToo) {
  root.write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/user/job\n0::/\n");
  const std::string user = "sys/fs/cgroup/memory/user/";
  root.write(user + "job/memory.limit_in_bytes", "9223372036854771712\n");
  root.write(user + "job/memory.usage_in_bytes", "100\n");
  root.write(user + "memory.limit_in_bytes", "8000\n");
  root.write(user + "memory.usage_in_bytes", "5000\n");
  // In this layout the plain names are of the group alone, without those below.
  root.write(user + "memory.stat", "cache 9\ninactive_file 1\ntotal_inactive_file 2000\n");
  EXPECT_EQ(left(), 5000U);
}

}  // namespace
}  // namespace memstencil::host_memory
