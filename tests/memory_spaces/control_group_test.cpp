// Pins what control groups leave of the memory, from small copies of both
// layouts of their file system.
#include "memory_spaces/host_memory.hpp"
#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace memstencil::host_memory {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

struct ControlGroup : ::testing::Test {
  TemporaryFolder root;

  std::size_t left() const { return control_group_room(root.path()).bytes; }
  void add_v2(const std::string& group, const std::string& limit, const std::string& used,
              const std::string& file) {
    const std::string folder = "sys/fs/cgroup/" + group + "/";
    root.write(folder + "memory.max", limit + "\n");
    root.write(folder + "memory.current", used + "\n");
    root.write(folder + "memory.stat", "anon 1\nfile 9999\ninactive_file " + file + "\nslab 3\n");
  }
};

TEST_F(ControlGroup, WithoutALimitLeavesEverythingAndWithOneTheRest) {
  EXPECT_EQ(left(), unlimited);
  root.write("proc/self/cgroup", "0::/job\n");
  EXPECT_EQ(left(), unlimited);
  add_v2("job", "max", "5000", "0");
  EXPECT_EQ(left(), unlimited);
  // With one: the limit less what is used.
  add_v2("job", "10000", "4000", "0");
  EXPECT_EQ(left(), 6000U);
  add_v2("job", "10000", "10001", "0");
  EXPECT_EQ(left(), 0U);
}

// Each number is a power of two, so that each statistic that is forgotten, or counted with the
// wrong sign, gives another sum.
TEST_F(ControlGroup, CountsAsFreeThePageCacheThatTheKernelGivesBackAtOnce) {
  root.write("proc/self/cgroup", "0::/job\n");
  add_v2("job", "100000", "90000", "0");
  root.write("sys/fs/cgroup/job/memory.stat",
             "anon 16384\nfile 32768\nshmem 8192\nfile_mapped 4\nfile_dirty 2\nfile_writeback 1\n"
             "inactive_anon 4096\nactive_anon 65536\ninactive_file 1024\nactive_file 2048\n"
             "slab_reclaimable 512\nslab_unreclaimable 256\n");
  EXPECT_EQ(left(), 10000U + 1024 + 2048 + 512 - 4 - 2 - 1);
}

TEST_F(ControlGroup, CountsNoMoreAsFreeThanIsUsedAndNoLessThanNothing) {
  root.write("proc/self/cgroup", "0::/job\n");
  add_v2("job", "10000", "9000", "9001");
  EXPECT_EQ(left(), 10000U);
  root.write("sys/fs/cgroup/job/memory.stat", "inactive_file 5\nfile_dirty 7\n");
  EXPECT_EQ(left(), 1000U);
}

TEST_F(ControlGroup, NamesTheLowerOfItsTwoLimits) {
  root.write("proc/self/cgroup", "0::/job\n");
  add_v2("job", "10000", "4000", "0");
  const auto limit = [&] {
    return std::filesystem::path(control_group_room(root.path()).limit).filename();
  };
  EXPECT_EQ(limit(), "memory.max");
  root.write("sys/fs/cgroup/job/memory.high", "9000\n");
  EXPECT_EQ(limit(), "memory.high");
  EXPECT_EQ(left(), 5000U);
  root.write("sys/fs/cgroup/job/memory.high", "max\n");
  EXPECT_EQ(limit(), "memory.max");
  EXPECT_EQ(left(), 6000U);
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
  root.write(user + "memory.stat",
             "cache 9\ninactive_file 1\ntotal_inactive_file 2000\ntotal_active_file 400\n"
             "total_shmem 100\ntotal_dirty 50\ntotal_writeback 8\ntotal_mapped_file 4\n");
  EXPECT_EQ(left(), 3000U + 2000 + 400 - 50 - 8 - 4);
}

TEST(HostBytes, AreThoseOfMeminfoOrOfTheControlGroup) {
  std::ifstream meminfo("/proc/meminfo");
  double kilobytes = 0;
  for (std::string key; meminfo >> key;)
    if (key == "MemAvailable:") meminfo >> kilobytes;
  ASSERT_GT(kilobytes, 0);
  const double there =
      std::min(1024 * kilobytes, static_cast<double>(control_group_room("/").bytes));
  // Others take and give memory meanwhile.
  EXPECT_NEAR(static_cast<double>(available_bytes()) / there, 1, 0.2);
}

TEST(AddressSpace, OfALimitedProcessIsLessByTheStacksOfThreadsToCome) {
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  rlimit limited = before;
  limited.rlim_cur = std::min<std::size_t>(before.rlim_max, used + (std::size_t{8} << 30));
  const std::size_t free = limited.rlim_cur - used;
  pthread_attr_t attributes;
  std::size_t stack = 0;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &stack);
  pthread_attr_destroy(&attributes);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
  const std::size_t alone = address_space_bytes(), with_five = address_space_bytes(5);
  setrlimit(RLIMIT_AS, &before);
  EXPECT_NEAR(static_cast<double>(alone), static_cast<double>(free), 1e8);
  EXPECT_NEAR(static_cast<double>(alone - with_five), 5.0 * static_cast<double>(stack), 1e6);
}

}  // namespace
}  // namespace memstencil::host_memory
