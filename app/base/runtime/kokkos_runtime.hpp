// Kokkos for the length of a program.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <string>

namespace memstencil {

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
