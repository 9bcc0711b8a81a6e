// Pins where the sizes of the host's caches come from.
#include "kernels/host_caches.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace memstencil {
namespace {

struct FakeCache {
  int level;
  std::string size;
};

// Grace: 64 KiB for instructions, 64 KiB for data, 1 MiB a core, 114 MiB for all.
TEST(HostCaches, OfGraceAsLinuxTells) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "memstencil_host_caches";
  const FakeCache caches[] = {{1, "64K"}, {1, "64K"}, {2, "1024K"}, {3, "116736K"}};
  int n = 0;
  for (const FakeCache& cache : caches) {
    const std::filesystem::path index = folder / ("index" + std::to_string(n++));
    std::filesystem::create_directories(index);
    std::ofstream(index / "level") << cache.level << '\n';
    std::ofstream(index / "size") << cache.size << '\n';
  }
  EXPECT_EQ(cache_bytes(folder, 2), std::size_t{1} << 20);
  EXPECT_EQ(cache_bytes(folder, 3), std::size_t{114} << 20);
  EXPECT_EQ(cache_bytes(folder, 4), 0U);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(cache_bytes(folder, 2), 0U);
}

TEST(HostCaches, GrowWithTheirLevel) {
  EXPECT_GT(host_caches().second_level, 0U);
  EXPECT_GE(host_caches().last_level, host_caches().second_level);
}

}  // namespace
}  // namespace memstencil
