// Kokkos for the length of a program.
#include "app/base/runtime/kokkos_runtime.hpp"

#include "app/base/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil {

KokkosRuntime::KokkosRuntime(int gpu) {
  std::string why;
  if (built_for_gpu() && gpu_count(&why) == 0)
    throw Failure(ExitCode::Machine,
                  why + "; run it on a GPU node, or build for the host with --preset openmp");
  Kokkos::InitializationSettings settings;
  if (gpu >= 0) settings.set_device_id(gpu);
  settings.set_disable_warnings(true);
  Kokkos::initialize(settings);
}

KokkosRuntime::~KokkosRuntime() { Kokkos::finalize(); }

std::string KokkosRuntime::execution_space(Executor executor) {
  return executor == Executor::Host ? Kokkos::DefaultHostExecutionSpace::name()
                                    : Kokkos::DefaultExecutionSpace::name();
}

int KokkosRuntime::host_threads() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

}  // namespace memstencil
