// Pins that the bytes of host memory that are available are what Linux tells in kilobytes.
#include "memory_spaces/control_group.hpp"
#include "memory_spaces/host_memory.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace memstencil::host_memory {
namespace {

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
