// Threads of the host's execution space.
#include "kernels/host_threads.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <thread>
#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace memstencil {

int host_threads() {
  if (const char* const asked = std::getenv("KOKKOS_NUM_THREADS"))
    return std::max(std::atoi(asked), 1);
#if defined(KOKKOS_ENABLE_OPENMP)
  return omp_get_max_threads();
#elif defined(KOKKOS_ENABLE_THREADS) || defined(KOKKOS_ENABLE_HPX)
  return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
#else
  return 1;
#endif
}

}  // namespace memstencil
