// The sizes of the host's caches, on which the host kernels' choices depend.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace memstencil {

/// Bytes of a core's second-level cache, and of the last level that cores share.
struct HostCaches {
  std::size_t second_level;
  std::size_t last_level;
};

/// Bytes of the cache of that level, as Linux tells; 0 if it does not.
/// @param folder the caches of a processor: /sys/devices/system/cpu/cpu0/cache
inline std::size_t cache_bytes(const std::string& folder, int level) {
  for (int n = 0;; ++n) {
    const std::string cache = folder + "/index" + std::to_string(n);
    int found = 0;
    std::size_t kib = 0;
    if (!(std::ifstream(cache + "/level") >> found)) return 0;
    if (found == level && std::ifstream(cache + "/size") >> kib) return kib * 1024;  // "1024K"
  }
}

/// As the C library has it, and on Arm, which has none there, as Linux has it; if neither does, the
/// sizes of a common server.
inline HostCaches host_caches() {
  static const HostCaches caches = [] {
    const auto bytes = [](int name, int level, std::size_t common) {
      if (const long told = sysconf(name); told > 0) return static_cast<std::size_t>(told);
      const std::size_t told = cache_bytes("/sys/devices/system/cpu/cpu0/cache", level);
      return told > 0 ? told : common;
    };
    return HostCaches{bytes(_SC_LEVEL2_CACHE_SIZE, 2, std::size_t{1} << 20),
                      bytes(_SC_LEVEL3_CACHE_SIZE, 3, std::size_t{32} << 20)};
  }();
  return caches;
}

}  // namespace memstencil
