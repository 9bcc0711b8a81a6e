// Kokkos for the length of a program.
#include "app/base/runtime/kokkos_runtime.hpp"

#include "app/base/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"

#include <Kokkos_Core.hpp>

#include <iostream>
#include <mutex>

namespace memstencil {

KokkosRuntime::KokkosRuntime(int gpu) {
  std::string why;
  if (built_for_gpu() && gpu_count(&why) == 0)
    throw Failure(ExitCode::Machine,
                  why + "; run it on a GPU node, or build for the host with --preset openmp");
  Kokkos::InitializationSettings settings;
  if (gpu >= 0) settings.set_device_id(gpu);
  settings.set_disable_warnings(true);
  // What KOKKOS_PRINT_CONFIGURATION prints: stdout is the result's.
  std::streambuf* const cout = std::cout.rdbuf(std::cerr.rdbuf());
  Kokkos::initialize(settings);
  std::cout.rdbuf(cout);
}

KokkosRuntime::~KokkosRuntime() { Kokkos::finalize(); }

std::string KokkosRuntime::execution_space(Executor executor) {
  return executor == Executor::Host ? Kokkos::DefaultHostExecutionSpace::name()
                                    : Kokkos::DefaultExecutionSpace::name();
}

HostThreads KokkosRuntime::host_threads() {
  const Kokkos::DefaultHostExecutionSpace host;
  const int count = host.concurrency();
  CpuMask cpus{};
  std::mutex mutex;
  const auto add_own = [all = &cpus, one_at_a_time = &mutex](int) {
    CpuMask own{};
    if (sched_getaffinity(0, sizeof(own), own.data()) != 0) return;
    const std::lock_guard lock(*one_at_a_time);
    CPU_OR_S(sizeof(own), all->data(), all->data(), own.data());
  };
  Kokkos::parallel_for("CPUs of the threads",
                       Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(host, 0, count),
                       add_own);
  host.fence("CPUs of the threads");
  return {count, cpu_list(cpus)};
}

}  // namespace memstencil
