// Kokkos for the length of a program; and CPUs as the kernel writes lists of them: "0-3,8".
#pragma once

#include "memory_spaces/memory_space.hpp"

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

struct HostThreads {
  int count = 1;
  std::string cpus;  ///< on which any of them may run, as cpu_list() writes them
};

/// Starts and ends Kokkos: one object in main, after ParallelRuntime, before any Buffer.
class KokkosRuntime {
public:
  /// `gpu` is ignored in a host-only build. Kokkos' own warnings (several lines a rank) are
  /// silenced: a program's errors are one line, and how threads are bound stands in the results.
  /// @throws Failure(Machine) if the build is for a GPU and none answers
  explicit KokkosRuntime(int gpu);
  ~KokkosRuntime();
  KokkosRuntime& operator=(KokkosRuntime&&) = delete;  // nor any copy

  /// "Cuda", "OpenMP", "Serial": the execution space of an executor.
  static std::string execution_space(Executor executor);
  /// Threads of the host execution space, which may have fewer CPUs than the process: OMP_PLACES.
  static HostThreads host_threads();
};

}  // namespace memstencil
