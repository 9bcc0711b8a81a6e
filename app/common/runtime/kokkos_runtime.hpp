// Kokkos for the length of a program, and the proof that its tool chain computes.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <string>
#include <vector>

namespace memstencil {

/// Starts and ends Kokkos: one object in main, after ParallelRuntime, before any Buffer.
class KokkosRuntime {
public:
  /// `gpu` is ignored in a host-only build. Kokkos' own warnings (several lines a rank) are
  /// silenced: a program's errors are one line, and how threads are bound stands in the results.
  /// @throws Failure(Machine) where the build is for a GPU and none answers
  explicit KokkosRuntime(int gpu);
  ~KokkosRuntime();
  KokkosRuntime(const KokkosRuntime&) = delete;
  KokkosRuntime& operator=(const KokkosRuntime&) = delete;

  /// "4.7.0"
  static std::string version();
  /// "Cuda", "OpenMP", "Serial": the execution space of an executor.
  static std::string execution_space(Executor executor);
  /// Threads of the host execution space.
  static int host_threads();
};

/// A View over memory of each space is written by a kernel of the executor, read back and
/// reduced, in milliseconds: some compilers have laid views out differently on host and
/// device, and computed nothing.
/// @throws Failure(Verification) for anything wrong
void prove_tool_chain(Executor executor, const std::vector<MemorySpace>& spaces);

}  // namespace memstencil
