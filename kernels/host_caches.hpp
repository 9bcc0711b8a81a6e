// The sizes of the host's caches, on which the host kernels' choices depend.
#pragma once

#include <unistd.h>

#include <cstddef>

namespace memstencil {

/// Bytes of a core's second-level cache, and of the last level that cores share.
struct HostCaches {
  std::size_t second_level;
  std::size_t last_level;
};

/// As the C library tells; where it does not (Arm servers), the size of a common core of that kind.
inline HostCaches host_caches() {
  const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return {l2 > 0 ? static_cast<std::size_t>(l2) : std::size_t{1} << 20,
          l3 > 0 ? static_cast<std::size_t>(l3) : std::size_t{32} << 20};
}

}  // namespace memstencil
