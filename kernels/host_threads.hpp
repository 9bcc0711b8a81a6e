// Threads of the host's execution space.
#pragma once

namespace memstencil {

/// Their number, as the environment asks; the space need not have started. Of a space that is not
/// OpenMP or Serial all CPUs, if KOKKOS_NUM_THREADS does not say fewer: it may start fewer.
int host_threads();

}  // namespace memstencil
