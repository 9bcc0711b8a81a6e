// Pins that the bytes of host memory that are available are what Linux tells in kilobytes.
#include "memory_spaces/control_group.hpp"
#include "memory_spaces/host_memory.hpp"

#include <gtest/gtest.h>

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
  const double there = std::min(1024 * kilobytes, static_cast<double>(control_group_bytes("/")));
  // Others take and give memory meanwhile.
  EXPECT_NEAR(static_cast<double>(available_bytes()) / there, 1, 0.2);
}

}  // namespace
}  // namespace memstencil::host_memory
