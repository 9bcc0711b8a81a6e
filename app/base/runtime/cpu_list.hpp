// CPUs as the kernel writes lists of them: "0-3,8".
#pragma once

#include <sched.h>

#include <array>
#include <cstddef>
#include <string>

namespace memstencil {

/// A mask for 16384 CPUs: more than Linux can be built for.
using CpuMask = std::array<cpu_set_t, 16>;

inline std::string cpu_list(const CpuMask& mask) {
  const auto in = [&](std::size_t cpu) { return CPU_ISSET_S(cpu, sizeof(mask), mask.data()) != 0; };
  std::string list;
  for (std::size_t first = 0; first < 8 * sizeof(mask); ++first) {
    if (!in(first)) continue;
    std::size_t last = first;
    while (last + 1 < 8 * sizeof(mask) && in(last + 1)) ++last;
    list += (list.empty() ? "" : ",") + std::to_string(first);
    if (last > first) list += "-" + std::to_string(last);
    first = last;
  }
  return list;
}

}  // namespace memstencil
